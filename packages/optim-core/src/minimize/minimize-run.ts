/** The work of `minimize`: f is met at the first point, a method is chosen, and its solver is run from each start. */
import { badOption, normal, optionName, RandomGenerator, type Warning } from "@curvature/linalg";
import type { FacadeSteps } from "../facade.js";
import { FacadeRun } from "../facade-run.js";
import { fingerprintOf } from "../hash.js";
import type { RunResult } from "../result.js";
import { type Solver, type SynchronousSolver, withFingerprint } from "../solver.js";
import { Bfgs } from "../solvers/bfgs.js";
import { checkBox } from "../solvers/box.js";
import { ConjugateGradient } from "../solvers/conjugate-gradient.js";
import { GradientDescent } from "../solvers/gradient-descent.js";
import { HessianFree } from "../solvers/hessian-free.js";
import { Lbfgs } from "../solvers/lbfgs.js";
import { Lbfgsb } from "../solvers/lbfgsb.js";
import { TrustNewton } from "../solvers/trust-newton.js";
import type { Status } from "../status.js";
import { maxEvaluations, maxIterations, type StoppingRule } from "../stopping.js";
import { gradientNormBelow } from "../tolerances.js";
import { ValidatedSolver, type ValidationResult } from "../validation.js";
import { AskedObjective, type GradientSource } from "./asked-objective.js";
import { type End, ManyStarts } from "./many-starts.js";
import { MinimizeSolver } from "./minimize-solver.js";
import type { Minimand, MinimizeMethod, MinimizePhase, MinimizeSettings } from "./options.js";
import type { Arrangement, Given, Parameters } from "./parameters.js";

/** Codes of what `warnings` may say. */
export type MinimizeWarningCode =
  /** f gave another value when it was called again at the first point. */
  | "not-repeatable"
  /** A gradient by differences takes more than 1000 evaluations. */
  | "many-differences";

/** An end that several starts may have in common. */
export interface Minimum<P = Parameters> {
  readonly parameters: Given<P>;
  readonly value: number;
  /** How many of the runs have ended there. */
  readonly count: number;
  /** Of the first of them. */
  readonly status: Status;
}

export interface MinimizeResult<P = Parameters> extends RunResult {
  /** `x` in the arrangement of the first point. */
  readonly parameters: Given<P>;
  /** The method that was chosen. */
  readonly method: MinimizeMethod;
  /** Where the gradients came from. */
  readonly gradientSource: GradientSource;
  /** The relative error of the values that the run reckoned with. */
  readonly valueNoise: number;
  /** The distinct ends of the runs that have come to one, the lowest first. */
  readonly minima: readonly Minimum<P>[];
  /** Where the option `validation` was given; `x` is then its best point. */
  readonly validation: ValidationResult | undefined;
  /** See `MinimizeWarningCode`. */
  readonly warnings: readonly Warning[];
  /** Seconds that it took to meet f, and to minimise. */
  readonly phases: Readonly<Record<MinimizePhase | "optimization", number>>;
}

/** Up to so many numbers a method with a whole matrix is chosen. */
const DENSE = 200;
const MANY = 1000;
/** Differences leave an error of the gradient, too: what solvers take for the noise of the values is so much larger then. */
const ALLOWANCE = 8;

export async function* minimized<P extends Parameters>(
  f: Minimand<P>,
  arrangement: Arrangement<P>,
  settings: MinimizeSettings,
): FacadeSteps<unknown, MinimizeResult<P>> {
  const { bounds, gradient, hessianVector } = settings;
  // Pairs, as SciPy takes them, would else bound nothing.
  if (bounds !== undefined && (Array.isArray(bounds) || !("lower" in bounds || "upper" in bounds)))
    throw badOption("minimize", "bounds", "{ lower, upper }, each like the first point", bounds);
  const lower = arrangement.spread("bounds.lower", bounds?.lower, Number.NEGATIVE_INFINITY);
  const upper = arrangement.spread("bounds.upper", bounds?.upper, Number.POSITIVE_INFINITY);
  checkBox("minimize", { lower, upper });
  const isBounded = lower.some(Number.isFinite) || upper.some(Number.isFinite);
  if (isBounded && settings.method !== "auto" && settings.method !== "lbfgsb")
    throw badOption("minimize", "method", '"lbfgsb" or "auto", where there are bounds', settings.method);
  if (settings.validation !== undefined && settings.starts > 1)
    throw badOption("minimize", "starts", "1, where there is a validation", settings.starts);
  const run = new FacadeRun<unknown, MinimizePhase>(settings);

  const starts = startsOf(arrangement.start, lower, upper, settings);
  const asked = new AskedObjective({ arrangement, f, gradient, hessianVector, lower, upper });
  const { value, valueNoise, unlike } = await run.phase("first-value", () =>
    asked.meet(starts[0], settings.valueNoise),
  );
  if (unlike !== undefined)
    run.warn(
      "not-repeatable",
      `At the first point f gives ${unlike[0]} and ${unlike[1]}. Fix its random numbers; until then the result is as exact as f is, about ${valueNoise.toPrecision(2)} of its value.`,
    );
  if (asked.cost > MANY)
    run.warn(
      "many-differences",
      `Each gradient by differences takes ${asked.cost - 1} evaluations. Return { value, gradient } from f, or give ${optionName("gradient")}.`,
    );

  const method = settings.method === "auto" ? chosen(asked, isBounded) : settings.method;
  const told = asked.source === "differences" ? Math.min(ALLOWANCE * valueNoise, 0.1) : valueNoise;
  const many = new ManyStarts(
    starts,
    (x) => solverOf(method, asked, x, lower, upper, told),
    (outcome) => asked.judged(outcome),
  );
  const solver: Solver = withFingerprint(new MinimizeSolver(many, asked), () =>
    fingerprintOf(asked.fingerprint, method, ...starts, lower, upper, valueNoise),
  );
  const { validation } = settings;
  const validated =
    validation &&
    new ValidatedSolver(
      solver,
      { ...validation, evaluate: (x) => validation.evaluate(arrangement.arranged(x)) },
      { unit: "iterations", firstValue: value, where: "minimize" },
    );
  const ended = yield* run.optimize(validated ?? solver, [...rulesOf(settings), ...(validated?.rules ?? [])]);
  const result =
    validated === undefined
      ? { ...ended, validation: undefined }
      : await run.phase("optimization", () => validated.finish(ended));
  return {
    ...result,
    parameters: arrangement.arranged(result.x),
    method,
    gradientSource: asked.source,
    valueNoise,
    minima: distinct(many.ends).map(({ x, ...minimum }) => ({
      parameters: arrangement.arranged(x),
      ...minimum,
    })),
    warnings: run.warnings,
    phases: run.phases("first-value", "optimization"),
  };
}

function rulesOf(settings: MinimizeSettings): readonly StoppingRule[] {
  const { gradientTolerance, ...limits } = settings;
  return [
    ...(gradientTolerance > 0 ? [gradientNormBelow(gradientTolerance)] : []),
    maxIterations(limits.maxIterations),
    maxEvaluations(limits.maxEvaluations),
  ];
}

function chosen<P extends Parameters>(asked: AskedObjective<P>, isBounded: boolean): MinimizeMethod {
  if (isBounded) return "lbfgsb";
  if (asked.dimension > DENSE) return "lbfgs";
  if (asked.hessianVector !== undefined) return "trust-newton";
  return asked.source === "differences" ? "bfgs" : "lbfgs";
}

function solverOf<P extends Parameters>(
  method: MinimizeMethod,
  asked: AskedObjective<P>,
  x: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  valueNoise: number,
): SynchronousSolver {
  switch (method) {
    case "bfgs":
      return new Bfgs(asked, x, { valueNoise, inverseHessian: asked.inverseHessian });
    case "cg":
      return new ConjugateGradient(asked, x, { valueNoise });
    case "gd":
      return new GradientDescent(asked, x, { valueNoise });
    case "hessian-free":
      return new HessianFree(asked, x, { valueNoise });
    case "lbfgs":
      return new Lbfgs(asked, x, { valueNoise });
    case "lbfgsb":
      return new Lbfgsb(asked, x, { lower, upper, valueNoise });
    case "trust-newton":
      return new TrustNewton(asked, x, { valueNoise });
  }
}

/** The first point and the others, all of them within the bounds. */
function startsOf(
  first: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  { starts, spread, seed }: MinimizeSettings,
): readonly Float64Array[] {
  const random = new RandomGenerator(seed);
  const size = first.reduce((most, xi) => Math.max(most, Math.abs(xi)), 0) || 1;
  return Array.from({ length: starts }, (_, k) =>
    first.map((xi, i) => {
      const [l, u] = [lower[i], upper[i]];
      if (k === 0) return Math.min(Math.max(xi, l), u);
      if (Number.isFinite(l) && Number.isFinite(u)) return Math.min(l + random.uniform() * (u - l), u);
      return Math.min(Math.max(xi + spread * size * normal(random), l), u);
    }),
  );
}

/** Ends nearer to each other than this, relatively, are one. */
const [SAME_VALUE, SAME_POINT] = [1e-6, 1e-3];

type Distinct = Omit<Minimum, "parameters"> & { readonly x: Float64Array };

function distinct(ends: readonly End[]): readonly Distinct[] {
  const sorted = ends.filter(({ value }) => Number.isFinite(value)).sort((a, b) => a.value - b.value);
  const found: Distinct[] = [];
  for (const { x, value, outcome } of sorted) {
    const at = found.findIndex((other) => isSame(other, x, value));
    if (at >= 0) found[at] = { ...found[at], count: found[at].count + 1 };
    else found.push({ x, value, count: 1, status: outcome?.status ?? "aborted" });
  }
  return found;
}

function isSame(other: Distinct, x: Float64Array, value: number): boolean {
  const size = x.reduce((most, xi) => Math.max(most, Math.abs(xi)), 0) || 1;
  return (
    Math.abs(value - other.value) <= SAME_VALUE * Math.max(1, Math.abs(other.value)) &&
    x.every((xi, i) => Math.abs(xi - other.x[i]) <= SAME_POINT * size)
  );
}
