/**
 * All eigenpairs of a small symmetric matrix by Jacobi's rotations, values increasing: slow, and sure to be right.
 */
export function jacobi(n: number, matrix: Float64Array): { values: number[]; vectors: Float64Array[] } {
  const A = matrix.slice();
  const V = new Float64Array(n * n);
  for (let i = 0; i < n; i++) V[i * n + i] = 1;
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += A[p * n + q] ** 2;
    if (off < 1e-28) break;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(n, A, V, p, q);
  }
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => A[a * n + a] - A[b * n + b]);
  return {
    values: order.map((i) => A[i * n + i]),
    vectors: order.map((i) => Float64Array.from({ length: n }, (_, k) => V[k * n + i])),
  };
}

function rotate(n: number, A: Float64Array, V: Float64Array, p: number, q: number): void {
  if (A[p * n + q] === 0) return;
  const theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const [a, b] = [A[k * n + p], A[k * n + q]];
    A[k * n + p] = c * a - s * b;
    A[k * n + q] = s * a + c * b;
  }
  for (let k = 0; k < n; k++) {
    const [a, b] = [A[p * n + k], A[q * n + k]];
    A[p * n + k] = c * a - s * b;
    A[q * n + k] = s * a + c * b;
    const [u, v] = [V[k * n + p], V[k * n + q]];
    V[k * n + p] = c * u - s * v;
    V[k * n + q] = s * u + c * v;
  }
}
