/** A ← A + w v vᵀ, n × n. */
export function addOuter(w: number, v: Float64Array, A: Float64Array): void {
  const n = v.length;
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < n; j++) A[row + j] += w * (v[i] * v[j]); // symmetric to the bit
  }
}
