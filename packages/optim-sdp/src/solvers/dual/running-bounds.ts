/**
 * The bounds of `auto`, and how they are looked at.
 *
 *   lower      LB = Tr(D Q) of the best feasible Q: the factorisation's, or the ADMM's X repaired
 *   estimate   UB by Ritz values, without rigour
 *   upper      UB by all eigenvalues, rigorous: the certificate, of S or, where S is no better than the last one, of the mean of
 *              the latest W; the ADMM goes on from there if that is
 *
 * A certificate is worth its price where the estimated gap is at most 0.97 tolerance, or an estimate would cost as much (rank above n/6).
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { relativeGap } from "../../bounds/certificate.js";
import { type FactoredPoint, factoredValue } from "../../bounds/factored-point.js";
import type { NomadProblem } from "../../problem.js";
import { BestPoint } from "./best-point.js";
import type { DualIteration } from "./dual-iteration.js";
import { UpperCertificate } from "./upper-certificate.js";

/** An estimated gap of this share of the tolerance is worth a certificate. */
const WORTHWHILE = 0.97;

export class RunningBounds {
  readonly lower: BestPoint;
  readonly certificate: UpperCertificate;
  /** Tr(D X) at the latest look. */
  objective = Number.NaN;
  /** Certificates so far. */
  checks = 0;
  private estimate = Number.POSITIVE_INFINITY;
  /** Whether the certificate at work is that of the mean. */
  private isOfMean = false;

  /** @param point - feasible, and `value` its Tr(D Q) */
  constructor(
    private readonly problem: NomadProblem,
    point: FactoredPoint,
    value: number,
  ) {
    this.lower = new BestPoint(point, value);
    this.certificate = new UpperCertificate(problem);
  }

  /** Certified. */
  get gap(): number {
    return relativeGap(this.certificate.upper, this.lower.value);
  }

  /** UB, certified or not. */
  get upper(): number {
    return Math.min(this.certificate.upper, this.estimate);
  }

  get estimatedGap(): number {
    return relativeGap(this.upper, this.lower.value);
  }

  /** Where only one point is feasible, its value is both. */
  close(): void {
    this.certificate.upper = this.lower.value;
  }

  /** Both bounds, the upper one by estimate. @returns whether a certificate is worth its price */
  look(dual: DualIteration, tolerance: number): boolean {
    if (dual.isSplitting) {
      this.objective = dual.objective();
      const point = dual.repairedPoint();
      this.lower.offer(point, factoredValue(this.problem.gram, point));
    }
    const estimate = dual.estimateUpper();
    if (estimate === undefined) return true;
    this.estimate = estimate;
    return this.estimatedGap <= WORTHWHILE * tolerance;
  }

  /** Another part of the certificate. @returns whether there is no more to certify for now */
  certify(dual: DualIteration): boolean {
    const { certificate, isOfMean } = this;
    const before = certificate.upper;
    const bound = certificate.advance(dual, isOfMean);
    if (bound === undefined) return false;
    this.checks++;
    if (isOfMean) {
      dual.restart(bound < this.estimate);
      this.isOfMean = false;
      return true;
    }
    this.estimate = bound;
    this.isOfMean = bound >= before && dual.hasMean;
    return !this.isOfMean;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { estimate, objective, checks, isOfMean } = this;
    return {
      ...{ estimate, objective, checks, isOfMean },
      lower: this.lower.save(),
      certificate: this.certificate.save(),
    };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader): () => void {
    const takeLower = this.lower.read(state.object("lower"), this.problem.gram.n);
    const takeCertificate = this.certificate.read(state.object("certificate"));
    const estimate = state.number("estimate");
    const objective = state.number("objective");
    const checks = state.integer("checks");
    const isOfMean = state.flag("isOfMean");
    return () => {
      takeLower();
      takeCertificate();
      Object.assign(this, { estimate, objective, checks, isOfMean });
    };
  }
}
