/**
 * Which way to the leading eigenpairs of BᵀB, or BBᵀ, is shorter for dense B, N × D with n = min(N, D): to form the n × n
 * matrix C first, or to multiply with B alone.
 *
 *   formed    g N D n / 2 + c P n²       half of C by the matrix product, then P products with it
 *   products  b P N D                    P walks through B and back, eight together
 *
 * | symbol | constant  | what                                                             |
 * |--------|-----------|------------------------------------------------------------------|
 * | g      | GEMM      | time of a multiply-add of the matrix product                      |
 * | c      | MATRIX    | time of an entry of C in C v                                      |
 * | b      | POINTS    | time of an entry of B in V BᵀB, for each row of V                 |
 * | P      | products  | how many products Lanczos takes for k pairs                       |
 *
 * Times are nanoseconds, measured together (1200 to 4000 columns, AMD EPYC), in the middle between those of the TypeScript
 * kernels (0.5, 1.0, 1.17) and of SIMD (0.12, 0.7, 0.45): the choice, and with it the last bits, must not depend on which of
 * them there are. P was 82 for 2 components and 162 to 236 for 50 of spectra that fall, 340 to 800 of noise, which nobody
 * reduces. Where n is small, or not large beside k, C is formed in any case. It is never larger than B.
 */
const GEMM = 0.24;
const MATRIX = 0.84;
const POINTS = 0.73;
/** The least n, and for each pair, for which there are only products. */
const MIN_SIZE = 1000;
const MIN_SIZE_PER_PAIR = 5;

/** Time of all eigenpairs of C, over n³, in the middle as the others. */
const ALL_PAIRS = 1.5;
const PATIENCE = 4;

/** P */
const products = (count: number): number => 80 + 3 * count;

const timeFormed = (N: number, D: number, count: number): number => {
  const n = Math.min(N, D);
  return (GEMM / 2) * N * D * n + MATRIX * products(count) * n * n;
};

const timeOfProducts = (N: number, D: number, count: number): number => POINTS * products(count) * N * D;

/** Whether the n × n matrix is to be formed for so many pairs. */
export const isFormedFor = (N: number, D: number, count: number): boolean =>
  Math.min(N, D) < Math.max(MIN_SIZE, MIN_SIZE_PER_PAIR * count) ||
  timeFormed(N, D, count) <= timeOfProducts(N, D, count);

/** Nanoseconds that it takes one thread. */
export const predictedTime = (N: number, D: number, count: number): number =>
  (isFormedFor(N, D, count) ? timeFormed : timeOfProducts)(N, D, count);

/**
 * Products that find so many pairs at the most: those that take as long as to form C and all its pairs do, which is then the
 * shorter way, and some times as many as most spectra need.
 */
export function mostProducts(N: number, D: number, count: number): number {
  const n = Math.min(N, D);
  const timeOfAll = (GEMM / 2) * N * D * n + ALL_PAIRS * n ** 3;
  return Math.max(PATIENCE * products(count), Math.ceil(timeOfAll / (POINTS * N * D)));
}

/** The same where C, n × n, is formed. */
export const mostProductsWithFormed = (n: number, count: number): number =>
  Math.max(PATIENCE * products(count), Math.ceil((ALL_PAIRS * n) / MATRIX));
