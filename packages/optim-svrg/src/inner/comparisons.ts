/**
 * The lazy inner loop for the sum of ordinal embedding, where a term touches the three or four rows i, j, l, k:
 *
 *   before row r is used at iteration t:   x_r −= (t − paid_r) h g_r,   paid_r = t
 *   Δ₁ = a (xᵢ − xⱼ) − ã (x̃ᵢ − x̃ⱼ),   Δ₂ = c (x_l − x_k) − c̃ (x̃_l − x̃_k)        a, c at X, ã, c̃ at the snapshot X̃
 *   xᵢ −= 2 h s Δ₁,   xⱼ += 2 h s Δ₁,   x_l −= 2 h s Δ₂,   x_k += 2 h s Δ₂          s = N s_q / b
 *
 * All Δ of a batch are computed before any is applied. The loss works on the batch as a whole.
 */
import type { RandomGenerator } from "@curvature/linalg";
import type { ComparisonSum } from "@curvature/objectives/ordinal";
import type { SumOfFunctions } from "@curvature/optim-core";
import { draw } from "../draw.js";
import type { InnerLoop, Snapshotted } from "./inner-loop.js";

export function isComparisonSum(sum: SumOfFunctions): sum is ComparisonSum {
  return "quadruplets" in sum && sum.quadruplets instanceof Int32Array && "loss" in sum;
}

export class ComparisonInnerLoop implements InnerLoop {
  private readonly b: number;
  private readonly paid: Int32Array;
  /** The rows' places in X, i p, j p, l p, k p, of the batch. */
  private readonly places: Int32Array;
  private readonly terms: Int32Array;
  private readonly near: Float64Array;
  private readonly far: Float64Array;
  private readonly a: Float64Array;
  private readonly c: Float64Array;
  private readonly aSnapshot: Float64Array;
  private readonly cSnapshot: Float64Array;
  /** Δ₁, Δ₂ times 2 h s, and the ridge's corrections of four rows. */
  private readonly deltas: Float64Array;
  private readonly ridgeDeltas: Float64Array;

  constructor(
    private readonly sum: ComparisonSum,
    batchSize: number,
  ) {
    const b = batchSize;
    const { objects, dimensions: p } = sum;
    this.b = b;
    this.paid = new Int32Array(objects);
    this.places = new Int32Array(4 * b);
    this.terms = new Int32Array(b);
    [this.near, this.far, this.a, this.c, this.aSnapshot, this.cSnapshot] = Array.from(
      { length: 6 },
      () => new Float64Array(b),
    );
    this.deltas = new Float64Array(2 * b * p);
    this.ridgeDeltas = new Float64Array(sum.ridgeShares === undefined ? 0 : 4 * b * p);
  }

  run(batches: number, X: Float64Array, at: Snapshotted, h: number, random: RandomGenerator): void {
    const { sum, b, paid, near, far } = this;
    const p = sum.dimensions;
    const g = at.gradient;
    paid.fill(0);
    for (let t = 0; t < batches; t++) {
      this.drawBatch(t, X, g, h, random);
      this.measure(at.x);
      sum.loss.slopes(b, near, far, this.aSnapshot, this.cSnapshot);
      this.measure(X);
      sum.loss.slopes(b, near, far, this.a, this.c);
      this.correct(X, at.x, h);
    }
    for (let r = 0; r < paid.length; r++) {
      const owed = (batches - paid[r]) * h;
      for (let i = r * p; i < (r + 1) * p; i++) X[i] -= owed * g[i];
    }
  }

  /** Draws b terms and brings their rows up to date. */
  private drawBatch(t: number, X: Float64Array, g: Float64Array, h: number, random: RandomGenerator): void {
    const { b, paid, places, terms, sum } = this;
    const { quadruplets, dimensions: p, count } = sum;
    for (let q = 0; q < b; q++) {
      const term = draw(random, count);
      terms[q] = term;
      for (let e = 0; e < 4; e++) {
        const r = quadruplets[4 * term + e];
        const place = r * p;
        places[4 * q + e] = place;
        if (paid[r] === t) continue;
        const owed = (t - paid[r]) * h;
        paid[r] = t;
        for (let i = place; i < place + p; i++) X[i] -= owed * g[i];
      }
    }
  }

  /** d₁ and d₂ of the batch at x. */
  private measure(x: Float64Array): void {
    const { b, places, near, far, sum } = this;
    const p = sum.dimensions;
    for (let q = 0; q < b; q++) {
      const i = places[4 * q];
      const j = places[4 * q + 1];
      const l = places[4 * q + 2];
      const k = places[4 * q + 3];
      let d1 = 0;
      let d2 = 0;
      for (let e = 0; e < p; e++) {
        const u = x[i + e] - x[j + e];
        const w = x[l + e] - x[k + e];
        d1 += u * u;
        d2 += w * w;
      }
      near[q] = d1;
      far[q] = d2;
    }
  }

  private correct(X: Float64Array, xs: Float64Array, h: number): void {
    const { b, places, terms, a, c, aSnapshot, cSnapshot, deltas, sum } = this;
    const { dimensions: p, shares, count } = sum;
    for (let q = 0, at = 0; q < b; q++) {
      const i = places[4 * q];
      const j = places[4 * q + 1];
      const l = places[4 * q + 2];
      const k = places[4 * q + 3];
      const twice = (2 * h * (shares === undefined ? 1 : count * shares[terms[q]])) / b;
      const aq = twice * a[q];
      const cq = twice * c[q];
      const as = twice * aSnapshot[q];
      const cs = twice * cSnapshot[q];
      for (let e = 0; e < p; e++) {
        deltas[at++] = aq * (X[i + e] - X[j + e]) - as * (xs[i + e] - xs[j + e]);
        deltas[at++] = cq * (X[l + e] - X[k + e]) - cs * (xs[l + e] - xs[k + e]);
      }
    }
    if (sum.ridgeShares !== undefined) this.measureRidge(sum.ridgeShares, X, xs, h);
    for (let q = 0, at = 0; q < b; q++) {
      const i = places[4 * q];
      const j = places[4 * q + 1];
      const l = places[4 * q + 2];
      const k = places[4 * q + 3];
      for (let e = 0; e < p; e++) {
        const u = deltas[at++];
        const w = deltas[at++];
        X[i + e] -= u;
        X[j + e] += u;
        X[l + e] -= w;
        X[k + e] += w;
      }
    }
    if (sum.ridgeShares !== undefined) this.applyRidge(X);
  }

  /** (h N / b) ρ_r (x_r − x̃_r), once for each different row of a term. */
  private measureRidge(rho: Float64Array, X: Float64Array, xs: Float64Array, h: number): void {
    const { b, places, ridgeDeltas, sum } = this;
    const p = sum.dimensions;
    const factor = (h * sum.count) / b;
    for (let q = 0; q < b; q++)
      for (let e = 0; e < 4; e++) {
        const place = places[4 * q + e];
        const isSeen = e >= 2 && (place === places[4 * q] || place === places[4 * q + 1]);
        const weight = isSeen ? 0 : factor * rho[place / p];
        const to = (4 * q + e) * p;
        for (let t = 0; t < p; t++) ridgeDeltas[to + t] = weight * (X[place + t] - xs[place + t]);
      }
  }

  private applyRidge(X: Float64Array): void {
    const { places, ridgeDeltas, sum } = this;
    const p = sum.dimensions;
    for (let e = 0; e < places.length; e++)
      for (let t = 0; t < p; t++) X[places[e] + t] -= ridgeDeltas[e * p + t];
  }
}
