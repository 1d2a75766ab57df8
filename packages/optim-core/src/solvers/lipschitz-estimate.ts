/**
 * L, a Lipschitz constant of the gradients of subfunctions, estimated as steps go, so that a step needs no length from the
 * user: f, with the gradient g at x, is evaluated once more, at x − g/L.
 *
 *   while f(x − g/L) > f(x) − ‖g‖²/(2L):  L ← 2 L          before the next: L ← 2^(−1/n) L, n steps to a pass
 *
 * A step along another direction d is tried as it is made: while f(x − d/L) > f(x) − (gᵀd − ½ ‖d‖²)/L, the bound of which the one
 * above is a case, and which a gradient with the constant L keeps to along any d.
 *
 * Schmidt, Le Roux, Bach: Minimizing finite sums with the stochastic average gradient. Math. Program. 162 (2017) 83-112,
 * section 4.6. Differs from it: the first L is not 1 but ‖g‖/max(1, ‖x‖), a trial of x's own length, so that F may be in any
 * unit; a value may be off by its rounding; where g = 0 nothing is learned, and L stays. With an L for each
 * subfunction the step is by the largest: a common one is too small by the time that a steep subfunction has its turn.
 */
import { exp, maxAbs } from "@curvature/linalg";
import { noiseOf } from "../line-search/noise.js";
import { float64, number, stateOf } from "../state.js";

/** Of one step: 2^100 is further than a step can be from right and still be finite. */
const DOUBLINGS = 100;

export class LipschitzEstimate {
  readonly state;
  private readonly relaxation: number;
  /** Which L the step under way is about, and what it is. */
  private which = 0;
  private tried = 0;
  private value = 0;
  private gradientNorm = 0;
  private gain = 1;
  private doublings = 0;

  /**
   * @param steps - n, the steps in a pass for each L
   * @param count - of L: one for all subfunctions, or one for each
   */
  constructor(steps: number, count = 1) {
    this.relaxation = exp(-Math.LN2 / steps);
    this.state = stateOf({
      /** L as of the last step with a gradient that was not 0; 0 before there is one. */
      constants: float64(new Float64Array(count)),
      largest: number(0),
    });
  }

  /** 1 over the largest L, for the step itself; 0 before there is one. */
  get step(): number {
    return stepOf(this.state.largest);
  }

  /** 1/L, for the trial before it. */
  get trialStep(): number {
    return stepOf(this.tried);
  }

  /**
   * Takes f(x), ‖g‖ and ‖x‖; returns whether a trial is wanted.
   *
   * @param gain - (gᵀd − ½ ‖d‖²) / (½ ‖g‖²), of a trial along d
   */
  begin(value: number, gradientNorm: number, pointNorm: number, which = 0, gain = 1): boolean {
    const { constants, largest } = this.state;
    this.which = which;
    this.value = value;
    this.gradientNorm = gradientNorm;
    this.gain = gain;
    this.doublings = 0;
    if (constants[which] > 0) this.tried = constants[which] * this.relaxation;
    else this.tried = largest > 0 ? largest : gradientNorm / Math.max(1, pointNorm);
    return gradientNorm > 0 && this.trialStep > 0;
  }

  /** Takes the value of a trial; returns whether another one is wanted. */
  isTooLong(trialValue: number): boolean {
    const { value, gradientNorm, tried, gain } = this;
    const decrease = gradientNorm * (gradientNorm / tried) * 0.5 * gain;
    const noise = noiseOf(Number.EPSILON, value, 0);
    if (trialValue <= value - decrease + noise || this.doublings === DOUBLINGS) {
      this.take();
      return false;
    }
    this.doublings++;
    this.tried *= 2;
    return true;
  }

  private take(): void {
    const { state, which, tried } = this;
    const before = state.constants[which];
    state.constants[which] = tried;
    if (tried >= state.largest) state.largest = tried;
    else if (before === state.largest) state.largest = maxAbs(state.constants);
  }
}

/** 0 where L is so small that it has no reciprocal. */
function stepOf(constant: number): number {
  const step = 1 / constant;
  return Number.isFinite(step) ? step : 0;
}
