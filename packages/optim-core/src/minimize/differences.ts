/**
 * Gradients by differences of values, with steps that suit the noise of the values and the curvature of the function.
 *
 *   g_i = ((f_a − f) b/a − (f_b − f) a/b) / (b − a),   c_i = 2 ((f_a − f)/a − (f_b − f)/b) / (a − b)
 *
 * with f_a = f(x + a e_i) and f_b: the slope and the curvature at x of the parabola through three values. a = h, b = −h, where
 * the bounds leave room for both; else both on the side that has more.
 *
 *   h_i ← h_i √(T N / (h_i² |c_i|)),   N the noise of f(x),  T = ε^(−1/3)
 *
 * A second difference h²|c| of T N balances what rounding and what the third derivative do to g, and leaves an error of g that
 * hides no decrease above N/T. The second difference comes with the first, so that h costs no evaluations; they are made
 * again only where nothing of f is seen but noise, or where h is larger than f is smooth.
 *
 * Gill, Murray, Saunders, Wright: Computing forward-difference intervals for numerical optimization. SIAM J. Sci. Stat.
 * Comput. 4 (1983) 310-321, whose intervals are tuned once, by forward differences.
 */
import { noiseOf } from "../line-search/noise.js";
import { float64, number, stateIn } from "../state.js";

/** Asks for values at points, one after the other; the points are the asker's. */
export type Asking<T> = Generator<Float64Array, T, number>;

/** Second differences up to this, in units of T N, leave h as it is. */
const HIGH = 10;
/** One above this is of an h beyond which f is another. */
const WILD = 1e3;
/** Below these, in units of N, differences show nothing. */
const [DROWNED_SLOPE, DROWNED_BEND] = [1e4, 1e2];
/** Times that a difference is made again, at most. */
export const REPEATS = 8;
/** h changes by this factor at most, and is this part of |x_i| at most. */
const CHANGE = 30;
const LARGEST = 0.1;

export class Differences {
  /** h_i; 0 before the first gradient. */
  readonly steps: Float64Array;
  /** |c_i| at the last gradient, and no less than what leads |x_i| far along it. */
  readonly curvatures: Float64Array;
  /** |f| where the first gradient was; trials after it may be of any size. */
  first = Number.NaN;
  /** Whether at the last gradient f was the same all along an axis, as far as that reached. */
  isFlat = false;
  /** ε */
  valueNoise = Number.EPSILON;
  readonly state;

  constructor(
    private readonly lower: Float64Array,
    private readonly upper: Float64Array,
  ) {
    this.steps = new Float64Array(lower.length);
    this.curvatures = new Float64Array(lower.length).fill(1);
    this.state = stateIn(this, {
      steps: float64(this.steps),
      curvatures: float64(this.curvatures),
      first: number(),
    });
  }

  /**
   * Writes ∇f(x). Nothing that it remembers changes before the last answer.
   *
   * @param mayRepeat - whether more than two evaluations for a coordinate may be made
   */
  *gradient(x: Float64Array, value: number, out: Float64Array, mayRepeat: boolean): Asking<void> {
    const first = Number.isNaN(this.first) ? Math.abs(value) : this.first;
    const root = rootOf(this.valueNoise);
    const noise = noiseOf(this.valueNoise, value, first) || Number.MIN_VALUE;
    const size = x.reduce((most, xi) => Math.max(most, Math.abs(xi)), 0) || 1;
    const steps = this.steps.slice();
    const curvatures = this.curvatures.slice();
    let isFlat = false;
    for (let i = 0; i < x.length; i++) {
      const scale = Math.abs(x[i]) || size;
      const usual = root * scale;
      const most = Math.max(LARGEST * scale, CHANGE * usual);
      const least = Math.sqrt(this.valueNoise) * Math.abs(x[i]);
      let h = Math.min(Math.max(steps[i] || usual, least), most);
      for (let k = 0; ; k++) {
        const { slope, second } = yield* this.parabola(x, i, value, h);
        out[i] = slope;
        const seen = (second * root) / noise; // in units of T N
        const isSmooth = Number.isFinite(second);
        const isDrowned = Math.abs(slope) * h < DROWNED_SLOPE * noise && second < DROWNED_BEND * noise;
        const suits = isSmooth && !isDrowned && seen <= HIGH;
        const change = isSmooth ? Math.max(1 / Math.sqrt(seen), 1 / CHANGE) : 1 / CHANGE;
        const next = suits ? h : Math.min(Math.max(h * Math.min(change, CHANGE), least), most);
        steps[i] = next;
        const curvature = Math.max(second / (h * h), Math.abs(slope) / scale);
        if (curvature > 0 && curvature < Number.MAX_VALUE) curvatures[i] = curvature;
        const isOfUse = isSmooth && !isDrowned && seen <= WILD;
        if (isOfUse || k === REPEATS || next === h || !mayRepeat) {
          isFlat ||= slope === 0 && second === 0 && this.upper[i] - this.lower[i] >= h;
          break;
        }
        h = next;
      }
    }
    this.isFlat = isFlat;
    this.steps.set(steps);
    this.curvatures.set(curvatures);
    this.first = first;
  }

  /** The parabola through three values along a coordinate: its slope at x, and h² times its curvature. */
  private *parabola(
    x: Float64Array,
    i: number,
    value: number,
    h: number,
  ): Asking<{ readonly slope: number; readonly second: number }> {
    const up = this.upper[i] - x[i];
    const down = x[i] - this.lower[i];
    const [toA, toB] =
      Math.min(up, down) >= 0.5 * h
        ? [Math.min(h, up), -Math.min(h, down)]
        : up > down
          ? [0.5 * Math.min(2 * h, up), Math.min(2 * h, up)]
          : [-0.5 * Math.min(2 * h, down), -Math.min(2 * h, down)];
    const moved = x.slice();
    moved[i] = Math.min(Math.max(x[i] + toA, this.lower[i]), this.upper[i]);
    const a = moved[i] - x[i]; // exact
    const fa = (yield moved) - value;
    moved[i] = Math.min(Math.max(x[i] + toB, this.lower[i]), this.upper[i]);
    const b = moved[i] - x[i];
    const fb = (yield moved) - value;
    if (a === 0 || b === 0 || a === b) return { slope: 0, second: 0 }; // no room between the bounds
    const slope = ((fa * b) / a - (fb * a) / b) / (b - a);
    if (Number.isFinite(slope)) return { slope, second: Math.abs((2 * (fa / a - fb / b)) / (a - b)) * h * h };
    return { slope: Number.isFinite(fa) ? fa / a : fb / b, second: Number.POSITIVE_INFINITY }; // a wall on one side
  }
}

/** ε^(1/3), from below, as a power of two: no engine's cube root. */
function rootOf(epsilon: number): number {
  let root = 1;
  while (root * root * root > epsilon) root /= 2;
  return root;
}
