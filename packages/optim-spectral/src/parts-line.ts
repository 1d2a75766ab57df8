/**
 * An embedding's objective along a line by its two parts, of which any λ and any penalty make a function without a further
 * evaluation; and the backtracking along it.
 *
 * Function  F(X) = E⁺ + λ E⁻ + r/(2N) ‖X‖²,   G = A + λ R + (r/N) X
 * Search    no point is to move farther than the map is large, c = max(1, rms X): as a whole, a = min(1, c / max_n ‖d_n‖),
 *           or row by row, d_n ← d_n min(1, c / ‖d_n‖) and a = 1 (where that D still descends); then, until
 *           F(X + a D) ≤ F + 1e-4 a ⟨G, D⟩ + 1e-9 |F|:  a ← the quadratic's minimiser, kept within [a/10, a/2]
 *
 * | symbol | field           | shape                     |
 * |--------|-----------------|---------------------------|
 * | X, D   | X, D            | N × d                     |
 * | E⁺, E⁻ | parts           | at X                      |
 * | A, R   | A, R            | ∇E⁺, ∇E⁻ at X, N × d       |
 * | G      | G               | of the λ and r that were set last, N × d |
 */
import { dot, norm2 } from "@curvature/linalg";
import type { EmbeddingObjective, Parts } from "@curvature/objectives/embedding";
import { float64, number, record, stateIn, whole } from "@curvature/optim-core/state";
import { longestRow, shortenRows, slopeOfShortened } from "./columns.js";

const SUFFICIENT_DECREASE = 1e-4;
const SLACK = 1e-9;
const MAX_TRIALS = 15;

/** What the descent asks of an objective. */
export type PartsObjective = Pick<
  EmbeddingObjective,
  | "name"
  | "points"
  | "dimensions"
  | "dimension"
  | "lambda"
  | "fingerprint"
  | "entropyConstant"
  | "isDivergence"
  | "evaluateParts"
  | "attractiveWeights"
>;

/** Of a step in which a point would move too far: all of it, or the rows of such points. */
export type Shortening = "step" | "rows";

export class PartsLine {
  X: Float64Array;
  A: Float64Array;
  R: Float64Array;
  trialX: Float64Array;
  trialA: Float64Array;
  trialR: Float64Array;
  readonly D: Float64Array;
  readonly G: Float64Array;
  parts: Parts = { attractive: Number.NaN, repulsive: Number.NaN };
  evaluations = 0;
  readonly state;
  private lambda = Number.NaN;
  private r = 0;

  /** @param X - the first point; kept */
  constructor(
    private readonly objective: PartsObjective,
    X: Float64Array,
    private readonly shortening: Shortening,
  ) {
    const vector = (): Float64Array => new Float64Array(X.length);
    this.X = X;
    [this.A, this.R, this.G, this.D] = [vector(), vector(), vector(), vector()];
    [this.trialX, this.trialA, this.trialR] = [vector(), vector(), vector()];
    this.state = stateIn(this, {
      ...{ X: float64(this.X), A: float64(this.A), R: float64(this.R) },
      parts: record({ attractive: number(), repulsive: number() }),
      evaluations: whole(),
    });
  }

  evaluateStart(): void {
    this.parts = this.objective.evaluateParts(this.X, this.A, this.R);
    this.evaluations = 1;
  }

  /** Another λ and r, and G. */
  weigh(lambda: number, r: number): void {
    const { X, A, R, G } = this;
    const shrink = r / this.objective.points;
    [this.lambda, this.r] = [lambda, r];
    for (let k = 0; k < G.length; k++) G[k] = A[k] + lambda * R[k] + shrink * X[k];
  }

  /** @param most - evaluations in all, beyond which there is no trial. @returns a of the accepted trial, or 0 */
  search(most: number): number {
    const { X, D, trialX, objective } = this;
    let a = this.shorten();
    const slope = dot(this.G, D);
    if (!(slope < 0)) return 0;
    const F = this.value(this.parts, X);
    for (let trial = 0; trial <= MAX_TRIALS && this.evaluations < most; trial++) {
      for (let k = 0; k < X.length; k++) trialX[k] = X[k] + a * D[k];
      const parts = objective.evaluateParts(trialX, this.trialA, this.trialR);
      this.evaluations += 1;
      const trialF = this.value(parts, trialX);
      const enough = F + SUFFICIENT_DECREASE * a * slope + SLACK * Math.abs(F);
      if (Number.isFinite(trialF) && trialF <= enough) {
        this.parts = parts;
        return a;
      }
      const minimizer = (-0.5 * slope * a * a) / (trialF - F - slope * a);
      a = Number.isFinite(minimizer) ? Math.min(Math.max(minimizer, 0.1 * a), 0.5 * a) : 0.1 * a;
    }
    return 0;
  }

  /** Shortens the rows of D that are too long, or gives the a for which none is. */
  private shorten(): number {
    const { X, D, G } = this;
    const { points, dimensions } = this.objective;
    const most = Math.max(1, norm2(X) / Math.sqrt(points));
    const longest = longestRow(D, dimensions);
    if (!(longest > most)) return 1;
    if (this.shortening === "step" || !(slopeOfShortened(G, D, dimensions, most) < 0)) return most / longest;
    shortenRows(D, dimensions, most);
    return 1;
  }

  /** F */
  private value({ attractive, repulsive }: Parts, X: Float64Array): number {
    const { lambda, r } = this;
    const E = attractive + lambda * repulsive;
    return r === 0 ? E : E + (r / (2 * this.objective.points)) * dot(X, X);
  }

  /** The accepted trial becomes the point; the old point's arrays serve the next trials. */
  accept(): void {
    [this.X, this.trialX] = [this.trialX, this.X];
    [this.A, this.trialA] = [this.trialA, this.A];
    [this.R, this.trialR] = [this.trialR, this.R];
  }
}
