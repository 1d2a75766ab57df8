/**
 * An objective along a line, φ(α) = f(x + α p), with all the arrays that a line search needs. It is made once per
 * solver and reused, and it is also where a search leaves its result: the accepted trial.
 *
 * Every trial computes value and gradient in one call. For the objectives here the gradient comes nearly free with
 * the value, the accepted trial needs it anyway, and a search that sees φ′ needs fewer trials.
 *
 * | symbol       | field           | shape |
 * |--------------|-----------------|-------|
 * | x, f(x)      | x, value        | n, 1  |
 * | ∇f(x)        | gradient        | n     |
 * | p            | p               | n     |
 * | φ′(0)        | slope           | 1     |
 * | α            | alpha           | 1     |
 * | x + α p      | trialX          | n     |
 * | φ(α), φ′(α)  | trialValue, trialSlope | 1 |
 * | ∇f(x + α p)  | trialGradient   | n     |
 */
import { CurvatureError, dot, shown } from "@curvature/linalg";
import type { Objective } from "../problem.js";
import { float64, number, stateIn, whole } from "../state.js";

export class SearchLine {
  readonly objective: Objective;
  x: Float64Array;
  gradient: Float64Array;
  value = Number.NaN;
  readonly p: Float64Array;
  slope = Number.NaN;
  alpha = 0;
  trialX: Float64Array;
  trialGradient: Float64Array;
  trialValue = Number.NaN;
  trialSlope = Number.NaN;
  /** All evaluations since the start. */
  evaluations = 0;
  readonly state;

  /** @param x - the first point; copied */
  constructor(objective: Objective, x: Float64Array) {
    this.objective = objective;
    this.x = x.slice();
    this.gradient = new Float64Array(x.length).fill(Number.NaN); // an entry that is not written shows
    this.p = new Float64Array(x.length);
    this.trialX = new Float64Array(x.length);
    this.trialGradient = new Float64Array(x.length);
    this.state = stateIn(this, {
      x: float64(this.x),
      gradient: float64(this.gradient),
      value: number(),
      slope: number(),
      evaluations: whole(),
    });
  }

  /** f and ∇f at x. */
  evaluateStart(): void {
    this.value = evaluated(this.objective, this.x, this.gradient);
    this.evaluations++;
  }

  /** φ′(0) = ∇f(x)ᵀp, once p is set. */
  aim(): number {
    this.slope = dot(this.gradient, this.p);
    return this.slope;
  }

  /** A trial at α. False if its value or a gradient entry is not finite: such a trial must not be accepted. */
  evaluate(alpha: number): boolean {
    const { x, p, trialX } = this;
    for (let i = 0; i < x.length; i++) trialX[i] = x[i] + alpha * p[i];
    this.alpha = alpha;
    this.trialValue = evaluated(this.objective, trialX, this.trialGradient);
    this.evaluations++;
    this.trialSlope = dot(this.trialGradient, p); // not finite if a gradient entry is not
    return Number.isFinite(this.trialValue) && Number.isFinite(this.trialSlope);
  }

  /** The trial becomes the point; the old point's arrays serve the next trials. */
  accept(): void {
    [this.x, this.trialX] = [this.trialX, this.x];
    [this.gradient, this.trialGradient] = [this.trialGradient, this.gradient];
    this.value = this.trialValue;
  }
}

/** f(x) and, with an array, its gradient. @throws CurvatureError ERR_ARGUMENT */
export function evaluated(objective: Objective, x: Float64Array, gradient?: Float64Array): number {
  const value: unknown = objective.evaluate(x, gradient);
  if (typeof value === "number") return value;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `The objective's evaluate must return a number; received ${shown(value)}. An objective that computes asynchronously is a SumOfFunctions.`,
    { path: "evaluate", expected: "a number", received: value },
  );
}
