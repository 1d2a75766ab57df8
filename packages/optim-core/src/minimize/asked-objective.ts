/**
 * A function as people write it, as an objective of the solvers: points arranged as the first one is, values and gradients
 * checked, gradients by differences where it gives none, every call counted, and promises waited for.
 *
 * Solvers evaluate at once. Where an answer is a promise, `evaluate` throws a `Waiting` that has it; who drives the solver waits,
 * brings it back to where its step began, and makes the step again: what was answered in it is answered from memory.
 */
import { isPromise } from "../event-loop.js";
import { fingerprintOf } from "../hash.js";
import { pointWritten } from "../line-search/evaluated.js";
import type { Objective } from "../problem.js";
import type { Outcome } from "../solver.js";
import type { InverseHessian } from "../solvers/lbfgs-memory.js";
import { part, stateIn, whole } from "../state.js";
import { type Asking, Differences, REPEATS } from "./differences.js";
import { badAnswer, isJoint } from "./joint.js";
import { estimateNoise } from "./noise-estimate.js";
import type { Arrangement, Given, Parameters } from "./parameters.js";

/** A function of the caller's, with what was given beside it. */
export interface Asked<P extends Parameters> {
  readonly arrangement: Arrangement<P>;
  readonly f: Objective | ((x: Given<P>) => unknown);
  readonly gradient: ((x: unknown) => unknown) | undefined;
  readonly hessianVector: ((x: unknown, v: unknown) => unknown) | undefined;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Where gradients come from: from f itself, from a function of their own, from differences of f. */
export type GradientSource = "objective" | "gradient" | "differences";

/** Thrown in the place of an answer that is not there yet. */
export class Waiting extends Error {
  constructor(readonly answer: Promise<void>) {
    super("An answer is waited for.");
  }
}

interface Evaluation {
  readonly value: number;
  readonly gradient: Float64Array | undefined;
}

/** One that a step can be made again with, and the curvatures that were known after it. */
interface Remembered extends Evaluation {
  readonly curvatures: Float64Array;
}

/** Work that asks for answers, which may be promises of them. */
type Work<T> = Generator<unknown, T, unknown>;

/** What is learned of f at the first point. */
export interface Meeting {
  /** f there. */
  readonly value: number;
  /** ε, the relative error of the values. */
  readonly valueNoise: number;
  /** f at the first point, and once more, where they differ. */
  readonly unlike: readonly [number, number] | undefined;
}

export class AskedObjective<P extends Parameters> implements Objective {
  readonly dimension: number;
  readonly fingerprint: string;
  readonly hessianVector?: (x: Float64Array, v: Float64Array, out: Float64Array) => void;
  source: GradientSource = "objective";
  /** Calls of f so far, and those that gave a gradient. */
  evaluations = 0;
  gradientEvaluations = 0;
  /** Calls of f that are allowed. */
  limit = Number.POSITIVE_INFINITY;
  /** Whether an answer was a promise. */
  hasWaited = false;
  readonly state;
  readonly differences: Differences;
  /** f at the first point, for which the solver asks once more. */
  private first: { readonly x: Float64Array; readonly evaluation: Evaluation } | undefined;
  /** Of the step at hand, by their place in it. */
  private readonly answers = new Map<number, Remembered>();
  private curvaturesBefore = new Float64Array(0);
  private place = 0;
  private mayRepeat = true;

  constructor(private readonly asked: Asked<P>) {
    const { arrangement, f, hessianVector, lower, upper } = asked;
    const n = arrangement.start.length;
    this.dimension = n;
    const named = typeof f === "object" ? f.fingerprint : undefined;
    this.fingerprint = named ?? fingerprintOf("minimize", n);
    const product = typeof f === "object" ? f.hessianVector?.bind(f) : undefined;
    if (product !== undefined) this.hessianVector = (x, v, out) => product(x.slice(), v.slice(), out);
    else if (hessianVector !== undefined)
      this.hessianVector = (x, v, out) => {
        const answer = hessianVector(arrangement.arranged(x), arrangement.arranged(v));
        arrangement.flat("hessianVector(x, v)", answer, out);
      };
    this.differences = new Differences(lower, upper);
    this.state = stateIn(this, {
      evaluations: whole(),
      gradientEvaluations: whole(),
      differences: part(this.differences),
    });
  }

  /**
   * Calls f at the first point, to see what it gives.
   *
   * @param x - the first point, within the bounds
   * @param valueNoise - left out: estimated where gradients are differences
   * @throws CurvatureError ERR_ARGUMENT or ERR_SHAPE for what is no answer
   */
  async meet(x: Float64Array, valueNoise: number | undefined): Promise<Meeting> {
    const meeting = driven(this.meeting(x, valueNoise));
    this.hasWaited = isPromise(meeting);
    return meeting;
  }

  private *meeting(x: Float64Array, given: number | undefined): Work<Meeting> {
    const { gradient, lower, upper } = this.asked;
    const evaluation = yield* this.call(x, true);
    const { value } = evaluation;
    this.first = { x: x.slice(), evaluation };
    if (evaluation.gradient === undefined) this.source = gradient === undefined ? "differences" : "gradient";
    if (this.source !== "differences" || given !== undefined || !Number.isFinite(value))
      return { value, valueNoise: this.exactTo(given ?? Number.EPSILON), unlike: undefined };
    const valueNoise = this.exactTo(yield* this.values(estimateNoise(x, value, lower, upper)));
    if (valueNoise === Number.EPSILON) return { value, valueNoise, unlike: undefined };
    const again = (yield* this.call(x, false)).value;
    return { value, valueNoise, unlike: Object.is(again, value) ? undefined : [value, again] };
  }

  private exactTo(valueNoise: number): number {
    this.differences.valueNoise = valueNoise;
    return valueNoise;
  }

  /** Differences see less than gradients do: what is to be said of an end that they have led to. */
  judged(outcome: Outcome): Outcome {
    if (this.source !== "differences") return outcome;
    const { status, message, test } = outcome;
    if (status === "converged" && test?.value === 0 && this.differences.isFlat)
      return {
        ...{ status: "stalled", test },
        message:
          "Around this point f is the same along an axis, to its last digit: nothing shows where it falls. Start elsewhere, or from several starts, or give a gradient.",
      };
    if (status !== "stalled") return outcome;
    return {
      ...outcome,
      message: `${message} The gradient is by differences here: one of its own may lead on.`,
    };
  }

  /** The step of the differences. */
  resolution(i: number): number {
    return this.source === "differences" ? this.differences.steps[i] : 0;
  }

  /** v / the curvatures along the axes, which differences bring along; undefined where there are none. */
  get inverseHessian(): InverseHessian | undefined {
    const { curvatures } = this.differences;
    if (this.source !== "differences") return undefined;
    return (v, out) => {
      for (let i = 0; i < v.length; i++) out[i] = v[i] / curvatures[i];
    };
  }

  /** Calls of f for one value with a gradient, where no difference is repeated. */
  get cost(): number {
    return this.source === "differences" ? 2 * this.dimension + 1 : 1;
  }

  /** A new step begins. @returns how many evaluations the solver may make in it */
  beginStep(): number {
    this.place = 0;
    this.answers.clear();
    if (this.hasWaited) this.curvaturesBefore = this.differences.curvatures.slice();
    const left = this.limit - this.evaluations;
    const most = this.source === "differences" ? 2 * this.dimension * (1 + REPEATS) + 1 : 1;
    this.mayRepeat = left >= most;
    return Math.floor(left / (this.mayRepeat ? most : this.cost));
  }

  /** The same step once more. */
  beginAgain(): void {
    this.place = 0;
    if (this.curvaturesBefore.length > 0) this.differences.curvatures.set(this.curvaturesBefore);
  }

  /** @throws Waiting; CurvatureError ERR_ARGUMENT or ERR_SHAPE for what is no answer; whatever the caller's functions throw */
  evaluate(x: Float64Array, gradient?: Float64Array): number {
    const place = this.place++;
    const remembered = this.answers.get(place);
    if (remembered !== undefined) this.differences.curvatures.set(remembered.curvatures);
    const answer = remembered ?? driven(this.evaluation(x.slice(), gradient !== undefined));
    if (isPromise(answer)) {
      this.hasWaited = true;
      throw new Waiting(answer.then((evaluation) => this.remember(place, evaluation)));
    }
    if (remembered === undefined && this.hasWaited) this.remember(place, answer);
    if (answer.gradient !== undefined) gradient?.set(answer.gradient);
    return answer.value;
  }

  private remember(place: number, evaluation: Evaluation): void {
    this.answers.set(place, { ...evaluation, curvatures: this.differences.curvatures.slice() });
  }

  private *evaluation(x: Float64Array, wantsGradient: boolean): Work<Evaluation> {
    const { first, asked, source, differences } = this;
    const isFirst = first?.x.every((entry, i) => entry === x[i]);
    this.first = undefined;
    const evaluation =
      first !== undefined && isFirst === true ? first.evaluation : yield* this.call(x, wantsGradient);
    const { value } = evaluation;
    if (!wantsGradient || evaluation.gradient !== undefined) return evaluation;
    const gradient = new Float64Array(x.length).fill(Number.NaN);
    if (asked.gradient !== undefined && source === "gradient") {
      const answer = yield asked.gradient(asked.arrangement.arranged(x));
      this.gradientEvaluations++;
      asked.arrangement.flat("gradient(x)", answer, gradient);
    } else if (source === "objective") {
      throw badAnswer("minimize", "an object { value, gradient }, as at the first point", value);
    } else if (Number.isFinite(value)) {
      yield* this.values(differences.gradient(x, value, gradient, this.mayRepeat));
    }
    return { value, gradient };
  }

  /** One call of f. */
  private *call(x: Float64Array, wantsGradient: boolean): Work<Evaluation> {
    const { f, arrangement } = this.asked;
    const gradient = new Float64Array(x.length).fill(Number.NaN); // an entry that is not written shows
    if (typeof f === "object") {
      const shown = x.slice();
      const value = yield f.evaluate(shown, wantsGradient ? gradient : undefined);
      const written = shown.findIndex((entry, i) => entry !== x[i]);
      if (written >= 0) throw pointWritten(written);
      if (typeof value !== "number") throw badAnswer("minimize", "a number", value);
      this.evaluations++;
      if (wantsGradient) this.gradientEvaluations++;
      return { value, gradient: wantsGradient ? gradient : undefined };
    }
    const answer = yield f(arrangement.arranged(x));
    this.evaluations++;
    if (typeof answer === "number") return { value: answer, gradient: undefined };
    if (!isJoint(answer)) throw badAnswer("minimize", "a number, or an object { value, gradient }", answer);
    this.gradientEvaluations++;
    arrangement.flat("f(x).gradient", answer.gradient, gradient);
    return { value: answer.value, gradient };
  }

  /** Gives the values that are asked for. */
  private *values<T>(asking: Asking<T>): Work<T> {
    let next = asking.next();
    while (next.done !== true) next = asking.next((yield* this.call(next.value, false)).value);
    return next.value;
  }
}

/** The work's end; a promise of it if an answer is one. */
function driven<T>(work: Work<T>): T | Promise<T> {
  let next = work.next();
  while (next.done !== true) {
    const { value } = next;
    if (isPromise(value)) return drivenOn(work, value);
    next = work.next(value);
  }
  return next.value;
}

async function drivenOn<T>(work: Work<T>, first: Promise<unknown>): Promise<T> {
  let next = work.next(await first);
  while (next.done !== true) next = work.next(await next.value);
  return next.value;
}
