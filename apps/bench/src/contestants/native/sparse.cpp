/*
 * Sparse Cholesky factorisation and solution by CHOLMOD (its own choice of method, supernodal where it pays), one thread.
 * Usage: sparse factor|solve matrix-file count
 */
#include "kernel.h"
#include <cholmod.h>

extern "C" void openblas_set_num_threads(int);

int main(int, char **words) {
  FILE *file = fopen(words[2], "rb");
  if (!file) return 2;
  vector<int64_t> sizes;
  vector<int32_t> pointers, indices;
  vector<double> values;
  read(file, sizes, 2);
  read(file, pointers, sizes[0] + 1);
  read(file, indices, sizes[1]);
  read(file, values, sizes[1]);
  fclose(file);
  openblas_set_num_threads(1);
  cholmod_common common;
  cholmod_start(&common);
  const size_t n = sizes[0];
  cholmod_sparse A = {n, n, values.size(), pointers.data(), indices.data(), nullptr, values.data(), nullptr, -1,
                      CHOLMOD_INT, CHOLMOD_REAL, CHOLMOD_DOUBLE, 1, 1};
  cholmod_factor *L = cholmod_analyze(&A, &common);
  cholmod_dense *B = cholmod_allocate_dense(n, 2, n, CHOLMOD_REAL, &common), *X = nullptr, *Y = nullptr, *E = nullptr;
  const vector<double> drawn = draws(2 * n, 1);
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < 2; c++) ((double *)B->x)[c * n + i] = drawn[2 * i + c];
  const long count = atol(words[3]);
  auto solve = [&] { cholmod_solve2(CHOLMOD_A, L, B, nullptr, &X, nullptr, &Y, &E, &common); };
  auto result = [&] {
    double total = 0;
    for (size_t k = 0; k < 2 * n; k++) total += std::fabs(((double *)X->x)[k]);
    return total;
  };
  if (!strcmp(words[1], "factor")) {
    auto run = [&] { cholmod_factorize(&A, L, &common); };
    report(count, run, [&] {
      solve();
      return result();
    });
  } else {
    cholmod_factorize(&A, L, &common);
    report(count, solve, result);
  }
}
