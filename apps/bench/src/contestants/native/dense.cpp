/*
 * Vectors and dense matrices by OpenBLAS and its LAPACK, one thread.
 * Usage: dense kernel n columns count
 */
#include "kernel.h"
#include <cblas.h>

extern "C" {
void openblas_set_num_threads(int);
void dpotrf_(const char *, const int *, double *, const int *, int *);
void dsyevd_(const char *, const char *, const int *, double *, const int *, double *, double *, const int *, int *,
             const int *, int *);
}

static void vectors(const char *kernel, int n, long count) {
  vector<double> x = draws(n, 1), y = draws(n, 2);
  double found = 0;
  if (!strcmp(kernel, "dot"))
    report(count, [&] { found = cblas_ddot(n, x.data(), 1, y.data(), 1); }, [&] { return found; });
  else
    report(count, [&] { cblas_daxpy(n, 1e-9, x.data(), 1, y.data(), 1); }, [&] { return sum(y); });
}

/* Columns one after the other, as many as given, of length n. */
static void columns(const char *kernel, int n, int k, long count) {
  vector<double> P = draws((size_t)n * k, 1), v = draws(n, 2), c = draws(k, 3);
  if (!strcmp(kernel, "project")) {
    auto run = [&] { cblas_dgemv(CblasColMajor, CblasTrans, n, k, 1, P.data(), n, v.data(), 1, 0, c.data(), 1); };
    report(count, run, [&] { return sum(c); });
  } else {
    for (double &entry : c) entry *= 1e-9;
    auto run = [&] { cblas_dgemv(CblasColMajor, CblasNoTrans, n, k, 1, P.data(), n, c.data(), 1, 1, v.data(), 1); };
    report(count, run, [&] { return sum(v); });
  }
}

static vector<double> symmetric(int n, double diagonal) {
  vector<double> A = draws((size_t)n * n, 1);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) A[(size_t)j * n + i] = A[(size_t)i * n + j];
    A[(size_t)i * n + i] += diagonal;
  }
  return A;
}

/*
 * The relaxed step of a splitting, W <- [W]_- + r (X + e) + (1 - r) [W]_+, left of the diagonal and on it, with the sums of its
 * residuals; X are 64 rows, which serve again and again. With r = 1 and X > 0 all steps but the first are alike.
 */
static void relaxed(int n, long count) {
  vector<double> X = draws((size_t)64 * n, 1);
  for (double &entry : X) entry += 0.5;
  vector<float> W((size_t)n * n);
  const double r = 1, e = 0.25;
  double size = 0, rest = 0;
  auto run = [&] {
    size = rest = 0;
    for (int i = 0; i < n; i++) {
      float *w = W.data() + (size_t)i * n;
      const double *x = X.data() + (size_t)(i % 64) * n;
      double difference = 0, own = 0, change = 0, negative = 0, least = 1e300;
      for (int j = 0; j <= i; j++) {
        const double before = w[j], xj = x[j] + e, z = before > 0 ? before : 0;
        const double next = before - z + r * xj + (1 - r) * z, zNext = next > 0 ? next : 0;
        difference += (xj - z) * (xj - z);
        own += z * z;
        change += (zNext - z) * (zNext - z);
        negative += (next - zNext) * (next - zNext);
        least = xj < least ? xj : least;
        w[j] = next;
      }
      const double z = w[i];
      size += 2 * own - z * z;
      rest += difference + change + negative + least;
    }
  };
  report(count, run, [&] {
    run(); // sizes of the first step's result
    return rest > 0 ? size : 0;
  });
}

static void matrices(const char *kernel, int n, long count) {
  if (!strcmp(kernel, "product")) {
    vector<double> A = draws((size_t)n * n, 1), B = draws((size_t)n * n, 2), C((size_t)n * n);
    auto run = [&] {
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, A.data(), n, B.data(), n, 0, C.data(), n);
    };
    report(count, run, [&] { return sum(C); });
  } else if (!strcmp(kernel, "times-vector")) {
    vector<double> A = draws((size_t)n * n, 1), v = draws(n, 2), out(n);
    auto run = [&] { cblas_dgemv(CblasRowMajor, CblasNoTrans, n, n, 1, A.data(), n, v.data(), 1, 0, out.data(), 1); };
    report(count, run, [&] { return sum(out); });
  } else if (!strcmp(kernel, "symmetric-times-vector")) {
    const vector<double> A = symmetric(n, 0), v = draws(n, 2);
    vector<double> out(n);
    auto run = [&] { cblas_dsymv(CblasRowMajor, CblasLower, n, 1, A.data(), n, v.data(), 1, 0, out.data(), 1); };
    report(count, run, [&] { return sum(out); });
  } else if (!strcmp(kernel, "cholesky")) {
    const vector<double> A = symmetric(n, n);
    vector<double> L;
    int info = 0;
    auto run = [&] {
      L = A;
      dpotrf_("U", &n, L.data(), &n, &info);
    };
    report(count, run, [&] { return L[(size_t)n * n - 1]; });
  } else {
    const vector<double> A = symmetric(n, 0);
    vector<double> Z, w(n), work(1 + 6 * n + 2 * (size_t)n * n);
    vector<int> integers(3 + 5 * n);
    const int size = work.size(), integerSize = integers.size();
    int info = 0;
    auto run = [&] {
      Z = A;
      dsyevd_("V", "U", &n, Z.data(), &n, w.data(), work.data(), &size, integers.data(), &integerSize, &info);
    };
    report(count, run, [&] { return w[n - 1]; });
  }
}

int main(int, char **words) {
  const char *kernel = words[1];
  const int n = atoi(words[2]), k = atoi(words[3]);
  const long count = atol(words[4]);
  openblas_set_num_threads(1);
  if (!strcmp(kernel, "dot") || !strcmp(kernel, "axpy")) vectors(kernel, n, count);
  else if (!strcmp(kernel, "relaxed")) relaxed(n, count);
  else if (!strcmp(kernel, "project") || !strcmp(kernel, "combine")) columns(kernel, n, k, count);
  else matrices(kernel, n, count);
}
