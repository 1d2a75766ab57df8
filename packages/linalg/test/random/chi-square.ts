/** Σ (observed − expected)² / expected over classes of equal probability. */
export function chiSquare(counts: Float64Array, expected: number): number {
  let sum = 0;
  for (const count of counts) sum += (count - expected) ** 2 / expected;
  return sum;
}
