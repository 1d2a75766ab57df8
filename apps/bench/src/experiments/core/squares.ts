/**
 * Sums of squares under the solvers of optim-core: how many evaluations they take to the minimum, how many until they end, and
 * whether what they call converged is.
 */
import { readFileSync } from "node:fs";
import {
  Bfgs,
  ConjugateGradient,
  GradientDescent,
  HessianFree,
  Lbfgs,
  Lbfgsb,
  leastSquares,
  maxEvaluations,
  minimize,
  type Objective,
  runSync,
  type Solver,
  TrustNewton,
} from "@curvature/optim-core";
import type { SquaresProblem } from "../../../data/optimizers/mgh.mjs";
import { writeReport } from "../../report.ts";
import type { Cell, Table } from "../../report-types.ts";
import { verdict } from "../../words.ts";
import { goesOn } from "./levenberg-marquardt.ts";

type Make = (f: Objective, x: Float64Array) => Solver;

/** A limit beside each: gradient descent is here to end rightly, and not to arrive. */
const solvers: Readonly<Record<string, { readonly make: Make; readonly limit: number }>> = {
  "L-BFGS": { make: (f, x) => new Lbfgs(f, x), limit: 5000 },
  "L-BFGS-B": { make: (f, x) => new Lbfgsb(f, x, { lower: Number.NEGATIVE_INFINITY }), limit: 5000 },
  BFGS: { make: (f, x) => new Bfgs(f, x), limit: 5000 },
  "trust region": { make: (f, x) => new TrustNewton(f, x), limit: 5000 },
  CG: { make: (f, x) => new ConjugateGradient(f, x), limit: 5000 },
  "gradient descent": { make: (f, x) => new GradientDescent(f, x), limit: 1000 },
  "Hessian-free": { make: (f, x) => new HessianFree(f, x), limit: 5000 },
};

interface Counts {
  readonly reached: boolean;
  readonly firstHit: number | null;
  readonly total: number;
}

interface Peers {
  readonly mgh: Readonly<Record<string, Readonly<Record<string, Counts>>>>;
  readonly nist: Readonly<Record<string, Readonly<Record<string, Counts>>>>;
  readonly boxes: Readonly<
    Record<string, { readonly best: number; readonly firstHit: number | null; readonly total: number }>
  >;
}

export const peers: Peers = JSON.parse(
  readFileSync(new URL("../../../data/optimizers/scipy.json", import.meta.url), "utf8"),
);

export function objectiveOf({ n, m, residuals }: SquaresProblem): Objective {
  const r = new Float64Array(m);
  const J = new Float64Array(m * n);
  return {
    dimension: n,
    evaluate(x, gradient) {
      residuals(x, r, gradient && J);
      gradient?.fill(0);
      let value = 0;
      for (let i = 0; i < m; i++) {
        value += r[i] * r[i];
        if (gradient !== undefined) for (let k = 0; k < n; k++) gradient[k] += 2 * r[i] * J[i * n + k];
      }
      return value;
    },
  };
}

const isReached = (value: number, minima: SquaresProblem["fmin"]): boolean =>
  [minima].flat().some((least) => value - least <= (least > 1e-9 ? 1e-6 * least : 1e-10));

interface Run extends Counts {
  readonly status: string;
  readonly value: number;
  /** Called converged, not at a minimum, and another method goes on from there. */
  readonly isFalse: boolean;
  readonly isWorse: boolean;
}

function measure(problem: SquaresProblem, start: readonly number[], solver: (typeof solvers)[string]): Run {
  const objective = objectiveOf(problem);
  const x = Float64Array.from(start);
  let total = 0;
  let firstHit: number | null = null;
  const counted: Objective = {
    ...objective,
    evaluate(at, gradient) {
      total++;
      const value = objective.evaluate(at, gradient);
      if (firstHit === null && isReached(value, problem.fmin)) firstHit = total;
      return value;
    },
  };
  const result = runSync(solver.make(counted, x), { stop: maxEvaluations(solver.limit) });
  const value = result.value ?? Number.MAX_VALUE;
  const reached = isReached(value, problem.fmin);
  const isFalse = result.status === "converged" && !reached && goesOn(problem, result.x, value);
  return {
    reached,
    firstHit,
    total,
    status: result.status,
    value,
    isFalse,
    isWorse: value > objective.evaluate(x),
  };
}

const LEAST_SQUARES = "least squares";
const LEAST_SQUARES_LIMIT = 5000;

/** The residuals themselves, with their Jacobian, by `leastSquares`. */
async function measureLeastSquares(problem: SquaresProblem, start: readonly number[]): Promise<Run> {
  const { n, m, residuals, fmin } = problem;
  const r = new Float64Array(m);
  const J = new Float64Array(m * n);
  let total = 0;
  let firstHit: number | null = null;
  const result = await leastSquares(
    {
      residuals(x) {
        total++;
        residuals(x, r);
        const value = r.reduce((sum, entry) => sum + entry * entry, 0);
        if (firstHit === null && isReached(value, fmin)) firstHit = total;
        return r;
      },
      jacobian(x) {
        residuals(x, new Float64Array(m), J);
        return { rows: m, columns: n, data: J };
      },
    },
    start,
    { maxEvaluations: LEAST_SQUARES_LIMIT },
  );
  const value = 2 * result.value;
  const reached = isReached(value, fmin);
  return {
    ...{ reached, firstHit, total, status: result.status, value },
    isFalse: result.status === "converged" && !reached && goesOn(problem, result.x, value),
    isWorse: value > objectiveOf(problem).evaluate(Float64Array.from(start)),
  };
}

const VALUES = "values alone";
const VALUES_LIMIT = 20_000;

/** The sum of the squares without its gradient, by `minimize`. */
async function measureValues(problem: SquaresProblem, start: readonly number[]): Promise<Run> {
  const objective = objectiveOf(problem);
  let total = 0;
  let firstHit: number | null = null;
  const result = await minimize(
    (x) => {
      total++;
      const value = objective.evaluate(Float64Array.from(x));
      if (firstHit === null && isReached(value, problem.fmin)) firstHit = total;
      return value;
    },
    [...start],
    { maxEvaluations: VALUES_LIMIT },
  );
  const value = result.value ?? Number.MAX_VALUE;
  const reached = isReached(value, problem.fmin);
  return {
    ...{ reached, firstHit, total, status: result.status, value },
    isFalse: result.status === "converged" && !reached && goesOn(problem, result.x, value),
    isWorse: value > objective.evaluate(Float64Array.from(start)),
  };
}

const counts = ({ reached, firstHit, total }: Counts): string =>
  reached ? `${firstHit} / ${total}` : `- / ${total}`;

const text = (run: Run): string => `${counts(run)}${run.isFalse ? " **false**" : ""}`;

function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted.length === 0 ? null : sorted[sorted.length >> 1];
}

/** Total over first hit of the runs that arrive and end by themselves. */
const tail = (runs: readonly (Counts & { readonly status?: string })[]): number | null =>
  median(
    runs.flatMap(({ reached, firstHit, total, status }) =>
      reached && firstHit !== null && status !== "max-evaluations" ? [total / firstHit] : [],
    ),
  );

const twoDecimals = (value: number | null): Cell => (value === null ? null : value.toFixed(2));

interface Experiment {
  readonly name: "mgh" | "nist";
  readonly title: string;
  readonly data: string;
  readonly problems: Readonly<Record<string, SquaresProblem>>;
}

export async function compare({ name, title, data, problems }: Experiment, isQuick: boolean): Promise<void> {
  const cases = Object.entries(problems)
    .slice(0, isQuick ? 5 : undefined)
    .flatMap(([key, problem]) =>
      [problem.x0, problem.x1].flatMap((start, k) =>
        start === undefined ? [] : [{ key, problem, start, k }],
      ),
    );
  const squares: Run[] = [];
  const values: Run[] = [];
  for (const { problem, start } of cases) {
    squares.push(await measureLeastSquares(problem, start));
    values.push(await measureValues(problem, start));
  }
  const found = [
    ...Object.entries(solvers).map(([solver, by]) => ({
      solver,
      runs: cases.map(({ problem, start }) => measure(problem, start, by)),
    })),
    { solver: LEAST_SQUARES, runs: squares },
    { solver: VALUES, runs: values },
  ];
  const rivals = ["L-BFGS-B", "CG", "BFGS", "lm"];
  const known = (rival: string) => cases.flatMap(({ key, k }) => (k === 0 ? [peers[name][key][rival]] : []));
  const summary: Table = {
    title: "In sum",
    columns: [
      "solver",
      "reached",
      "of",
      "called converged and is not",
      "total / first hit, median",
      "ended at its limit",
    ],
    rows: [
      ...found.map(({ solver, runs }) => [
        solver,
        runs.filter(({ reached }) => reached).length,
        runs.length,
        runs.filter(({ isFalse }) => isFalse).length,
        twoDecimals(tail(runs)),
        runs.filter(({ status }) => status === "max-evaluations").length,
      ]),
      ...rivals.map((rival) => [
        `SciPy ${rival}, first starts`,
        known(rival).filter(({ reached }) => reached).length,
        known(rival).length,
        null,
        twoDecimals(tail(known(rival))),
        null,
      ]),
    ],
  };
  const each: Table = {
    title: "Evaluations to the minimum / in all",
    columns: [
      "problem",
      "n",
      "start",
      ...found.map(({ solver }) => solver),
      ...rivals.map((rival) => `SciPy ${rival}`),
    ],
    rows: cases.map(({ key, problem, k }, at) => [
      key,
      problem.n,
      k + 1,
      ...found.map(({ runs }) => text(runs[at])),
      ...rivals.map((rival) => (k === 0 ? counts(peers[name][key][rival]) : null)),
    ]),
  };
  const all = found.flatMap(({ runs }) => runs);
  writeReport(
    {
      paper: "core",
      name,
      title,
      claim:
        "What the classic solvers call converged is a minimum, no run ends above its start, and most of their evaluations are made before the minimum is reached.",
      data,
      method:
        "All options are defaults. Least squares has the residuals with their Jacobian, values alone (`minimize`, by differences; at most 20,000 evaluations) the sum of the squares, the others that with its gradient. A minimum counts as reached at F − min ≤ 1e-6 min, or 1e-10 where min is 0. Converged is false where no minimum is reached and Levenberg-Marquardt (by normal equations, 60 iterations) goes on by more than 1e-6 of F. SciPy 1.17 was measured once, from the first start; its counts are data of this repository.",
      repeats: "One run of each; chance has no part in it.",
      clock: "none",
      findings: [
        `${verdict({
          "endings that are true": all.every(({ isFalse }) => !isFalse),
          "values at or below the start": all.every(({ isWorse }) => !isWorse),
        })} ${found
          .map(
            ({ solver, runs }) =>
              `${solver} reaches ${runs.filter(({ reached }) => reached).length} of ${runs.length}`,
          )
          .join(", ")}.`,
      ],
      tables: [summary, each],
    },
    isQuick,
  );
}
