import {
  Bfgs,
  ConjugateGradient,
  driveSum,
  GradientDescent,
  HessianFree,
  type InverseHessian,
  Lbfgs,
  Lbfgsb,
  type LbfgsOptions,
  type Objective,
  type Solver,
  TrustNewton,
} from "@curvature/optim-core";
import { type ConformanceCase, solverConformance } from "@curvature/optim-core/conformance";
import { describe, test } from "vitest";
import { Incremental, separable } from "./incremental.js";
import { quadratic, rosenbrock, rosenbrockStart } from "./problems.js";

const bytesInUse = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

type Make = (objective: Objective, x: Float64Array, valueNoise?: number) => Solver;

const descent = (name: string, make: Make): ConformanceCase => ({
  name,
  createOn: make,
  create: (_, faults) => make(faults.objective(rosenbrock(20)), rosenbrockStart(20)),
  createTiny: () => make(quadratic(1, 3), Float64Array.of(5)),
  bytesInUse,
  ...(bits[name] === undefined ? {} : { bits: bits[name] }),
});

/** The bits after 40 steps, the same on every engine; Node 20 and 24 gave them. A change of them is a change of results. */
const bits: Readonly<Record<string, string>> = {
  "gradient descent": "fd5c56666e5dfbfabf161707ee683738",
  "conjugate gradients": "57df5cfc845fdde75a3f34998f00b5d3",
  "conjugate gradients, restarted every 3": "0727250f220a31256970b483e0091f05",
  "L-BFGS": "8dd4ddd5fe581b2c7204e10e84a75643",
  "L-BFGS, memory 2, weak Wolfe": "b16ae0aeb9598ab65e7cbbdf0802edc0",
  "L-BFGS, Armijo, unit first step": "691bf8e11f4c8e61eefec57fa73eab09",
  "L-BFGS with an inverse Hessian": "046a6c3bb9fa12b0be9a55dc942b2ffa",
};

const lbfgs =
  (options: LbfgsOptions): Make =>
  (f, x, valueNoise) =>
    new Lbfgs(f, x, { ...options, valueNoise });

const decaying: InverseHessian = (v, out) => {
  for (let i = 0; i < v.length; i++) out[i] = v[i] / (1 + i);
};

const cases = [
  descent("gradient descent", (f, x, valueNoise) => new GradientDescent(f, x, { valueNoise })),
  descent("conjugate gradients", (f, x, valueNoise) => new ConjugateGradient(f, x, { valueNoise })),
  descent(
    "conjugate gradients, restarted every 3",
    (f, x, valueNoise) => new ConjugateGradient(f, x, { restartEvery: 3, valueNoise }),
  ),
  descent("L-BFGS", lbfgs({})),
  descent("L-BFGS, memory 2, weak Wolfe", lbfgs({ memory: 2, lineSearch: "weak-wolfe" })),
  descent("L-BFGS, Armijo, unit first step", lbfgs({ lineSearch: "armijo", firstStep: "unit" })),
  descent("BFGS", (f, x, valueNoise) => new Bfgs(f, x, { valueNoise })),
  descent(
    "BFGS from an inverse Hessian",
    (f, x, valueNoise) => new Bfgs(f, x, { valueNoise, inverseHessian: decaying }),
  ),
  descent("Newton in a trust region", (f, x, valueNoise) => new TrustNewton(f, x, { valueNoise })),
  descent("L-BFGS with an inverse Hessian", lbfgs({ inverseHessian: decaying })),
];

/** Its values become denormal before the gradient is zero. */
const parabola: Objective = {
  dimension: 2,
  evaluate(x, gradient) {
    gradient?.set([x[0], 9 * x[1]]);
    return 0.5 * (x[0] * x[0] + 9 * x[1] * x[1]);
  },
};

/** Solvers that come to their end within the steps that the suite compares. */
const ending = descent("L-BFGS that ends", lbfgs({}));
const short: ConformanceCase = {
  ...ending,
  create: (_, faults) => new Lbfgs(faults.objective(parabola), Float64Array.of(3, 4)),
};

/** A look for an end in which an evaluation may throw, and may be interrupted. */
const looking = (name: string, make: Make): ConformanceCase => {
  const { bytesInUse: _, createTiny: __, createOn: ___, ...given } = descent(name, make);
  const shifted: Objective = { ...parabola, evaluate: (x, g) => 1 + parabola.evaluate(x, g) };
  return { ...given, create: (_seed, faults) => make(faults.objective(shifted), Float64Array.of(3, 4)) };
};
const lookers = [
  looking("gradient descent that looks for its end", (f, x) => new GradientDescent(f, x)),
  looking("conjugate gradients that look for their end", (f, x) => new ConjugateGradient(f, x)),
  looking("BFGS that looks for its end", (f, x) => new Bfgs(f, x)),
  looking("Newton in a trust region that looks for its end", (f, x) => new TrustNewton(f, x)),
  looking("L-BFGS that looks for its end", (f, x) => new Lbfgs(f, x)),
  looking("L-BFGS-B that looks for its end", (f, x) => new Lbfgsb(f, x, { lower: -9 })),
];

const free = Number.NEGATIVE_INFINITY;
const hessianFree = descent("Hessian-free", (f, x, valueNoise) => new HessianFree(f, x, { valueNoise }));
const lbfgsb = descent(
  "L-BFGS-B without bounds",
  (f, x, valueNoise) => new Lbfgsb(f, x, { lower: free, valueNoise }),
);

const sums: readonly ConformanceCase[] = [1, 3].map((concurrency) => ({
  name: `a driven solver of sums, ${concurrency} at once`,
  create: (_, faults) =>
    driveSum(new Incremental(6, new Float64Array(6).fill(9), 6), faults.sum(separable(6)), { concurrency }),
  createTiny: () => driveSum(new Incremental(1, Float64Array.of(9), 1), separable(1)),
  bytesInUse,
}));

for (const given of [...cases, short, ...lookers, lbfgsb, hessianFree, ...sums])
  describe(given.name, () => {
    for (const { name, check } of solverConformance(given)) test(name, check);
  });
