/* What the native kernels share: numbers that the TypeScript side draws alike, and processor time. */
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

using std::vector;

/* Numbers in [-1/2, 1/2), those of `draws` in `kernel-contest.ts`. */
inline vector<double> draws(size_t count, uint32_t seed) {
  vector<double> out(count);
  for (double &entry : out) {
    seed = seed * 1664525u + 1013904223u;
    entry = seed / 4294967296.0 - 0.5;
  }
  return out;
}

inline double cpuNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * time.tv_sec + time.tv_nsec;
}

/* Calls once, prints what `result` says then, and the nanoseconds of each of `count` calls more. */
template <class Run, class Result> void report(long count, Run run, Result result) {
  run();
  const double found = result();
  const double before = cpuNanoseconds();
  for (long k = 0; k < count; k++) run();
  printf("%.6f %.17g\n", (cpuNanoseconds() - before) / count, found);
}

inline double sum(const vector<double> &entries) {
  double total = 0;
  for (double entry : entries) total += entry;
  return total;
}

template <class T> void read(FILE *file, vector<T> &out, size_t count) {
  out.resize(count);
  if (fread(out.data(), sizeof(T), count, file) != count) exit(2);
}
