/**
 * SGD-QN in its corrected form with its parts to be exchanged: what 1/B is the sum of. Written from the erratum's steps, apart
 * from the package's `learners/sgd-qn.ts`, which it is compared with.
 *
 * Iteration  t ← t + 1;  z = w·x;  if a secant is due: 1/B ← 1/B + (t − t_B) h,  t_B ← t
 *            every skip rows:  w′ ← w,  w ← w − skip λ B w;  a secant is due at the next row
 *            w ← w − B l′(z) x
 * Start      w = 0,  1/B = λ t₀
 */
import { costAt, type DenseProblem } from "./second-order.ts";

/** What is added to 1/B for each row. */
export type Curvature =
  /** h_j = λ + (l′(w·x) − l′(w′·x)) x_j / (w_j − w′_j), clipped to `least` λ … `most` λ; or its mean over j for all of them. */
  | {
      readonly kind: "secant";
      readonly least: number;
      readonly most: number;
      readonly isShared: boolean;
    }
  /** h_j. */
  | { readonly kind: "known"; readonly values: Float64Array };

export interface Schedule {
  readonly t0: number;
  /** Rows between two decays. */
  readonly skip: number;
}

export class DiagonalGains {
  readonly w: Float64Array;
  /** 1/B. */
  readonly inverse: Float64Array;
  /** Rows seen. */
  t = 0;
  /** t at the last change of B. */
  tB = 0;
  /** Curvatures that secants showed, and those of them that lay beyond a clip. */
  shown = 0;
  clipped = 0;
  private readonly before: Float64Array;
  private readonly h: Float64Array;
  private countdown: number;
  private isSecantDue = false;

  private readonly problem: DenseProblem;
  private readonly curvature: Curvature;
  private readonly skip: number;

  constructor(problem: DenseProblem, curvature: Curvature, { t0, skip }: Schedule) {
    const d = problem.rows.columns;
    this.problem = problem;
    this.curvature = curvature;
    this.skip = skip;
    this.w = new Float64Array(d);
    this.before = new Float64Array(d);
    this.h = new Float64Array(d);
    this.inverse = new Float64Array(d).fill(problem.lambda * t0);
    this.countdown = skip;
  }

  /** The rows order[from] … order[to − 1]. */
  visit(order: Int32Array, from: number, to: number): void {
    const { rows, targets, loss, lambda } = this.problem;
    const { w, inverse, before, skip } = this;
    const { data, columns: d } = rows;
    for (let k = from; k < to; k++) {
      const i = order[k];
      const slope = loss.slope(score(data, i * d, w), targets[i]);
      this.t++;
      if (this.isSecantDue) this.learn(i, slope - loss.slope(score(data, i * d, before), targets[i]));
      if (--this.countdown <= 0) {
        before.set(w);
        for (let j = 0; j < d; j++) w[j] *= Math.max(0, 1 - (skip * lambda) / inverse[j]);
        this.countdown = skip;
        this.isSecantDue = true;
      }
      if (slope !== 0) for (let j = 0; j < d; j++) w[j] -= (slope * data[i * d + j]) / inverse[j];
    }
  }

  private learn(i: number, slopes: number): void {
    this.isSecantDue = false;
    const { inverse, h, curvature } = this;
    if (curvature.kind === "secant") {
      if (slopes === 0) return;
      this.secants(i, slopes, curvature);
    }
    const added = curvature.kind === "secant" ? h : curvature.values;
    for (let j = 0; j < inverse.length; j++) inverse[j] += (this.t - this.tB) * added[j];
    this.tB = this.t;
  }

  private secants(
    i: number,
    slopes: number,
    { least, most, isShared }: Extract<Curvature, { kind: "secant" }>,
  ): void {
    const { h, w, before } = this;
    const { rows, lambda } = this.problem;
    const d = h.length;
    let sum = 0;
    for (let j = 0; j < d; j++) {
      const x = rows.data[i * d + j];
      const moved = w[j] - before[j];
      const seen = x === 0 ? lambda : moved === 0 ? most * lambda : lambda + (slopes * x) / moved;
      h[j] = Math.max(least * lambda, Math.min(most * lambda, seen));
      sum += h[j];
      if (x !== 0) this.shown++;
      if (h[j] !== seen) this.clipped++;
    }
    if (isShared) h.fill(sum / d);
  }
}

/** The rows order[0] … order[count − 1] as a problem of their own. */
function firstRows(problem: DenseProblem, order: Int32Array, count: number): DenseProblem {
  const { rows, targets } = problem;
  const { columns } = rows;
  const data = new Float64Array(count * columns);
  for (let k = 0; k < count; k++)
    data.set(rows.data.subarray(order[k] * columns, (order[k] + 1) * columns), k * columns);
  const chosen = Float64Array.from(order.subarray(0, count), (i) => targets[i]);
  return { ...problem, rows: { rows: count, columns, data }, targets: chosen };
}

/** t₀ the paper's way: of 10⁰ … 10¹⁰ the one of least P on a tenth of the rows after a pass over them. */
export function searchedT0(
  problem: DenseProblem,
  curvature: Curvature,
  skip: number,
  order: Int32Array,
): number {
  const tenth = firstRows(problem, order, Math.floor(problem.rows.rows / 10));
  const inOrder = Int32Array.from({ length: tenth.rows.rows }, (_, k) => k);
  let best = { t0: 1, cost: Number.POSITIVE_INFINITY };
  for (let power = 0; power <= 10; power++) {
    const t0 = Number(`1e${power}`);
    const tried = new DiagonalGains(tenth, curvature, { t0, skip });
    tried.visit(inOrder, 0, inOrder.length);
    const cost = costAt(tenth, tried.w);
    if (cost < best.cost) best = { t0, cost };
  }
  return best.t0;
}

function score(data: Float64Array, at: number, w: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < w.length; j++) sum += data[at + j] * w[j];
  return sum;
}
