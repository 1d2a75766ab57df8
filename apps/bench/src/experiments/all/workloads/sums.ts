/** SFO beside its subfunctions. */
import { logisticRegression } from "@curvature/objectives/sums";
import { ConjugateGradient, createSumSolver, HessianFree } from "@curvature/optim-core";
import { secondsOutside } from "../../sfo/outside.ts";
import { normals } from "./drawn.ts";
import { secondsOfPass, type Workload } from "./workload.ts";

const common = {
  solver: "SFO",
  unit: "a pass, outside the subfunctions",
} as const;
const words = "M N² projections; a basis of M N";

/** Solvers of any sum, on logistic regression. */
const solvers: readonly { readonly key: string; readonly solver: string }[] = [
  { key: "adam:0.01", solver: "Adam" },
  { key: "sag", solver: "SAG" },
  { key: "lbfgs", solver: "L-BFGS" },
  { key: "hessian-free", solver: "Hessian-free" },
  { key: "cg", solver: "conjugate gradients" },
];
const COLUMNS = 64;

/** Labels are those of a drawn direction, some of them turned around. */
function passOf(key: string, rows: number): number {
  const points = { rows, columns: COLUMNS, data: normals(rows * COLUMNS, 1) };
  const flips = normals(rows, 1);
  const signs = Int32Array.from(flips, (flip, i) => (points.data[i * COLUMNS] + flip > 0 ? 1 : -1));
  const sum = logisticRegression(points, signs, { lambda: 1e-4, count: 20 });
  const solver =
    key === "cg"
      ? new ConjugateGradient(sum.whole, sum.initial)
      : key === "hessian-free"
        ? new HessianFree(sum.whole, sum.initial)
        : createSumSolver(key, sum, sum.initial);
  return secondsOfPass(solver, 3, 8);
}

export const sumWorkloads: readonly Workload[] = [
  ...solvers.map(
    ({ key, solver }): Workload => ({
      key: `sums-${key.split(":")[0]}`,
      solver,
      unit: "a pass",
      variable: `n rows of ${COLUMNS} columns, logistic regression`,
      sizes: [20_000, 40_000, 80_000, 160_000],
      theory: { time: 1, memory: 1, words: "n rows; the rows" },
      work: (n) => passOf(key, n),
    }),
  ),
  {
    ...common,
    key: "sfo-parameters",
    variable: "M parameters, N = 20",
    sizes: [10_000, 30_000, 100_000, 300_000],
    theory: { time: 1, memory: 1, words },
    work: (M) => secondsOutside(20, M),
  },
  {
    ...common,
    key: "sfo-subfunctions",
    variable: "N subfunctions, M = 30,000",
    sizes: [10, 20, 40, 80],
    theory: { time: 2, memory: 1, words },
    work: (N) => secondsOutside(N, 30_000),
  },
];
