/**
 * Every solver of the packages that applies to a finite sum. Those with a number to tune have a grid, in units of the
 * curvature at the start, of which the best counts; the others run with their defaults.
 */
import {
  ConjugateGradient,
  createSumSolver,
  driveSum,
  GradientDescent,
  HessianFree,
  Lbfgs,
  type Solver,
} from "@curvature/optim-core";
import { Sfo } from "@curvature/optim-sfo";
import { createLinearSolver, type LinearSolverOptions } from "@curvature/optim-sgdqn";
import { Svrg, type SvrgOptions } from "@curvature/optim-svrg";
import { type FiniteSum, inMinibatches } from "./objectives.ts";

export interface Contestant {
  readonly name: string;
  /** Solvers by setting; of one, "" is its setting. */
  readonly grid: readonly { readonly setting: string; start(seed: number): Solver<unknown> }[];
}

/** Parts of a sum over rows for methods that keep something for each. */
const MINIBATCHES = 50;

/**
 * Curvature of F along its gradient at the start, and at least ‖g‖²/(2 F), below which no F ≥ 0 with gradients that are
 * Lipschitz can lie: where F is piecewise linear there is no curvature to measure.
 */
function curvature({ whole, start }: FiniteSum): number {
  const gradient = new Float64Array(start.length);
  const F = whole.evaluate(start, gradient);
  const norm = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
  const step = 1e-4 / norm;
  const beside = new Float64Array(start.length);
  whole.evaluate(
    start.map((x, k) => x - step * gradient[k]),
    beside,
  );
  const change = Math.sqrt(beside.reduce((sum, g, k) => sum + (g - gradient[k]) ** 2, 0));
  return Math.max(change / (step * norm), F > 0 ? norm ** 2 / (2 * F) : 0, 1e-8);
}

export function contestantsFor(problem: FiniteSum): Contestant[] {
  const { sum, whole, start, linear } = problem;
  const few = inMinibatches(sum, MINIBATCHES);
  const L = curvature(problem);
  const one = (name: string, begin: (seed: number) => Solver<unknown>): Contestant => ({
    name,
    grid: [{ setting: "", start: begin }],
  });
  const tuned = (
    name: string,
    numbers: readonly number[],
    begin: (number: number, seed: number) => Solver<unknown>,
  ): Contestant => ({
    name,
    grid: numbers.map((number) => ({ setting: number.toPrecision(2), start: (seed) => begin(number, seed) })),
  });
  const named = (name: string, of: FiniteSum["sum"], seed: number): Solver<unknown> =>
    createSumSolver(name, of, start, { seed });
  const svrg = (options: SvrgOptions): Solver<unknown> =>
    new Svrg(sum, start, { output: "last", ...options });
  const linearSolver = (name: string, options: LinearSolverOptions): Contestant[] =>
    linear === undefined
      ? []
      : [one(name, (seed) => createLinearSolver(linear, { maxPasses: 1000, seed, ...options }))];
  const steps = [1, 10, 100].map((factor) => factor / L);
  const rates = [1e-3, 1e-2, 1e-1];
  return [
    one("SFO", (seed) => driveSum(new Sfo(few, start, { seed }), few)),
    one("SVRG-SBB", (seed) => svrg({ stepRule: "sbb", seed })),
    one("SVRG-SBB 0", (seed) => svrg({ stepRule: "sbb", epsilon: 0, seed })),
    one("SVRG-BB", (seed) => svrg({ stepRule: "bb", seed })),
    tuned("SVRG, fixed step", steps, (initialStep, seed) => svrg({ stepRule: "fixed", initialStep, seed })),
    ...linearSolver("SGD-QN", { solver: "sgdqn" }),
    ...linearSolver("SVMSGD2", { solver: "svmsgd2" }),
    ...linearSolver("averaged SGD", { solver: "asgd" }),
    ...linearSolver("online L-BFGS", { solver: "olbfgs" }),
    ...linearSolver("dual coordinate descent", { solver: "dcd", tolerance: 1e-12 }),
    ...linearSolver("Newton", { solver: "newton", tolerance: 1e-12 }),
    one("L-BFGS", () => new Lbfgs(whole, start)),
    one("nonlinear conjugate gradients", () => new ConjugateGradient(whole, start)),
    one("gradient descent", () => new GradientDescent(whole, start)),
    ...(whole.gaussNewtonVector === undefined && whole.hessianVector === undefined
      ? []
      : [one("Hessian-free", () => new HessianFree(whole, start))]),
    one("minibatch L-BFGS", (seed) => named("minibatch-lbfgs", few, seed)),
    tuned("SGD", steps, (step, seed) => named(`sgd:${step}`, sum, seed)),
    tuned(
      "SGD with momentum",
      steps.map((step) => step / 10),
      (step, seed) => named(`momentum:${step}:0.9`, few, seed),
    ),
    tuned("AdaGrad", [1e-2, 1e-1, 1], (rate, seed) => named(`adagrad:${rate}`, few, seed)),
    tuned("Adam", rates, (rate, seed) => named(`adam:${rate}`, few, seed)),
    tuned(
      "SAG",
      [0.1, 1, 10].map((factor) => (factor * L) / few.count),
      (lipschitz, seed) => named(`sag:${lipschitz}`, few, seed),
    ),
  ];
}
