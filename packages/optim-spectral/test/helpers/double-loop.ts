/**
 * The GPU's algorithm in double precision on the processor: the same homotopy, memory and line search, and Chebyshev's polynomial in the
 * attraction's Laplacian as the initial matrix.
 */
import { dot, type SparseMatrix, toSparse } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { HomotopyMemory, LambdaSchedule } from "../../src/homotopy-lbfgs.js";
import { PartsLine } from "../../src/parts-line.js";

export interface LoopPoint {
  readonly E: number;
  readonly X: Float64Array;
  readonly stepLength: number;
  readonly evaluations: number;
}

/** Of the eigenvalues 0.06 to 2, eight steps. */
export function polynomial({
  rows,
  rowPointers,
  columnIndices,
  values,
}: SparseMatrix): (V: Float64Array) => void {
  const degrees = Float64Array.from({ length: rows }, (_, i) =>
    values.subarray(rowPointers[i], rowPointers[i + 1]).reduce((sum, value) => sum + value, 0),
  );
  const [middle, half] = [(2 + 0.06) / 2, (2 - 0.06) / 2];
  const sigma = middle / half;
  return (V) => {
    const step = V.map((value, k) => value / middle / degrees[k >> 1]);
    const z = step.slice();
    let rho = 1 / sigma;
    for (let m = 1; m < 8; m++) {
      const next = 1 / (2 * sigma - rho);
      const residual = V.map((value, k) => value - degrees[k >> 1] * z[k]);
      for (let i = 0; i < rows; i++)
        for (let e = rowPointers[i]; e < rowPointers[i + 1]; e++)
          for (let c = 0; c < 2; c++) residual[2 * i + c] += values[e] * z[2 * columnIndices[e] + c];
      for (let k = 0; k < z.length; k++) {
        step[k] = next * rho * step[k] + ((2 * next) / half) * (residual[k] / degrees[k >> 1]);
        z[k] += step[k];
      }
      rho = next;
    }
    for (let k = 0; k < V.length; k++) V[k] = z[k] / 4;
  };
}

/** Every accepted point of T evaluations from `start`. */
export function doubleLoop(
  objective: EmbeddingObjective,
  start: Float64Array,
  T: number,
): readonly LoopPoint[] {
  const schedule = new LambdaSchedule(objective, T);
  const solve = polynomial(toSparse(objective.attractiveWeights()));
  const memory = new HomotopyMemory(start.length, 10, solve);
  const line = new PartsLine(objective, start.slice(), "step");
  line.evaluateStart();
  const points: LoopPoint[] = [];
  let skipped = 0;
  while (line.evaluations < T) {
    const n = line.evaluations + skipped;
    const lambda = schedule.lambda(n);
    line.weigh(lambda, schedule.penalty(n));
    const { D, G } = line;
    memory.direction(lambda, schedule.penalty(n) / objective.points, G, D);
    const steepest = (): void => {
      memory.clear();
      D.set(G.map((g) => -g));
      solve(D);
    };
    if (!(dot(G, D) < 0)) steepest();
    let a = line.search(T);
    if (a === 0 && memory.size > 0) {
      steepest();
      a = line.search(T);
    }
    if (a === 0) {
      if (n >= schedule.length) break;
      skipped += schedule.length - n;
      continue;
    }
    const { s, dA, dR } = memory.push();
    for (let k = 0; k < s.length; k++) {
      s[k] = a * D[k];
      dA[k] = line.trialA[k] - line.A[k];
      dR[k] = line.trialR[k] - line.R[k];
    }
    line.accept();
    const { attractive, repulsive } = line.parts;
    points.push({
      E: attractive + schedule.target * repulsive,
      X: line.X.slice(),
      stepLength: a,
      evaluations: line.evaluations,
    });
  }
  return points;
}
