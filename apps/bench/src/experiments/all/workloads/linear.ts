/** Passes over rows of a given number of entries, at columns that are drawn. */
import { RandomGenerator, type SparseMatrix } from "@curvature/linalg";
import { type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { chooseStorage, createLinearSolver, type LinearSolverOptions } from "@curvature/optim-sgdqn";
import { normals } from "./drawn.ts";
import { secondsOfPass, type Workload } from "./workload.ts";

const FEATURES = 20_000;

/** Labels are those of a drawn direction. */
function problem(rows: number, entries: number): LinearProblem {
  const random = new RandomGenerator(2);
  const w = normals(FEATURES, 1);
  const targets = new Float64Array(rows);
  const columnIndices = new Int32Array(rows * entries);
  const values = new Float32Array(rows * entries);
  const stride = Math.floor(FEATURES / entries);
  for (let i = 0; i < rows; i++) {
    let score = 0;
    for (let k = 0; k < entries; k++) {
      const at = i * entries + k;
      columnIndices[at] = stride * k + random.integer(stride);
      values[at] = (random.uniform() - 0.5) / Math.sqrt(entries / 12);
      score += values[at] * w[columnIndices[at]];
    }
    targets[i] = score > 0 ? 1 : -1;
  }
  const matrix: SparseMatrix<Float32Array> = {
    rows,
    columns: FEATURES,
    rowPointers: Int32Array.from({ length: rows + 1 }, (_, i) => i * entries),
    columnIndices,
    values,
  };
  return {
    rows: chooseStorage(matrix),
    targets,
    loss: linearLoss("squared-hinge"),
    lambda: 1e-4,
    bias: "none",
  };
}

function pass(rows: number, entries: number, options: LinearSolverOptions): number {
  return secondsOfPass(createLinearSolver(problem(rows, entries), options), 2, 8);
}

const solvers: readonly { readonly name: string; readonly options: LinearSolverOptions }[] = [
  { name: "SGD-QN", options: { solver: "sgdqn", maxPasses: 1000 } },
  { name: "dual coordinate descent", options: { solver: "dcd", tolerance: 1e-12, maxPasses: 1000 } },
  { name: "Newton, conjugate gradients", options: { solver: "newton", tolerance: 1e-12, maxPasses: 1000 } },
];
const features = `${FEATURES.toLocaleString("en-US")} features`;

export const linearWorkloads: readonly Workload[] = solvers.flatMap(({ name, options }): Workload[] => [
  {
    key: `${options.solver}-rows`,
    solver: name,
    unit: "a pass",
    variable: `n rows of 80 entries, ${features}`,
    sizes: [40_000, 80_000, 160_000, 320_000],
    theory: { time: 1, memory: 1, words: "n entries; the rows" },
    work: (n) => pass(n, 80, options),
  },
  {
    key: `${options.solver}-entries`,
    solver: name,
    unit: "a pass",
    variable: `entries of a row, 20,000 rows, ${features}`,
    sizes: [160, 320, 640, 1280],
    theory: { time: 1, memory: 1, words: "n entries; the rows" },
    work: (entries) => pass(20_000, entries, options),
  },
]);
