/*
 * Passes of SVMSGD2 and of SGD-QN (2010) over compressed sparse rows with the squared hinge, explicit steps and no bias: the
 * arithmetic of @curvature/optim-sgdqn in C++. Rows in single precision, weights in double, gains in single.
 *
 * Usage: sparse-passes problem passes lambda t0 skip
 * Prints the median CPU milliseconds of a pass of each, and the sum of the weights of each at the end.
 */
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using std::vector;

struct Problem {
  int n, d;
  vector<int32_t> pointers, indices;
  vector<float> values;
  vector<int8_t> y;
};

template <class T> static void read(FILE *file, vector<T> &out, size_t count) {
  out.resize(count);
  if (fread(out.data(), sizeof(T), count, file) != count) exit(2);
}

static Problem readProblem(const char *path) {
  FILE *file = fopen(path, "rb");
  vector<int64_t> sizes;
  Problem p;
  if (!file) exit(2);
  read(file, sizes, 3);
  p.n = sizes[0];
  p.d = sizes[1];
  read(file, p.pointers, p.n + 1);
  read(file, p.indices, sizes[2]);
  read(file, p.values, sizes[2]);
  read(file, p.y, p.n);
  fclose(file);
  return p;
}

static double dot(const Problem &p, int i, const double *w) {
  double sum = 0;
  for (int k = p.pointers[i]; k < p.pointers[i + 1]; k++) sum += p.values[k] * w[p.indices[k]];
  return sum;
}

struct SvmSgd2 {
  double lambda, t0;
  int skip, countdown;
  double t = 0;
  vector<double> w;
  SvmSgd2(double lambda, double t0, int skip, int d) : lambda(lambda), t0(t0), skip(skip), countdown(skip), w(d) {}

  void pass(const Problem &p) {
    double *__restrict w = this->w.data();
    for (int i = 0; i < p.n; i++, t++) {
      const double slack = 1 - p.y[i] * dot(p, i, w);
      if (slack > 0) {
        const double e = slack * p.y[i] / (lambda * (t + t0));
        for (int k = p.pointers[i]; k < p.pointers[i + 1]; k++) w[p.indices[k]] += e * p.values[k];
      }
      if (--countdown > 0) continue;
      const double first = 1 - skip / (t + t0);
      const double factor = first >= 0.8 ? first : std::pow(1 - 1 / (t + t0), skip);
      for (int j = 0; j < p.d; j++) w[j] *= factor;
      countdown = skip;
    }
  }
};

struct SgdQn {
  double lambda, t0;
  int skip, countdown;
  double t = 0, tB = 0;
  bool isSecantDue = false;
  vector<double> w, wBefore, excess;
  vector<float> gains;
  SgdQn(double lambda, double t0, int skip, int d)
      : lambda(lambda), t0(t0), skip(skip), countdown(skip), w(d), wBefore(d), excess(d), gains(d, 1) {}

  void pass(const Problem &p) {
    double *__restrict w = this->w.data();
    const double unit = 1 / (lambda * t0);
    for (int i = 0; i < p.n; i++) {
      const double slack = std::max(0.0, 1 - p.y[i] * dot(p, i, w));
      t++;
      if (isSecantDue) learnCurvature(p, i, slack);
      if (--countdown <= 0) decay(p.d);
      if (slack == 0) continue;
      const double e = unit * slack * p.y[i];
      for (int k = p.pointers[i]; k < p.pointers[i + 1]; k++) {
        const int j = p.indices[k];
        w[j] += e * gains[j] * p.values[k];
      }
    }
  }

  void learnCurvature(const Problem &p, int i, double slack) {
    const double before = std::max(0.0, 1 - p.y[i] * dot(p, i, wBefore.data()));
    const double slopes = -p.y[i] * (slack - before);
    isSecantDue = false;
    if (slopes == 0) return;
    for (int k = p.pointers[i]; k < p.pointers[i + 1]; k++) {
      const int j = p.indices[k];
      const double change = slopes * p.values[k], pull = lambda * (w[j] - wBefore[j]);
      if (change == 0) continue;
      const double h = pull == 0 ? 100 : std::max(0.1, std::min(100.0, 1 + change / pull));
      excess[j] += (t - tB) * (h - 1);
    }
    tB = t;
    for (int j = 0; j < p.d; j++) gains[j] = t0 / (t0 + tB + excess[j]);
  }

  void decay(int d) {
    wBefore = w;
    for (int j = 0; j < d; j++) w[j] *= std::max(0.0, 1 - skip / t0 * gains[j]);
    isSecantDue = true;
    countdown = skip;
  }
};

static double cpuMilliseconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * time.tv_sec + 1e-6 * time.tv_nsec;
}

template <class Learner> static double median(Learner &learner, const Problem &p, int passes) {
  vector<double> times;
  for (int k = 0; k < passes; k++) {
    const double before = cpuMilliseconds();
    learner.pass(p);
    times.push_back(cpuMilliseconds() - before);
  }
  std::sort(times.begin(), times.end());
  return times[passes / 2];
}

static double sum(const vector<double> &w) {
  double total = 0;
  for (double entry : w) total += entry;
  return total;
}

int main(int, char **words) {
  const Problem p = readProblem(words[1]);
  const int passes = atoi(words[2]), skip = atoi(words[5]);
  const double lambda = atof(words[3]), t0 = atof(words[4]);
  SvmSgd2 plain(lambda, t0, skip, p.d);
  SgdQn quasiNewton(lambda, t0, skip, p.d);
  const double a = median(plain, p, passes), b = median(quasiNewton, p, passes);
  printf("%.6f %.6f %.17g %.17g\n", a, b, sum(plain.w), sum(quasiNewton.w));
}
