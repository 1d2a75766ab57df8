/**
 * The rates of theorems 2 and 3: 1/T for the squared gradient at an iterate drawn from all, and a linear rate of modules
 * under the Polyak-Łojasiewicz inequality.
 *
 * Usage: node rates.ts [--quick] [--draws 40]
 */
import { normal, RandomGenerator } from "@curvature/linalg";
import { ordinalObjective } from "@curvature/objectives/ordinal";
import type { SumOfFunctions } from "@curvature/optim-core";
import { modularSvrg, Svrg } from "@curvature/optim-svrg";
import { chartSvg } from "../../chart.ts";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { powerLaw } from "../../fit.ts";
import { mean } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { verdict } from "../../words.ts";
import { answer, cloud } from "./drawn-answers.ts";

const { isQuick, draws } = experimentArguments({ draws: whole(40, 4) });
const OBJECTS = 30;
const ANSWERS = 1500;
const EPOCHS = isQuick ? [1, 2, 4, 8, 16] : [1, 2, 4, 8, 16, 32, 64, 128];
/** ε in units of the curvature along the first gradient: with b = 1 the condition of theorem 2 is one of ε/L. */
const EPSILON = 1;

/** Goes on to the snapshot after so many epochs. */
function toEpoch(solver: Svrg, epoch: number): void {
  for (;;) {
    const { phase, details, outcome } = solver.step();
    if (outcome !== undefined || (phase === "snapshot" && details.epoch >= epoch)) return;
  }
}

interface Sublinear {
  readonly loss: string;
  /** By epochs: the mean of ‖∇f(x_out)‖², and the bound of theorem 2. */
  readonly squares: readonly number[];
  readonly bounds: readonly number[];
}

function sublinear(loss: "ste" | "tste"): Sublinear {
  const squares = EPOCHS.map((): number[] => []);
  const bounds = EPOCHS.map((): number[] => []);
  for (let seed = 0; seed < draws; seed++) {
    const random = new RandomGenerator(900);
    const points = cloud(random, OBJECTS, 2);
    const rows = Array.from({ length: ANSWERS }, () => answer(random, points, 1));
    const quadruplets = Int32Array.from(rows.flatMap(([i, j, k]) => [i, j, i, k]));
    const objective = ordinalObjective({ objects: OBJECTS, quadruplets }, loss, 2);
    const start = Float64Array.from({ length: objective.dimension }, () => normal(random));
    const first = objective.evaluate(start);
    const epsilon = EPSILON / OBJECTS;
    const solver = new Svrg(objective.sum, start, { output: "random", batchSize: 1, epsilon, seed });
    const gradient = new Float64Array(objective.dimension);
    let leastStep = Number.POSITIVE_INFINITY;
    let epoch = 0;
    for (const [at, end] of EPOCHS.entries()) {
      for (; epoch < end; epoch++) {
        toEpoch(solver, epoch);
        leastStep = Math.min(leastStep, solver.step().details.step);
      }
      toEpoch(solver, end);
      objective.evaluate(solver.best.x, gradient);
      squares[at].push(gradient.reduce((sum, each) => sum + each * each, 0));
      bounds[at].push((4 * first) / (end * leastStep)); // T b η_min = S B_min, and f(x*) is at least 0
    }
  }
  return { loss, squares: squares.map(mean), bounds: bounds.map(mean) };
}

interface Linear {
  readonly name: string;
  /** F − F* after each module, from the start on; the mean. */
  readonly gaps: readonly number[];
}

const MODULES = isQuick ? 5 : 12;
const EPOCHS_PER_MODULE = 2;

/** Squares of equations that all hold at many points: the Hessian has zeros, and the inequality holds. */
function equations(): SumOfFunctions {
  const random = new RandomGenerator(41);
  const [count, dimension, rank] = [200, 40, 15];
  const base = Array.from({ length: rank }, () =>
    Float64Array.from({ length: dimension }, () => normal(random)),
  );
  const solution = Float64Array.from({ length: dimension }, () => normal(random));
  const rows = Array.from({ length: count }, () => {
    const weights = base.map(() => normal(random) / rank);
    return Float64Array.from({ length: dimension }, (_, i) =>
      base.reduce((sum, row, r) => sum + weights[r] * row[i], 0),
    );
  });
  const times = (row: Float64Array, x: Float64Array): number => row.reduce((sum, a, i) => sum + a * x[i], 0);
  const targets = rows.map((row) => times(row, solution));
  return {
    dimension,
    count,
    evaluate(q, x, gradient) {
      const rest = times(rows[q], x) - targets[q];
      if (gradient !== undefined)
        for (let i = 0; i < dimension; i++) gradient[i] = (rest * rows[q][i]) / count;
      return (rest * rest) / 2 / count;
    },
  };
}

/** x² + 3 sin² x in each coordinate, the paper's example: not convex, with λ = 1/32; terms pull to both sides. */
function sines(): SumOfFunctions {
  const random = new RandomGenerator(42);
  const [count, dimension] = [200, 10];
  const pulls = Array.from({ length: count / 2 }, () =>
    Float64Array.from({ length: dimension }, () => normal(random)),
  );
  return {
    dimension,
    count,
    evaluate(q, x, gradient) {
      const pull = pulls[q >> 1];
      const sign = q % 2 === 0 ? 1 : -1;
      let value = 0;
      for (let i = 0; i < dimension; i++) {
        const sine = Math.sin(x[i]);
        value += (x[i] * x[i] + 3 * sine * sine + sign * pull[i] * x[i]) / count;
        if (gradient !== undefined)
          gradient[i] = (2 * x[i] + 3 * Math.sin(2 * x[i]) + sign * pull[i]) / count;
      }
      return value;
    },
  };
}

function linear(name: string, sum: SumOfFunctions): Linear {
  const gaps = Array.from({ length: MODULES + 1 }, (): number[] => []);
  for (let seed = 0; seed < draws; seed++) {
    const random = new RandomGenerator(800 + seed);
    const start = Float64Array.from({ length: sum.dimension }, () => 2 * normal(random));
    const solver = modularSvrg(
      sum,
      start,
      { epochsPerModule: EPOCHS_PER_MODULE },
      { output: "last", batchSize: 1, seed },
    );
    for (let k = 0; k <= MODULES; k++) {
      toEpoch(solver, k * EPOCHS_PER_MODULE);
      gaps[k].push(solver.best.value ?? Number.NaN); // F* = 0
    }
  }
  return { name, gaps: gaps.map(mean) };
}

/** The factor of a module: e to the slope of log(F − F*) by least squares, where it is above rounding; and R². */
function rateOf({ gaps }: Linear): { readonly rho: number; readonly fit: number } {
  const logs = gaps.map((gap, k) => [k, Math.log(gap)] as const).filter(([k]) => gaps[k] > 1e-20 * gaps[0]);
  const mx = mean(logs.map(([x]) => x));
  const my = mean(logs.map(([, y]) => y));
  const xx = logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  const xy = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  const yy = logs.reduce((sum, [, y]) => sum + (y - my) ** 2, 0);
  return { rho: Math.exp(xy / xx), fit: (xy * xy) / (xx * yy) };
}

const ordinals = [sublinear("ste"), sublinear("tste")];
const slopes = ordinals.map(({ loss, squares }) => ({
  loss,
  ...powerLaw(EPOCHS.map((epochs, at) => [epochs, squares[at]] as const)),
}));
const linears = [linear("equations", equations()), linear("sines", sines())];
const rates = linears.map((each) => ({ name: each.name, ...rateOf(each) }));
const isBelow = Object.fromEntries(
  ordinals.map(({ loss, squares, bounds }) => [
    `the bound of theorem 2 under ${loss}`,
    squares.every((square, at) => square <= bounds[at]),
  ]),
);
const isSublinear = Object.fromEntries(
  slopes.map(({ loss, exponent, error }) => [
    `1/T or faster under ${loss}`,
    exponent <= -1 + 2 * (Number.isFinite(error) ? error : 0),
  ]),
);
const isLinear = Object.fromEntries(
  rates.map(({ name, rho, fit }) => [`a linear rate on ${name}`, rho < 1 && fit > 0.9]),
);

writeReport(
  {
    paper: "svrg",
    name: "rates",
    title: "Rates of convergence",
    claim:
      "Theorem 2: the squared gradient at an iterate drawn evenly from all falls as 1/T in expectation, and stays below 4 (f(x₀) − f*) / (T b η). Theorem 3: under the Polyak-Łojasiewicz inequality F − F* falls by a factor with every module.",
    data: `${ANSWERS} drawn answers on ${OBJECTS} objects in the plane, from a normal start; 200 squares of equations in 40 unknowns of rank 15, solvable; the paper's x² + 3 sin² x in 10 coordinates, its terms pulled to both sides.`,
    method: `SVRG-SBB with b = 1, m = N and ε = ${EPSILON}/n; \`output: "random"\`. Of f* the bound knows that it is at least 0. Modules (\`modularSvrg\`) of ${EPOCHS_PER_MODULE} epochs, from their last iterates. Slopes by least squares on logarithms.`,
    repeats: `Means of ${draws} runs (seeds from 0).`,
    clock: "none",
    findings: [
      `${verdict({ ...isBelow, ...isSublinear, ...isLinear })} The exponents of T are ${slopes.map(({ loss, exponent }) => `${exponent.toFixed(2)} (${loss})`).join(" and ")}; the factors of a module ${rates.map(({ name, rho }) => `${rho.toExponential(1)} (${name})`).join(" and ")}.`,
    ],
    tables: [
      {
        title: "Theorem 2",
        columns: ["T / m", ...ordinals.flatMap(({ loss }) => [`‖∇f‖², ${loss}`, `bound, ${loss}`])],
        rows: EPOCHS.map((epochs, at) => [
          epochs,
          ...ordinals.flatMap(({ squares, bounds }) => [
            squares[at].toExponential(2),
            bounds[at].toExponential(2),
          ]),
        ]),
      },
      {
        title: "Theorem 3",
        columns: ["module", ...linears.map(({ name }) => `F − F*, ${name}`)],
        rows: Array.from({ length: MODULES + 1 }, (_, k) => [
          k,
          ...linears.map(({ gaps }) => gaps[k].toExponential(2)),
        ]),
      },
    ],
    figures: [
      {
        name: "rates",
        caption: "Left: the squared gradient at the drawn iterate, and its bound. Right: F − F* by modules.",
        svg: chartSvg("Rates of convergence", [
          {
            title: "theorem 2",
            xTitle: "log₂ of epochs",
            yTitle: "‖∇f(x_out)‖²",
            logarithmic: true,
            series: ordinals.flatMap(({ loss, squares, bounds }) => [
              { name: loss, points: squares.map((square, at) => [Math.log2(EPOCHS[at]), square] as const) },
              {
                name: `bound, ${loss}`,
                points: bounds.map((bound, at) => [Math.log2(EPOCHS[at]), bound] as const),
              },
            ]),
          },
          {
            title: "theorem 3",
            xTitle: "module",
            yTitle: "F − F*",
            logarithmic: true,
            series: linears.map(({ name, gaps }) => ({
              name,
              points: gaps.flatMap((gap, k) => (gap > 0 ? [[k, gap] as const] : [])),
            })),
          },
        ]),
      },
    ],
  },
  isQuick,
);
