/**
 * Which way to the leading eigenpairs of BᵀB, or BBᵀ, is shorter for dense B, N × D with n = min(N, D): to form the n × n
 * matrix C first, or to multiply with B alone.
 *
 *   formed    g N D n / 2 + c P n²       half of C by the matrix product, then P products with it
 *   products  b P N D                    P walks through B and back
 *
 * | symbol | constant  | what                                                             |
 * |--------|-----------|------------------------------------------------------------------|
 * | g      | GEMM      | time of a multiply-add of the matrix product                      |
 * | c      | MATRIX    | time of an entry of C in C v                                      |
 * | b      | POINTS    | time of an entry of B in Bᵀ(B v), centred on the way              |
 * | P      | products  | how many products Lanczos takes for k pairs                       |
 *
 * Times are nanoseconds of the TypeScript kernels, measured together for 3000 × 1500 and 1500 × 3000 points on a busy
 * machine; only their ratios count. SIMD makes g smaller and is not asked for: the choice, and with it the last bits,
 * must not depend on it. P was 82 for 2 components and 210 to 256 for 50 of spectra that fall, 208 and 540 to 560 of noise,
 * which nobody reduces; between them 110 + 4 k. Up to n = 1000 C is formed whatever k is. C is never larger than B.
 */
const GEMM = 0.5;
const MATRIX = 1.1;
const POINTS = 3.5;

/** P */
const products = (count: number): number => 110 + 4 * count;

/** Whether the n × n matrix is to be formed for so many pairs. */
export function isFormed(N: number, D: number, count: number): boolean {
  const n = Math.min(N, D);
  const P = products(count);
  return (GEMM / 2) * N * D * n + MATRIX * P * n * n <= POINTS * P * N * D;
}
