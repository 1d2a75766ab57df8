/** What `minimize` takes. */
import {
  between,
  callable,
  integerFrom,
  integerOrInfinity,
  nonNegative,
  type OptionsOf,
  object,
  oneOf,
  optionTable,
  positive,
  type SettingsOf,
} from "@curvature/linalg";
import { facadeEntries } from "../facade.js";
import type { Objective } from "../problem.js";
import { type ValidationOptions, validationEntry } from "../validation-options.js";
import type { Given, Like, Parameters, Spread } from "./parameters.js";

/** f(x), or f(x) with ∇f(x) in the arrangement of x. */
export type Value<P> = number | { readonly value: number; readonly gradient: Like<P> };

/** A function to minimise: its value, with its gradient or without, at once or as a promise; or an objective of the solvers. */
export type Minimand<P> = ((x: Given<P>) => Value<P> | Promise<Value<P>>) | Objective;

/** What `minimize` does before it minimises: it looks at what f gives. */
export type MinimizePhase = "first-value";

export const minimizeOptions = optionTable({
  /**
   * "auto": "lbfgsb" where there are bounds; else, up to 200 numbers, "trust-newton" with `hessianVector` and "bfgs" where
   * gradients are differences; else "lbfgs". The result says which.
   */
  method: oneOf("auto", "bfgs", "cg", "gd", "hessian-free", "lbfgs", "lbfgsb", "trust-newton").default(
    "auto",
  ),
  /**
   * `{ lower, upper }`, each of them a number for all, or numbers in the arrangement of the first point; a block that is left
   * out has none. Evaluations stay within, those for differences, too; the first point is moved in.
   */
  bounds: object<{ readonly lower?: unknown; readonly upper?: unknown }>("an object { lower, upper }"),
  /** ∇f(x), in the arrangement of x, where f does not return it itself. Left out: central differences of f. */
  gradient: callable<(x: unknown) => unknown>(),
  /** ∇²f(x) v, both in the arrangement of x. */
  hessianVector: callable<(x: unknown, v: unknown) => unknown>(),
  /** Runs from so many points, the first of them the one given, one after the other; the lowest end is the result. */
  starts: integerFrom(1).default(1),
  /**
   * How far the other starts lie from the first where a number has not two finite bounds, between which they are uniform:
   * the deviation of a normal distribution, in units of the largest |x_i| of the first, or 1 where that is 0.
   */
  spread: positive.default(1),
  /** Of the other starts. */
  seed: integerFrom(0).default(0),
  /**
   * ε, the relative error of the values: 2^-23 for single precision, its tolerance for a simulation. Left out: estimated
   * from seven values where gradients are differences, else that of double precision.
   */
  valueNoise: between(Number.EPSILON, 0.1),
  /** Ends as converged, too, once ‖∇f(x)‖₂ (with bounds that of the projected gradient) is at most this; 0 switches it off. */
  gradientTolerance: nonNegative.default(0),
  /** Of all starts together. */
  maxIterations: integerOrInfinity(1).default(10_000),
  /** Calls of f, those for differences among them; of all starts together. No more are made, but for the first gradient. */
  maxEvaluations: integerOrInfinity(1).default(Number.POSITIVE_INFINITY),
  /**
   * Early stopping, `{ evaluate, patience, every, minDecrease, target }`: every so many iterations `evaluate` gets x in the arrangement of
   * the first point, and the point where it is least is the result. Of a run from one start. See `validationOptions`.
   */
  validation: validationEntry<unknown>(),
  ...facadeEntries<unknown, MinimizePhase>(),
});

export type MinimizeSettings = SettingsOf<typeof minimizeOptions>;
export type MinimizeMethod = Exclude<MinimizeSettings["method"], "auto">;

/** @typeParam P - the arrangement of the first point */
export interface MinimizeOptions<P = Parameters>
  extends Omit<OptionsOf<typeof minimizeOptions>, "bounds" | "gradient" | "hessianVector" | "validation"> {
  readonly bounds?:
    | { readonly lower?: Spread<P> | undefined; readonly upper?: Spread<P> | undefined }
    | undefined;
  readonly gradient?: ((x: Given<P>) => Like<P> | Promise<Like<P>>) | undefined;
  readonly hessianVector?: ((x: Given<P>, v: Given<P>) => Like<P>) | undefined;
  readonly validation?: ValidationOptions<Given<P>> | undefined;
}
