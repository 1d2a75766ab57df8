/*
 * Convolution of an n x n grid with the even kernel 1/(1 + (i^2 + j^2)/100), padded to 2n x 2n, by FFTW's real transforms
 * (FFTW_MEASURE).
 * Usage: fourier n wisdom-file count
 */
#include "kernel.h"
#include <fftw3.h>

int main(int, char **words) {
  const int n = atoi(words[1]), P = 2 * n, half = n + 1;
  fftw_import_wisdom_from_filename(words[2]);
  double *padded = fftw_alloc_real((size_t)P * P);
  fftw_complex *transformed = fftw_alloc_complex((size_t)P * half);
  fftw_plan forward = fftw_plan_dft_r2c_2d(P, P, padded, transformed, FFTW_MEASURE);
  fftw_plan back = fftw_plan_dft_c2r_2d(P, P, transformed, padded, FFTW_MEASURE);
  fftw_export_wisdom_to_filename(words[2]);
  for (int i = 0; i < P; i++)
    for (int j = 0; j < P; j++) {
      const double a = std::min(i, P - i), b = std::min(j, P - j);
      padded[(size_t)i * P + j] = 1 / (1 + (a * a + b * b) / 100);
    }
  fftw_execute(forward);
  vector<double> spectrum((size_t)P * half);
  for (size_t k = 0; k < spectrum.size(); k++) spectrum[k] = transformed[k][0] / P / P;
  const vector<double> grid = draws((size_t)n * n, 1);
  vector<double> out(grid.size());
  auto run = [&] {
    memset(padded, 0, sizeof(double) * P * P);
    for (int i = 0; i < n; i++) memcpy(padded + (size_t)i * P, &grid[(size_t)i * n], sizeof(double) * n);
    fftw_execute(forward);
    for (size_t k = 0; k < spectrum.size(); k++) {
      transformed[k][0] *= spectrum[k];
      transformed[k][1] *= spectrum[k];
    }
    fftw_execute(back);
    for (int i = 0; i < n; i++) memcpy(&out[(size_t)i * n], padded + (size_t)i * P, sizeof(double) * n);
  };
  report(atol(words[3]), run, [&] { return out[0] + out[out.size() - 1]; });
}
