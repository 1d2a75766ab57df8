/**
 * The lazy inner loop for the sum of ordinal embedding, where a term touches the three or four rows i, j, l, k:
 *
 *   before row r is used at iteration t:   x_r −= (t − paid_r) h g_r,   paid_r = t
 *   Δ₁ = a (xᵢ − xⱼ) − ã (x̃ᵢ − x̃ⱼ),   Δ₂ = c (x_l − x_k) − c̃ (x̃_l − x̃_k)        a, c at X, ã, c̃ at the snapshot X̃
 *   xᵢ −= 2 h s Δ₁,   xⱼ += 2 h s Δ₁,   x_l −= 2 h s Δ₂,   x_k += 2 h s Δ₂          s = N s_q / b
 *
 * All differences of a batch are taken before any row is changed. The loss works on the batch as a whole.
 */
import type { RandomGenerator } from "@curvature/linalg";
import type { ComparisonSum } from "@curvature/objectives/ordinal";
import type { SumOfFunctions } from "@curvature/optim-core";
import { draw, type InnerLoop, type Snapshotted } from "./inner-loops.js";

export function isComparisonSum(sum: SumOfFunctions): sum is ComparisonSum {
  return "quadruplets" in sum && sum.quadruplets instanceof Int32Array && "loss" in sum;
}

export class ComparisonInnerLoop implements InnerLoop {
  private readonly b: number;
  private readonly paid: Int32Array;
  /** The rows' offsets in X, i p, j p, l p, k p, of the batch. */
  private readonly offsets: Int32Array;
  private readonly terms: Int32Array;
  private readonly d1: Float64Array;
  private readonly d2: Float64Array;
  private readonly a: Float64Array;
  private readonly c: Float64Array;
  private readonly aSnapshot: Float64Array;
  private readonly cSnapshot: Float64Array;
  /** xᵢ − xⱼ and x_l − x_k of the batch, entry by entry, at the iterate and at the snapshot. */
  private readonly differences: Float64Array;
  private readonly differencesSnapshot: Float64Array;
  /** The ridge's corrections of four rows. */
  private readonly ridgeDeltas: Float64Array;

  constructor(
    private readonly sum: ComparisonSum,
    batchSize: number,
  ) {
    const b = batchSize;
    const { objects, dimensions: p } = sum;
    this.b = b;
    this.paid = new Int32Array(objects);
    this.offsets = new Int32Array(4 * b);
    this.terms = new Int32Array(b);
    [this.d1, this.d2, this.a, this.c, this.aSnapshot, this.cSnapshot] = Array.from(
      { length: 6 },
      () => new Float64Array(b),
    );
    this.differences = new Float64Array(2 * b * p);
    this.differencesSnapshot = new Float64Array(2 * b * p);
    this.ridgeDeltas = new Float64Array(sum.ridgeShares === undefined ? 0 : 4 * b * p);
  }

  run(batches: number, X: Float64Array, at: Snapshotted, h: number, random: RandomGenerator): void {
    const { sum, b, paid, d1, d2 } = this;
    const p = sum.dimensions;
    const g = at.gradient;
    paid.fill(0);
    for (let t = 0; t < batches; t++) {
      this.drawBatch(t, X, g, h, random);
      this.measure(at.x, this.differencesSnapshot);
      sum.loss.slopes(b, d1, d2, this.aSnapshot, this.cSnapshot);
      this.measure(X, this.differences);
      sum.loss.slopes(b, d1, d2, this.a, this.c);
      if (sum.ridgeShares !== undefined) this.measureRidge(sum.ridgeShares, X, at.x, h);
      this.correct(X, h);
      if (sum.ridgeShares !== undefined) this.applyRidge(X);
    }
    for (let r = 0; r < paid.length; r++) {
      const owed = (batches - paid[r]) * h;
      for (let i = r * p; i < (r + 1) * p; i++) X[i] -= owed * g[i];
    }
  }

  /** Draws b terms and brings their rows up to date. */
  private drawBatch(t: number, X: Float64Array, g: Float64Array, h: number, random: RandomGenerator): void {
    const { b, paid, offsets, terms, sum } = this;
    const { quadruplets, dimensions: p, count } = sum;
    for (let q = 0; q < b; q++) {
      const term = draw(random, count);
      terms[q] = term;
      for (let e = 0; e < 4; e++) {
        const r = quadruplets[4 * term + e];
        const offset = r * p;
        offsets[4 * q + e] = offset;
        if (paid[r] === t) continue;
        const owed = (t - paid[r]) * h;
        paid[r] = t;
        for (let i = offset; i < offset + p; i++) X[i] -= owed * g[i];
      }
    }
  }

  /** d₁, d₂ and the differences of the batch at x. */
  private measure(x: Float64Array, differences: Float64Array): void {
    const { b, offsets, d1, d2, sum } = this;
    const p = sum.dimensions;
    for (let q = 0, at = 0; q < b; q++) {
      const i = offsets[4 * q];
      const j = offsets[4 * q + 1];
      const l = offsets[4 * q + 2];
      const k = offsets[4 * q + 3];
      let near = 0;
      let far = 0;
      for (let e = 0; e < p; e++) {
        const u = x[i + e] - x[j + e];
        const w = x[l + e] - x[k + e];
        differences[at++] = u;
        differences[at++] = w;
        near += u * u;
        far += w * w;
      }
      d1[q] = near;
      d2[q] = far;
    }
  }

  private correct(X: Float64Array, h: number): void {
    const { b, offsets, terms, a, c, aSnapshot, cSnapshot, differences, differencesSnapshot, sum } = this;
    const { dimensions: p, shares, count } = sum;
    const even = (2 * h) / b;
    for (let q = 0, at = 0; q < b; q++) {
      const i = offsets[4 * q];
      const j = offsets[4 * q + 1];
      const l = offsets[4 * q + 2];
      const k = offsets[4 * q + 3];
      const factor = shares === undefined ? even : even * count * shares[terms[q]];
      const aq = factor * a[q];
      const cq = factor * c[q];
      const as = factor * aSnapshot[q];
      const cs = factor * cSnapshot[q];
      for (let e = 0; e < p; e++, at += 2) {
        const u = aq * differences[at] - as * differencesSnapshot[at];
        const w = cq * differences[at + 1] - cs * differencesSnapshot[at + 1];
        X[i + e] -= u;
        X[j + e] += u;
        X[l + e] -= w;
        X[k + e] += w;
      }
    }
  }

  /** (h N / b) ρ_r (x_r − x̃_r), once for each different row of a term. */
  private measureRidge(rho: Float64Array, X: Float64Array, xs: Float64Array, h: number): void {
    const { b, offsets, ridgeDeltas, sum } = this;
    const p = sum.dimensions;
    const factor = (h * sum.count) / b;
    for (let q = 0; q < b; q++)
      for (let e = 0; e < 4; e++) {
        const offset = offsets[4 * q + e];
        const isSeen = e >= 2 && (offset === offsets[4 * q] || offset === offsets[4 * q + 1]);
        const weight = isSeen ? 0 : factor * rho[offset / p];
        const to = (4 * q + e) * p;
        for (let t = 0; t < p; t++) ridgeDeltas[to + t] = weight * (X[offset + t] - xs[offset + t]);
      }
  }

  private applyRidge(X: Float64Array): void {
    const { offsets, ridgeDeltas, sum } = this;
    const p = sum.dimensions;
    for (let e = 0; e < offsets.length; e++)
      for (let t = 0; t < p; t++) X[offsets[e] + t] -= ridgeDeltas[e * p + t];
  }
}
