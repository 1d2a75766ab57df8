/**
 * The truth about a small linear problem, from no code of the solvers: P at a given point as if it were computed in 106
 * bits, and a point whose P is (nearly) the least.
 *
 * The point is found by Newton's method in 106 bits, the columns shifted by a double near their mean where the bias is
 * free (which the shifted problem's bias takes up exactly), λ brought down by factors of ten, the hinge through smoothed
 * hinges of falling width. That it is the least need not be believed: any point is an upper bound of P*, and its own P is
 * computed as everybody's.
 */
import type { LinearLossName, LinearProblem } from "@curvature/objectives/linear";
import { addProducts, type Doubles, divide, doubles, put, putProduct, putSum, takeRoot } from "./doubles.ts";

export interface Measured {
  readonly value: number;
  /**
   * How far P can lie above `value` if the scores are off by the rounding of the parameters: a solver that knows them
   * better has no way to say so.
   */
  readonly rounding: number;
  /** The same for the rounding of a free bias alone. */
  readonly ofBias: number;
}

export interface Truth {
  /** P at the best point that was found. */
  readonly value: number;
  /** The dual's value there, at most P*: says how near the truth is known. Nothing is judged by it. */
  readonly bound: number;
}

/** Parameters are rounded by half a unit in the last place; twice for sums that a solver makes of them. */
const UNIT = 4 * 2 ** -53;

/** P at parameters w and, after them, b. */
export function measured(problem: LinearProblem, parameters: Float64Array): Measured {
  const { rows, bias, lambda } = problem;
  const { rows: n, columns: d } = rows;
  const X = entriesOf(problem);
  const w: Doubles = { high: parameters, low: new Float64Array(parameters.length) };
  const b = bias === "none" ? 0 : parameters[d];
  const score = doubles(1);
  const offBias = bias === "free" ? 2 ** -53 * Math.abs(b) : 0;
  let risk = 0;
  let rounding = 0;
  let ofBias = 0;
  for (let i = 0; i < n; i++) {
    put(score, 0, b, 0);
    addProducts(score, 0, 1, X, i * d, w, 0, d);
    let size = Math.abs(b);
    for (let j = 0; j < d; j++) size += Math.abs(X.high[i * d + j] * parameters[j]);
    const c = importance(problem, i);
    if (c === 0) continue;
    const y = problem.targets[i];
    const at = (off: number): number => lossAt(problem.loss, score.high[0], score.low[0] + off, y).value;
    const value = at(0);
    const more = (off: number): number => c * Math.max(0, at(-off) - value, at(off) - value);
    risk += c * value;
    rounding += more(UNIT * size);
    if (offBias > 0) ofBias += more(offBias);
  }
  const weights = bias === "regularized" ? parameters : parameters.subarray(0, d);
  let squares = 0;
  for (const weight of weights) squares += weight * weight;
  return { value: 0.5 * lambda * squares + risk / n, rounding: rounding / n, ofBias: ofBias / n };
}

const importance = ({ importances }: LinearProblem, row: number): number => importances?.[row] ?? 1;

/** n x d */
function entriesOf({ rows }: LinearProblem): Doubles {
  const X = doubles(rows.rows * rows.columns);
  if ("data" in rows) X.high.set(rows.data);
  else
    for (let i = 0; i < rows.rows; i++)
      for (let k = rows.rowPointers[i]; k < rows.rowPointers[i + 1]; k++)
        X.high[i * rows.columns + rows.columnIndices[k]] = rows.values[k];
  return X;
}

/** As `LinearLoss` says what it is. */
interface Loss {
  readonly name: LinearLossName;
  readonly width?: number | undefined;
}

interface LossAt {
  readonly value: number;
  /** ∂l/∂s, high and low. */
  readonly slope: number;
  readonly slopeLow: number;
  readonly curvature: number;
}

const pair = doubles(1);

/** The loss at a score of 106 bits. */
function lossAt({ name, width = 1 }: Loss, score: number, scoreLow: number, y: number): LossAt {
  if (name === "squared-error" || name === "huber") {
    putSum(pair, 0, score, -y);
    put(pair, 0, pair.high[0], pair.low[0] + scoreLow);
    const [r, low] = [pair.high[0], pair.low[0]];
    if (name === "huber" && Math.abs(r) > width) {
      const size = Math.abs(r);
      const slope = Math.sign(r) * width;
      return { value: width * (size - 0.5 * width), slope, slopeLow: 0, curvature: 0 };
    }
    return { value: 0.5 * r * r, slope: r, slopeLow: low, curvature: 1 };
  }
  if (name === "logistic") {
    const m = y * score + y * scoreLow;
    const e = Math.exp(-Math.abs(m));
    const value = Math.max(0, -m) + Math.log1p(e);
    const share = (m > 0 ? e : 1) / (1 + e);
    return { value, slope: -y * share, slopeLow: 0, curvature: e / ((1 + e) * (1 + e)) };
  }
  putSum(pair, 0, 1, -y * score);
  put(pair, 0, pair.high[0], pair.low[0] - y * scoreLow);
  const [slack, low] = [pair.high[0], pair.low[0]];
  if (!(slack > 0)) return { value: 0, slope: 0, slopeLow: 0, curvature: 0 };
  if (name === "hinge") return { value: slack, slope: -y, slopeLow: 0, curvature: 0 };
  if (name === "squared-hinge")
    return { value: 0.5 * slack * slack, slope: -y * slack, slopeLow: -y * low, curvature: 1 };
  if (name === "modified-huber")
    return slack > 2
      ? { value: 4 * (slack - 1), slope: -4 * y, slopeLow: 0, curvature: 0 }
      : { value: slack * slack, slope: -2 * y * slack, slopeLow: -2 * y * low, curvature: 2 };
  if (slack >= width) return { value: slack - 0.5 * width, slope: -y, slopeLow: 0, curvature: 0 };
  put(pair, 0, slack, low);
  divide(pair, 0, { high: Float64Array.of(width), low: new Float64Array(1) }, 0);
  const value = (0.5 * slack * slack) / width;
  return { value, slope: -y * pair.high[0], slopeLow: -y * pair.low[0], curvature: 1 / width };
}

/** l*(u) */
function conjugate({ name, width = 1 }: Loss, u: number, y: number): number {
  if (name === "squared-error" || name === "huber") return u * y + 0.5 * u * u;
  const a = -y * u;
  switch (name) {
    case "logistic":
      return (a > 0 ? a * Math.log(a) : 0) + (a < 1 ? (1 - a) * Math.log1p(-a) : 0);
    case "hinge":
      return -a;
    case "squared-hinge":
      return -a + 0.5 * a * a;
    case "smoothed-hinge":
      return -a + 0.5 * width * a * a;
    case "modified-huber":
      return -a + 0.25 * a * a;
  }
}

/** The least P that is known. */
export function truth(problem: LinearProblem): Truth {
  return new Reference(problem).solve();
}

const MOST_STEPS = 60;
/** Where P has all its digits, the slopes may not. */
const MOST_FLAT_STEPS = 6;

class Reference {
  private readonly problem: LinearProblem;
  private readonly n: number;
  /** Parameters: d, and 1 more with a bias. */
  private readonly m: number;
  /** n x m and m x n, the last column 1 with a bias. */
  private readonly X: Doubles;
  private readonly columns: Doubles;
  private readonly w: Doubles;
  private readonly z: Doubles;
  private readonly g: Doubles;
  private readonly s: Doubles;
  private readonly q: Doubles;
  /** c u */
  private readonly u: Doubles;
  /** c l″ */
  private readonly h: Float64Array;
  private readonly scaled: Doubles;
  /** L, row by row, and its transpose. */
  private readonly L: Doubles;
  private readonly T: Doubles;
  private readonly v: Doubles;
  private readonly tried: { readonly w: Doubles; readonly z: Doubles };
  private best = Number.POSITIVE_INFINITY;

  constructor(problem: LinearProblem) {
    this.problem = problem;
    const { rows, bias } = problem;
    const { rows: n, columns: d } = rows;
    const m = d + (bias === "none" ? 0 : 1);
    const given = entriesOf(problem);
    this.n = n;
    this.m = m;
    this.X = doubles(n * m);
    this.columns = doubles(m * n);
    for (let j = 0; j < m; j++) {
      let offset = 0;
      if (bias === "free" && j < d) for (let i = 0; i < n; i++) offset += given.high[i * d + j] / n;
      for (let i = 0; i < n; i++) {
        if (j < d) putSum(this.X, i * m + j, given.high[i * d + j], -offset);
        else put(this.X, i * m + j, 1, 0);
        put(this.columns, j * n + i, this.X.high[i * m + j], this.X.low[i * m + j]);
      }
    }
    [this.w, this.g, this.s, this.v] = [doubles(m), doubles(m), doubles(m), doubles(m)];
    [this.z, this.q, this.u, this.scaled] = [doubles(n), doubles(n), doubles(n), doubles(n)];
    this.h = new Float64Array(n);
    [this.L, this.T] = [doubles(m * m), doubles(m * m)];
    this.tried = { w: doubles(m), z: doubles(n) };
  }

  solve(): Truth {
    const { loss, lambda } = this.problem;
    const isHinge = loss.name === "hinge";
    const first: Loss = isHinge ? { name: "smoothed-hinge", width: 1 } : loss;
    let size = 0;
    for (let k = 0; k < this.X.high.length; k++)
      if (this.penalty(k % this.m, 1) > 0) size += this.X.high[k] * this.X.high[k];
    const start = size / this.n;
    if (lambda < start / 100)
      for (let large = start; large > lambda; large /= 10) this.newton(large, first, 1e-2);
    this.newton(lambda, first, isHinge ? 1e-2 : 0);
    let last = first;
    for (let width = 0.1; isHinge && width > 5e-12; width /= 10) {
      last = { name: "smoothed-hinge", width };
      this.newton(lambda, last, width > 5e-11 ? 1e-3 * width : 0);
    }
    return { value: this.best, bound: this.dual(last) };
  }

  /** n Λ of a parameter. */
  private penalty(j: number, lambda: number): number {
    const isFree = this.problem.bias === "free" && j === this.m - 1;
    return isFree ? 0 : lambda * this.n;
  }

  /** Until half the squared decrement is at most `enough` of P, or no step is lower. */
  private newton(lambda: number, loss: Loss, enough: number): void {
    let value = this.cost(this.w, this.z, lambda, loss);
    let flat = 0;
    for (let step = 0; step < MOST_STEPS; step++) {
      this.differentiate(lambda, loss);
      this.keep();
      this.factorize(lambda);
      this.descend();
      let decrement = 0;
      for (let j = 0; j < this.m; j++) decrement -= this.g.high[j] * this.s.high[j];
      if (!(decrement > 0)) break;
      const isEnough = 0.5 * decrement <= Math.max(enough, 1e-27) * value;
      const before = value;
      value = this.move(value, lambda, loss, enough === 0);
      if (value >= before) flat++;
      if (isEnough || value === before || flat > MOST_FLAT_STEPS) break;
    }
    this.differentiate(lambda, loss);
    this.keep();
  }

  /** n P */
  private cost(w: Doubles, z: Doubles, lambda: number, loss: Loss): number {
    const { problem, m, n } = this;
    let sum = 0;
    for (let j = 0; j < m; j++) sum += 0.5 * this.penalty(j, lambda) * w.high[j] * w.high[j];
    for (let i = 0; i < n; i++) {
      const c = importance(problem, i);
      if (c > 0) sum += c * lossAt(loss, z.high[i], z.low[i], problem.targets[i]).value;
    }
    return sum;
  }

  private multiply(v: Doubles, out: Doubles): void {
    const { n, m } = this;
    for (let i = 0; i < n; i++) {
      put(out, i, 0, 0);
      addProducts(out, i, 1, this.X, i * m, v, 0, m);
    }
  }

  private differentiate(lambda: number, loss: Loss): void {
    const { problem, n, m, z, u, h, g, w } = this;
    for (let i = 0; i < n; i++) {
      const c = importance(problem, i);
      const at = lossAt(loss, z.high[i], z.low[i], problem.targets[i]);
      putProduct(u, i, c, at.slope, at.slopeLow);
      h[i] = c * at.curvature;
    }
    for (let j = 0; j < m; j++) {
      putProduct(g, j, this.penalty(j, lambda), w.high[j], w.low[j]);
      addProducts(g, j, 1, this.columns, j * n, u, 0, n);
    }
  }

  /** P of the problem itself at the point, where it is the least so far. */
  private keep(): void {
    const { lambda, loss } = this.problem;
    this.best = Math.min(this.best, this.cost(this.w, this.z, lambda, loss) / this.n);
  }

  /** D at the slopes of a loss at the last point, brought to Σ c u = 0 where the bias is free. */
  private dual(loss: Loss): number {
    const { problem, n, m, z, u, v } = this;
    const { targets, lambda, bias } = problem;
    const isFree = bias === "free";
    const slopes = Array.from(targets, (y, i) => lossAt(loss, z.high[i], z.low[i], y));
    const [rising, falling] = [1, -1].map((sign) =>
      slopes.reduce((sum, { slope }, i) => sum + Math.max(0, sign * slope) * importance(problem, i), 0),
    );
    // any constant may be taken off the targets of a free bias
    const middle = isFree && this.isRegression ? targets.reduce((sum, y) => sum + y / n, 0) : 0;
    let sum = 0;
    for (const [i, { slope, slopeLow }] of slopes.entries()) {
      const shrink = slope > 0 ? Math.min(1, falling / rising) : Math.min(1, rising / falling);
      if (isFree && slope !== 0) putProduct(v, 0, shrink, slope, slopeLow);
      else put(v, 0, slope, slopeLow);
      const c = importance(problem, i);
      if (c > 0) sum -= c * conjugate(problem.loss, v.high[0], targets[i] - middle);
      putProduct(u, i, c, v.high[0], v.low[0]);
    }
    let squares = 0;
    for (let j = 0; j < m - Number(isFree); j++) {
      put(v, j, 0, 0);
      addProducts(v, j, 1, this.columns, j * n, u, 0, n);
      squares += v.high[j] * v.high[j];
    }
    return sum / n - squares / (2 * lambda * n * n);
  }

  private get isRegression(): boolean {
    return this.problem.loss.task === "regression";
  }

  private factorize(lambda: number): void {
    const { n, m, L, T, h, columns, scaled } = this;
    for (let j = 0; j < m; j++) {
      for (let i = 0; i < n; i++)
        putProduct(scaled, i, h[i], columns.high[j * n + i], columns.low[j * n + i]);
      for (let k = 0; k <= j; k++) {
        put(L, j * m + k, k === j ? this.penalty(j, lambda) : 0, 0);
        addProducts(L, j * m + k, 1, scaled, 0, columns, k * n, n);
      }
    }
    for (let j = 0; j < m; j++) {
      for (let k = 0; k < j; k++) {
        addProducts(L, j * m + k, -1, L, j * m, L, k * m, k);
        divide(L, j * m + k, L, k * m + k);
      }
      const diagonal = L.high[j * m + j];
      addProducts(L, j * m + j, -1, L, j * m, L, j * m, j);
      if (L.high[j * m + j] > 1e-29 * diagonal) takeRoot(L, j * m + j);
      else put(L, j * m + j, 1e150, 0); // no curvature of its own: the parameter stays
      for (let k = 0; k <= j; k++) put(T, k * m + j, L.high[j * m + k], L.low[j * m + k]);
    }
  }

  /** s ← −H⁻¹ g */
  private descend(): void {
    const { m, L, T, s, g } = this;
    for (let j = 0; j < m; j++) {
      put(s, j, -g.high[j], -g.low[j]);
      addProducts(s, j, -1, L, j * m, s, 0, j);
      divide(s, j, L, j * m + j);
    }
    for (let j = m - 1; j >= 0; j--) {
      addProducts(s, j, -1, T, j * m + j + 1, s, j + 1, m - 1 - j);
      divide(s, j, L, j * m + j);
    }
  }

  /** The full step where it lowers P, else as far along it as is best, and b alone after it. @returns n P */
  private move(before: number, lambda: number, loss: Loss, isLast: boolean): number {
    const value = this.along(1, before, lambda, loss, isLast ? 1e-15 : 0);
    if (value !== before) return value;
    this.multiply(this.s, this.q);
    let after = this.along(this.bestLength(lambda, loss), before, lambda, loss);
    if (this.problem.bias === "free") {
      for (let j = 0; j < this.m; j++) put(this.s, j, 0, 0);
      this.differentiate(lambda, loss);
      const slope = this.g.high[this.m - 1];
      put(this.s, this.m - 1, -Math.sign(slope), 0);
      this.multiply(this.s, this.q);
      if (slope !== 0) after = this.along(this.bestLength(lambda, loss), after, lambda, loss);
    }
    return after;
  }

  /** Moves by t s if that is lower, or no higher than rounding. */
  private along(t: number, before: number, lambda: number, loss: Loss, rounding = 0): number {
    const { w, z } = this.tried;
    for (let j = 0; j < this.m; j++) {
      putProduct(w, j, t, this.s.high[j], this.s.low[j]);
      const [high, low] = [w.high[j], w.low[j]];
      putSum(w, j, this.w.high[j], high);
      put(w, j, w.high[j], w.low[j] + low + this.w.low[j]);
    }
    this.multiply(w, z);
    const value = this.cost(w, z, lambda, loss);
    if (!(value < before * (1 + rounding))) return before;
    for (let j = 0; j < this.m; j++) put(this.w, j, w.high[j], w.low[j]);
    for (let i = 0; i < this.n; i++) put(this.z, i, z.high[i], z.low[i]);
    return value;
  }

  /** Where the derivative along s changes its sign: doubling, then bisection. */
  private bestLength(lambda: number, loss: Loss): number {
    let [below, above] = [0, 1];
    while (this.derivative(above, lambda, loss) < 0 && above < 1e60) {
      below = above;
      above *= 4;
    }
    for (let k = 0; k < 60; k++) {
      const middle = 0.5 * (below + above);
      if (this.derivative(middle, lambda, loss) < 0) below = middle;
      else above = middle;
    }
    return 0.5 * (below + above);
  }

  private derivative(t: number, lambda: number, loss: Loss): number {
    const { problem, m, n, w, s, z, q } = this;
    let sum = 0;
    for (let j = 0; j < m; j++) sum += this.penalty(j, lambda) * (w.high[j] + t * s.high[j]) * s.high[j];
    for (let i = 0; i < n; i++) {
      const c = importance(problem, i);
      const score = z.high[i] + t * q.high[i];
      if (c > 0) sum += c * lossAt(loss, score, 0, problem.targets[i]).slope * q.high[i];
    }
    return sum;
  }
}
