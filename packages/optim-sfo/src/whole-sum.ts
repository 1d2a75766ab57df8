/**
 * L-BFGS on the whole sum: what `minimizeSum` goes over to where SFO ends, or comes no further.
 *
 *   after `converged`    the minimum is confirmed if two iterations in a row lower F by no more than `tolerance`, or if L-BFGS
 *                        ends as `converged` itself, where its look for an end is cheap (n of at most 50)
 *   after anything else  L-BFGS's own end is the run's
 *
 * The models of a sum are wrong where subfunctions are linear, kinked or flat, and all of them may be wrong together; L-BFGS sees
 * what they add up to. Each of its evaluations is a pass. They may be promises: a step that waits for one is made again, from
 * where it began, once its value is there.
 */
import { axpy } from "@curvature/linalg";
import {
  checkValue,
  type DescentDetails,
  type Iteration,
  isPromise,
  Lbfgs,
  type Outcome,
  type SumOfFunctions,
} from "@curvature/optim-core";
import { boolean, DeclaredSolver, inner, number, stateOf, whole } from "@curvature/optim-core/state";
import { sizeOf } from "./convergence.js";
import type { Sfo } from "./sfo.js";

/** Iterations in a row without a decrease to speak of that confirm a minimum. */
const CALM = 2;
/** Of how few variables L-BFGS's own end is waited for: so many, or a part of the passes so far, of at most so many. */
const FEW = 4;
const SHARE = 0.3;
const MOST = 50;

/** What is known at the point from which it goes on. */
export interface Beginning {
  readonly x: Float64Array;
  /** F where the run began: what is rounding depends on it, too. */
  readonly firstValue: number;
  /** Passes so far. */
  readonly passes: number;
  /** Whether SFO says that this is a minimum. */
  readonly isMinimum: boolean;
}

/** A sum at a point, as far as it was added up before a promise came. */
interface Unfinished {
  readonly x: Float64Array;
  value: number;
  readonly gradient: Float64Array;
  readonly index: number;
  readonly part: Float64Array;
  readonly promise: Promise<number>;
}

/** Leaves L-BFGS's step, which is then made again. */
class OnItsWay extends Error {
  constructor(readonly sum: Unfinished) {
    super("A value is on its way.");
  }
}

export class WholeSum extends DeclaredSolver {
  readonly name = "lbfgs";
  readonly dimension: number;
  readonly fingerprint = "";
  readonly options = {};
  readonly state;
  private readonly lbfgs: Lbfgs;
  private known: { readonly x: Float64Array; readonly value: number; readonly gradient: Float64Array }[] = [];

  /**
   * @param sfo - the mean curvature of its models is that of the first Hessian
   * @param maxPasses - that the run may make in all
   */
  constructor(
    private readonly sfo: Sfo,
    private readonly sum: SumOfFunctions,
    private readonly concurrency: number,
    private readonly tolerance: number,
    private readonly maxPasses: number,
    { x, firstValue, passes, isMinimum }: Beginning,
  ) {
    super();
    this.dimension = sum.dimension;
    const isFew = sum.dimension <= Math.max(FEW, Math.min(MOST, SHARE * passes));
    const evaluate = (at: Float64Array, gradient?: Float64Array): number => this.evaluate(at, gradient);
    this.lbfgs = new Lbfgs({ dimension: sum.dimension, fingerprint: "sum", evaluate }, x, {
      inverseHessian: (v, out) => {
        for (let i = 0; i < v.length; i++) out[i] = v[i] / sfo.meanCurvature;
      },
    });
    this.lbfgs.seeValue(firstValue);
    this.state = stateOf({
      firstValue: number(firstValue),
      passesBefore: number(passes),
      /** Whether calm iterations end it. */
      isConfirming: boolean(isMinimum && !isFew),
      calm: whole(),
      /** F at the point where the last iteration began. */
      value: number(),
      lbfgs: inner(this.lbfgs),
    });
    this.limit();
  }

  get best() {
    return this.lbfgs.best;
  }

  get last() {
    return this.lbfgs.last;
  }

  private limit(): void {
    this.lbfgs.limitWork(Number.POSITIVE_INFINITY, Math.floor(this.maxPasses - this.state.passesBefore));
  }

  /** An iteration of L-BFGS, with its outcome or that of the confirmation. An evaluation is one of all subfunctions. */
  async step(): Promise<Iteration<DescentDetails>> {
    const before = this.lbfgs.save();
    for (;;) {
      try {
        const iteration = this.lbfgs.step();
        this.known = [];
        return { ...iteration, outcome: this.judged(iteration) };
      } catch (reason) {
        this.lbfgs.restore(before);
        if (!(reason instanceof OnItsWay)) {
          this.known = [];
          throw reason;
        }
        this.known.push(await this.finished(reason.sum));
      }
    }
  }

  private judged({
    value = Number.NaN,
    gradientNorm = Number.NaN,
    evaluations,
    outcome,
  }: Iteration<DescentDetails>): Outcome | undefined {
    const { state, tolerance } = this;
    const decrease = state.value - value;
    state.value = value;
    const limit = tolerance * sizeOf(value, state.firstValue);
    const expected = (0.5 * gradientNorm * gradientNorm) / this.sfo.meanCurvature;
    if (outcome?.status === "stalled" && state.isConfirming && expected <= limit)
      return {
        status: "converged",
        message: `The models have no decrease left, and L-BFGS on the whole sum found no lower value; by the mean curvature ${expected.toPrecision(3)} is to be expected, at most ${limit.toPrecision(3)}.`,
        test: { name: "expected decrease", value: expected, limit },
      };
    if (outcome !== undefined) return { ...outcome, message: `L-BFGS on the whole sum: ${outcome.message}` };
    state.calm = decrease <= limit ? state.calm + 1 : 0;
    if (state.isConfirming && state.calm >= CALM)
      return {
        status: "converged",
        message: `The models have no decrease left, and ${CALM} iterations of L-BFGS on the whole sum lowered it by no more than ${limit.toPrecision(3)} each.`,
        test: { name: "decrease", value: decrease, limit },
      };
    const passes = state.passesBefore + evaluations;
    if (passes + 1 <= this.maxPasses) return undefined;
    return {
      status: "max-iterations",
      message: `${passes.toPrecision(3)} passes are made, and no more than ${this.maxPasses} were allowed; L-BFGS on the whole sum has not come to its end.`,
      test: { name: "passes", value: passes, limit: this.maxPasses },
    };
  }

  /** F and its gradient, added up in the order of the indices. */
  private evaluate(x: Float64Array, gradient?: Float64Array): number {
    const found = this.known.find((at) => at.x.every((entry, i) => Object.is(entry, x[i])));
    const at = found ?? this.added({ x: x.slice(), value: 0, gradient: new Float64Array(x.length) });
    gradient?.set(at.gradient);
    if (Number.isNaN(this.state.value)) this.state.value = at.value;
    return at.value;
  }

  private added(at: { readonly x: Float64Array; value: number; readonly gradient: Float64Array }) {
    const { sum } = this;
    for (let index = 0; index < sum.count; index++) {
      const part = new Float64Array(at.x.length).fill(Number.NaN); // an entry that is not written shows
      const value = sum.evaluate(index, at.x, part);
      if (isPromise(value)) throw new OnItsWay({ ...at, index, part, promise: Promise.resolve(value) });
      at.value += checkValue(value, index);
      axpy(1, part, at.gradient);
    }
    return at;
  }

  /** The rest of a sum, `concurrency` subfunctions at once. */
  private async finished(at: Unfinished) {
    const { sum, concurrency } = this;
    const parts = new Map<number, { readonly value: number; readonly part: Float64Array }>();
    let next = at.index + 1;
    let added = at.index;
    const take = (index: number, value: number, part: Float64Array): void => {
      parts.set(index, { value: checkValue(value, index), part });
      for (let found = parts.get(added); found !== undefined; found = parts.get(added)) {
        at.value += found.value;
        axpy(1, found.part, at.gradient);
        parts.delete(added++);
      }
    };
    const goOn = async (): Promise<void> => {
      while (next < sum.count) {
        const index = next++;
        const part = new Float64Array(at.x.length).fill(Number.NaN);
        take(index, await sum.evaluate(index, at.x, part), part);
      }
    };
    const begin = async (): Promise<void> => {
      take(at.index, await at.promise, at.part);
      await goOn();
    };
    const others = Math.min(concurrency, sum.count - at.index) - 1;
    try {
      await Promise.all([begin(), ...Array.from({ length: others }, goOn)]);
    } finally {
      next = sum.count; // after a rejection nothing new is begun
    }
    return at;
  }

  protected override restored(): void {
    this.known = [];
    this.limit();
  }
}
