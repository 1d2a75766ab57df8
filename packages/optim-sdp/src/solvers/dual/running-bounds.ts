/**
 * The bounds of the primal-dual method, and when they are computed.
 *
 *   lower      LB = Tr(D Q) of the best feasible Q: the factorisation's, or the ADMM's X repaired
 *   estimate   UB by Ritz values, without rigour
 *   upper      UB by all eigenvalues, rigorous: the certificate, of S or, where S is no better than the last one, of the mean of
 *              the latest W; the ADMM goes on from there if that is
 *
 * A certificate is worth its price where the estimated gap is at most 0.97 tolerance, or an estimate would cost as much (rank above n/6).
 */
import { type DenseMatrix, zeros } from "@curvature/linalg";
import type { Point } from "@curvature/optim-core";
import { boolean, float32, number, part, stateIn, stateOf, whole } from "@curvature/optim-core/state";
import { relativeGap } from "../../bounds/certificate.js";
import {
  type FactoredPoint,
  factoredDense,
  factoredPoint,
  factoredValue,
} from "../../bounds/factored-point.js";
import { PART, smallestUpper, UpperComputation, upperComputation } from "../../bounds/upper.js";
import type { NomadProblem } from "../../problem.js";
import type { Steps } from "../../steps.js";
import type { DualIteration } from "./dual-iteration.js";

/** An estimated gap of this share of the tolerance is worth a certificate. */
const WORTHWHILE = 0.97;

export class RunningBounds {
  readonly lower: BestPoint;
  readonly certificate: UpperCertificate;
  readonly state;

  /** @param point - feasible, and `value` its Tr(D Q) */
  constructor(
    private readonly problem: NomadProblem,
    point: FactoredPoint,
    value: number,
  ) {
    this.lower = new BestPoint(point, value);
    this.certificate = new UpperCertificate(problem);
    this.state = stateOf({
      lower: part(this.lower),
      certificate: part(this.certificate),
      estimate: number(Number.POSITIVE_INFINITY),
      /** Tr(D X) at the latest estimate. */
      objective: number(),
      /** Certificates so far. */
      checks: whole(),
      /** Whether the certificate at work is that of the mean. */
      isOfMean: boolean(),
    });
  }

  /** Certified. */
  get gap(): number {
    return relativeGap(this.certificate.upper, this.lower.value);
  }

  /** UB, certified or not. */
  get upper(): number {
    return Math.min(this.certificate.upper, this.state.estimate);
  }

  get estimatedGap(): number {
    return relativeGap(this.upper, this.lower.value);
  }

  /** Where only one point is feasible, its value is both, but for rounding. */
  close(upper: number): void {
    this.certificate.upper = upper;
  }

  /** Both bounds, the upper one by estimate. @returns whether a certificate is worth its price */
  estimateBoth(dual: DualIteration, tolerance: number): boolean {
    if (dual.isSplitting) {
      this.state.objective = dual.objective();
      const point = dual.repairedPoint();
      this.lower.offer(point, factoredValue(this.problem.gram, point));
    }
    const estimate = dual.estimateUpper();
    if (estimate === undefined) return true;
    this.state.estimate = estimate;
    return this.estimatedGap <= WORTHWHILE * tolerance;
  }

  /** Another part of the certificate. @returns whether there is no more to certify for now */
  certify(dual: DualIteration): boolean {
    const { certificate } = this;
    const { isOfMean } = this.state;
    const before = certificate.upper;
    const bound = certificate.advance(dual, isOfMean);
    if (bound === undefined) return false;
    this.state.checks++;
    if (isOfMean) {
      dual.restart(bound < this.state.estimate);
      this.state.isOfMean = false;
      return true;
    }
    this.state.estimate = bound;
    this.state.isOfMean = bound >= before && dual.hasMean;
    return !this.state.isOfMean;
  }
}

/** The best feasible point, factored; dense only where it is needed. */
class BestPoint {
  point: FactoredPoint;
  value: number;
  private dense: { readonly of: FactoredPoint; readonly Q: Float64Array } | undefined;
  readonly state;

  constructor(point: FactoredPoint, value: number) {
    this.point = point;
    this.value = value;
    this.state = stateIn(this, { point: factoredPoint(point), value: number() });
  }

  /** Takes a feasible point, which nobody changes afterwards, if its value is larger. */
  offer(point: FactoredPoint, value: number): void {
    if (!(value > this.value)) return;
    this.point = point;
    this.value = value;
  }

  /** Q by rows, or the factor alone. */
  asPoint(whole: boolean): Point {
    const { value } = this;
    const x = whole ? () => this.whole() : () => this.point.factor.data;
    return {
      get x() {
        return x();
      },
      value,
    };
  }

  private whole(): Float64Array {
    const { point } = this;
    if (this.dense?.of !== point) {
      const { data: Q } = factoredDense(point);
      for (let k = 0; k < Q.length; k++) Q[k] = Math.max(0, Q[k]);
      this.dense = { of: point, Q };
    }
    return this.dense.Q;
  }
}

/** The best rigorous upper bound so far, with the S that proves it; one candidate at a time is computed in parts. */
class UpperCertificate {
  readonly state;

  constructor(private readonly problem: NomadProblem) {
    const { n } = problem.gram;
    this.state = stateOf(
      {
        upper: number(Number.POSITIVE_INFINITY),
        /** S of `upper` in units of `unit`, n × n; empty before there is one. */
        S: float32(new Float32Array(0), { anyLength: true }),
        unit: number(1),
        computation: upperComputation(problem),
      },
      (fields) => {
        const S = fields.get("S");
        const fits = S instanceof Float32Array && (S.length === 0 || S.length === n * n);
        return fits ? undefined : `the certificate of ${n} points`;
      },
    );
  }

  /** Infinity before there is a bound. */
  get upper(): number {
    return this.state.upper;
  }

  /** Takes a bound that needs no S. */
  set upper(bound: number) {
    this.state.upper = bound;
  }

  /** A copy of the S of `upper`. */
  get multiplier(): DenseMatrix | undefined {
    const { S, unit } = this.state;
    return S.length === 0 ? undefined : this.scaled(S, unit);
  }

  /** Another part of the bound from the present S, or that of the mean. @returns the bound after the last one */
  advance(dual: DualIteration, ofMean: boolean): number | undefined {
    this.state.computation ??= UpperComputation.begin(
      this.problem,
      this.scaled(dual.multiplier(ofMean), dual.unit),
    );
    if (!this.state.computation.advance(PART)) return undefined;
    const { fantope } = this.state.computation.bounds();
    this.state.computation = undefined;
    this.offer(dual, fantope, ofMean);
    return fantope;
  }

  /** The bound from the present S, whatever candidate is at work. */
  *bound(dual: DualIteration): Steps<void> {
    const S = this.scaled(dual.multiplier(), dual.unit);
    this.offer(dual, yield* smallestUpper(this.problem, S), false);
  }

  private offer(dual: DualIteration, bound: number, ofMean: boolean): void {
    if (!(bound < this.state.upper)) return;
    this.state.upper = bound;
    this.state.S = dual.multiplier(ofMean);
    this.state.unit = dual.unit;
  }

  private scaled(S: Float32Array, unit: number): DenseMatrix {
    const { n } = this.problem.gram;
    const scaled = zeros(n, n);
    for (let k = 0; k < S.length; k++) scaled.data[k] = unit * S[k];
    return scaled;
  }
}
