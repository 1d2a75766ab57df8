/**
 * NOMAD as a semidefinite programme in the sparse format of SDPA, which CSDP and others read.
 *
 *   maximise Tr(D Z)   subject to   Σ_j Z_ij = 1 (n rows),  Tr Z = K,  Z_ij − s_ij = 0 for i < j,  Z ⪰ 0,  s ≥ 0
 *
 * Z is the first block, the slacks s are the second, a diagonal one. The file has the number of constraints, that of blocks, their sizes
 * (negative: diagonal), the right-hand sides, and lines "constraint block i j value" of upper triangles, constraint 0
 * the objective. The diagonal of Z is nonnegative as Z ⪰ 0.
 */
import type { DenseMatrix } from "@curvature/linalg";

/** Rows of the programme: n + 1 + n (n − 1)/2. */
export const constraintsOf = (n: number): number => n + 1 + (n * (n - 1)) / 2;

/**
 * @param gram - D, n × n
 * @param clusters - K
 */
export function sdpaOf({ rows: n, data }: DenseMatrix, clusters: number): string {
  const pairs = Array.from({ length: n }, (_, i) => i).flatMap((i) =>
    Array.from({ length: n - i - 1 }, (_, k) => [i, i + 1 + k] as const),
  );
  const sides = [...Array.from({ length: n }, () => 1), clusters, ...pairs.map(() => 0)];
  const entry = (constraint: number, block: number, i: number, j: number, value: number): string =>
    `${constraint} ${block} ${i + 1} ${j + 1} ${value}`;
  const objective = [...data.keys()]
    .map((at) => [Math.floor(at / n), at % n] as const)
    .filter(([i, j]) => i <= j && data[i * n + j] !== 0)
    .map(([i, j]) => entry(0, 1, i, j, data[i * n + j]));
  const rowSums = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) =>
      // an entry off the diagonal stands for two of the symmetric matrix
      entry(i + 1, 1, Math.min(i, j), Math.max(i, j), i === j ? 1 : 0.5),
    ),
  ).flat();
  const trace = Array.from({ length: n }, (_, i) => entry(n + 1, 1, i, i, 1));
  const signs = pairs.flatMap(([i, j], p) => [entry(n + 2 + p, 1, i, j, 0.5), entry(n + 2 + p, 2, p, p, -1)]);
  const head = [String(sides.length), "2", `${n} ${-pairs.length}`, sides.join(" ")];
  return `${[...head, ...objective, ...rowSums, ...trace, ...signs].join("\n")}\n`;
}
