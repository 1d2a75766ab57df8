/*
 * A pass of stochastic gradient descent over dense rows: the squared hinge, steps of 1/(lambda (t0 + t)), from w = 0.
 * Usage: dense-rows double|single rows columns lambda t0 count
 */
#include "kernel.h"

template <class T>
static void pass(const T *__restrict X, const double *__restrict y, int n, int d, double lambda, double t0, double *__restrict w) {
  for (int j = 0; j < d; j++) w[j] = 0;
  for (int i = 0; i < n; i++) {
    const T *__restrict x = X + (size_t)i * d;
    double s = 0;
    for (int j = 0; j < d; j++) s += x[j] * w[j];
    const double slack = 1 - y[i] * s;
    if (slack <= 0) continue;
    const double step = y[i] * slack / (lambda * (t0 + i));
    for (int j = 0; j < d; j++) w[j] += step * x[j];
  }
}

template <class T> static void run(int n, int d, double lambda, double t0, long count) {
  const vector<double> entries = draws((size_t)n * d, 1);
  const vector<T> X(entries.begin(), entries.end());
  vector<double> y = draws(n, 2), w(d);
  for (double &target : y) target = target < 0 ? -1 : 1;
  report(count, [&] { pass(X.data(), y.data(), n, d, lambda, t0, w.data()); }, [&] { return sum(w); });
}

int main(int, char **words) {
  const int n = atoi(words[2]), d = atoi(words[3]);
  const double lambda = atof(words[4]), t0 = atof(words[5]);
  const long count = atol(words[6]);
  if (!strcmp(words[1], "single")) run<float>(n, d, lambda, t0, count);
  else run<double>(n, d, lambda, t0, count);
}
