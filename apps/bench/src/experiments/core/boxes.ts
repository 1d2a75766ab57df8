/**
 * Problems in boxes under L-BFGS-B.
 *
 * Usage: node boxes.ts [--quick]
 */
import { Lbfgsb, maxEvaluations, runSync } from "@curvature/optim-core";
import { type BoxProblem, problems } from "../../../data/optimizers/boxes.mjs";
import { experimentArguments } from "../../experiment-arguments.ts";
import { writeReport } from "../../report.ts";
import { verdict } from "../../words.ts";
import { peers } from "./squares.ts";

const LIMIT = 20_000;

const { isQuick } = experimentArguments({});

/** 1e300 stands for no bound. */
const bounds = (given: readonly number[]): Float64Array =>
  Float64Array.from(given, (bound) => (Math.abs(bound) >= 1e300 ? Math.sign(bound) / 0 : bound));

function measure(key: string, { x0, l, u, f }: BoxProblem) {
  const { best, firstHit: rival, total: rivalTotal } = peers.boxes[key];
  let total = 0;
  let firstHit: number | null = null;
  const evaluate = (x: Float64Array, gradient?: Float64Array): number => {
    total++;
    const value = f(x, gradient);
    if (firstHit === null && value - best <= 1e-7 * Math.max(Math.abs(best), 1e-3)) firstHit = total;
    return value;
  };
  const solver = new Lbfgsb({ dimension: x0.length, evaluate }, x0, { lower: bounds(l), upper: bounds(u) });
  const { status } = runSync(solver, { stop: maxEvaluations(LIMIT) });
  const reached: number | null = firstHit;
  return { key, n: x0.length, firstHit: reached, total, status, rival, rivalTotal };
}

const found = Object.entries(problems)
  .slice(0, isQuick ? 8 : undefined)
  .map(([key, problem]) => measure(key, problem));
const shared = found.filter(({ rival }) => rival !== null);
const sum = (numbers: readonly (number | null)[]): number =>
  numbers.reduce<number>((total, each) => total + (each ?? LIMIT), 0);
const ours = sum(shared.map(({ firstHit }) => firstHit));
const theirs = sum(shared.map(({ rival }) => rival));
const missed = found.filter(({ firstHit }) => firstHit === null);

writeReport(
  {
    paper: "core",
    name: "boxes",
    title: "L-BFGS-B on problems in boxes",
    claim:
      "L-BFGS-B reaches the best known value of every problem, with no more evaluations in sum than SciPy's where that reaches it.",
    data: "31 problems in boxes, `apps/bench/data/optimizers/boxes.mjs`: Hock's and Schittkowski's, linear, concave and ill-conditioned ones, regression with bounds.",
    method: `All options are defaults, at most ${LIMIT} evaluations. A value counts as reached within 1e-7 of the best that three programs found. SciPy 1.17 was measured once; its counts are data of this repository.`,
    repeats: "One run of each; chance has no part in it.",
    clock: "none",
    findings: [
      `${verdict({ "reaching all": missed.length === 0, evaluations: ours <= theirs })} ${found.length - missed.length} of ${found.length} are reached (SciPy: ${shared.length}); on those that SciPy reaches, ${ours} evaluations to the best value, SciPy ${theirs}.`,
    ],
    tables: [
      {
        columns: [
          "problem",
          "n",
          "to the best value",
          "in all",
          "status",
          "SciPy, to the best value",
          "SciPy, in all",
        ],
        rows: found.map(({ key, n, firstHit, total, status, rival, rivalTotal }) => [
          key,
          n,
          firstHit,
          total,
          status,
          rival,
          rivalTotal,
        ]),
      },
    ],
  },
  isQuick,
);
