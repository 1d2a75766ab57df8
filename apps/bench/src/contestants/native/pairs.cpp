/*
 * Sums over all pairs of points in the plane with forces, each pair once, in loops that the compiler makes vectors of; and
 * Barnes and Hut's approximation: a quadtree, cells of width w at distance r taken as a whole where w < theta r.
 * Usage: pairs student|gaussian|student-single|gaussian-single|tree points span theta count
 * `tree` prints the relative error of its forces, too.
 */
#include "kernel.h"

/* In double precision, or in single. */
template <typename T> struct MapOf {
  int N;
  vector<T> x, y, fx, fy;
  double S = 0;
  MapOf(int N, double span) : N(N), x(N), y(N), fx(N), fy(N) {
    const vector<double> drawnX = draws(N, 1), drawnY = draws(N, 2);
    for (int n = 0; n < N; n++) x[n] = drawnX[n] * span, y[n] = drawnY[n] * span;
  }
};
using Map = MapOf<double>;

template <bool isStudent, typename T> static void allPairs(MapOf<T> &map) {
  const T *__restrict x = map.x.data(), *__restrict y = map.y.data();
  T *__restrict fx = map.fx.data(), *__restrict fy = map.fy.data();
  memset(fx, 0, sizeof(T) * map.N);
  memset(fy, 0, sizeof(T) * map.N);
  double S = 0;
  for (int n = 1; n < map.N; n++) {
    const T xn = x[n], yn = y[n];
    T sum = 0, sx = 0, sy = 0;
    for (int m = 0; m < n; m++) {
      const T dx = xn - x[m], dy = yn - y[m], t = dx * dx + dy * dy;
      const T k = isStudent ? 1 / (1 + t) : std::exp(-t);
      const T slope = isStudent ? -k * k : -k;
      sum += k;
      sx += slope * dx;
      sy += slope * dy;
      fx[m] -= slope * dx;
      fy[m] -= slope * dy;
    }
    S += sum;
    fx[n] += sx;
    fy[n] += sy;
  }
  map.S = S;
}

struct Cell {
  double x, y, mass, width;
  int child[4], point;
};

class Tree {
  Map &map;
  double theta;
  vector<Cell> cells;

public:
  Tree(Map &map, double theta) : map(map), theta(theta) {}

  void sum() {
    build();
    map.S = 0;
    for (int n = 0; n < map.N; n++) {
      map.fx[n] = map.fy[n] = 0;
      visit(0, n);
    }
    map.S /= 2;
  }

private:
  int make(double width, int point) {
    cells.push_back({map.x[point], map.y[point], 1, width, {-1, -1, -1, -1}, point});
    return cells.size() - 1;
  }

  void build() {
    double low = map.x[0], high = low;
    for (const vector<double> *axis : {&map.x, &map.y})
      for (double entry : *axis) low = std::min(low, entry), high = std::max(high, entry);
    const double middle = (low + high) / 2;
    cells.clear();
    make(high - low, 0);
    for (int n = 1; n < map.N; n++) insert(n, middle, middle);
  }

  static int quadrant(double x, double y, double cx, double cy) { return (x > cx) + 2 * (y > cy); }

  void insert(int n, double cx, double cy) {
    for (int c = 0;;) {
      const double half = cells[c].width / 2;
      if (cells[c].point >= 0) {
        const int old = cells[c].point;
        cells[c].point = -1;
        const int at = make(half, old);
        cells[c].child[quadrant(map.x[old], map.y[old], cx, cy)] = at;
      }
      Cell &cell = cells[c];
      cell.x += (map.x[n] - cell.x) / (cell.mass + 1);
      cell.y += (map.y[n] - cell.y) / (cell.mass + 1);
      cell.mass++;
      const int q = quadrant(map.x[n], map.y[n], cx, cy);
      if (cell.child[q] < 0) {
        const int at = make(half, n);
        cells[c].child[q] = at;
        return;
      }
      cx += (q & 1 ? 0.5 : -0.5) * half;
      cy += (q & 2 ? 0.5 : -0.5) * half;
      c = cell.child[q];
    }
  }

  void visit(int c, int n) {
    const Cell &cell = cells[c];
    if (cell.point == n) return;
    const double dx = map.x[n] - cell.x, dy = map.y[n] - cell.y, t = dx * dx + dy * dy;
    if (cell.point >= 0 || cell.width * cell.width < theta * theta * t) {
      const double k = 1 / (1 + t), slope = -cell.mass * k * k;
      map.S += cell.mass * k;
      map.fx[n] += slope * dx;
      map.fy[n] += slope * dy;
    } else
      for (int child : cell.child)
        if (child >= 0) visit(child, n);
  }
};

static double relativeError(const Map &found, const Map &exact) {
  double error = 0, size = 0;
  for (int n = 0; n < exact.N; n++) {
    error += std::pow(found.fx[n] - exact.fx[n], 2) + std::pow(found.fy[n] - exact.fy[n], 2);
    size += exact.fx[n] * exact.fx[n] + exact.fy[n] * exact.fy[n];
  }
  return std::sqrt(error / size);
}

template <typename T> static void reportAllPairs(bool isStudent, int N, double span, long count) {
  MapOf<T> map(N, span);
  auto result = [&] { return map.S; };
  if (isStudent) report(count, [&] { allPairs<true>(map); }, result);
  else report(count, [&] { allPairs<false>(map); }, result);
}

int main(int, char **words) {
  const long count = atol(words[5]);
  const int N = atoi(words[2]);
  const double span = atof(words[3]);
  const bool isStudent = !strncmp(words[1], "student", 7);
  if (strstr(words[1], "-single")) reportAllPairs<float>(isStudent, N, span, count);
  else if (strcmp(words[1], "tree")) reportAllPairs<double>(isStudent, N, span, count);
  else {
    Map map(N, span);
    Tree tree(map, atof(words[4]));
    report(count, [&] { tree.sum(); }, [&] { return map.S; });
    Map exact(map);
    allPairs<true>(exact);
    printf("%.6g\n", relativeError(map, exact));
  }
}
