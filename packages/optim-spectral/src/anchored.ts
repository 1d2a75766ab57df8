/**
 * An embedding's objective with the places of some of its points as anchors: how far these have moved, but for a shift of the map
 * and its size, costs.
 *
 *   F(X) = E(X) + Q(X),   Q = (ω/2) min_{s,t} Σ_{n old} ‖x_n − s a_n − t‖² / (s² ‖A‖²) = (ω/2) tan² ∠(X_old, A)
 *   ∇Q = ω / (s² ‖A‖²) (X_old − (‖X_old‖² / p) A),   s = p / ‖A‖²,   p = ⟨X_old, A⟩      both with columns of mean zero
 *
 * | symbol | variable | shape                                                     |
 * |--------|----------|-----------------------------------------------------------|
 * | A      | anchors  | n × d, the old places, columns of mean zero               |
 * | X_old  | old      | n × d, the first n rows of X, columns of mean zero        |
 * | ω      | weight   | nats per square of the old points' root mean square movement, the map's radius as unit |
 *
 * Q sees neither a shift, as E, nor a larger size: a map that grows needs more room. A turn E does not see, so that Q alone keeps the
 * map upright. Q's curvature, ω / (s² ‖A‖²) on the diagonal of the old rows, is no part of the spectral direction's matrix: it falls by
 * a thousand as the map grows to its size from that at which the homotopy begins, and a matrix with its first value in it, which is stiff
 * against this growth, ended higher where ω was 100 and no lower where it was 1 (measured on digits and pendigits).
 */
import { axpy, dot } from "@curvature/linalg";
import type { EmbeddingObjective, Parts, Weights } from "@curvature/objectives/embedding";
import { fingerprintOf } from "@curvature/optim-core";
import { centerColumns } from "./columns.js";
import type { PartsObjective } from "./parts-line.js";

export class AnchoredObjective implements PartsObjective {
  readonly name: string;
  readonly points: number;
  readonly dimensions: number;
  readonly dimension: number;
  readonly lambda: number;
  readonly fingerprint: string;
  readonly entropyConstant: number;
  readonly isDivergence: boolean;
  private readonly anchors: Float64Array;
  private readonly squaredSize: number;
  private readonly old: Float64Array;

  /**
   * @param places - n × d, of the first n points
   * @param weight - ω
   */
  constructor(
    private readonly objective: EmbeddingObjective,
    private readonly places: Float64Array,
    private readonly weight: number,
  ) {
    const { name, points, dimensions, dimension, lambda, entropyConstant, isDivergence } = objective;
    this.name = name;
    this.points = points;
    this.dimensions = dimensions;
    this.dimension = dimension;
    this.lambda = lambda;
    this.entropyConstant = entropyConstant;
    this.isDivergence = isDivergence;
    this.anchors = places.slice();
    centerColumns(this.anchors, dimensions);
    centerColumns(this.anchors, dimensions);
    this.squaredSize = dot(this.anchors, this.anchors);
    this.old = new Float64Array(places.length);
    this.fingerprint = fingerprintOf(objective.fingerprint, this.anchors, String(weight));
  }

  /** Q is a part of the attraction. */
  evaluateParts(X: Float64Array, attraction: Float64Array, repulsion: Float64Array): Parts {
    const { anchors, old, squaredSize, dimensions, weight } = this;
    const parts = this.objective.evaluateParts(X, attraction, repulsion);
    if (weight === 0) return parts;
    old.set(X.subarray(0, old.length));
    centerColumns(old, dimensions);
    const p = dot(old, anchors);
    if (!(p > 0)) return { ...parts, attractive: Number.POSITIVE_INFINITY };
    const scale = p / squaredSize;
    const square = dot(old, old);
    const unit = weight / (scale * scale * squaredSize);
    for (let k = 0; k < old.length; k++) attraction[k] += unit * (old[k] - (square / p) * anchors[k]);
    return { ...parts, attractive: parts.attractive + 0.5 * weight * ((square / p) * (squaredSize / p) - 1) };
  }

  evaluate(X: Float64Array, gradient: Float64Array = new Float64Array(X.length)): number {
    const repulsion = new Float64Array(X.length);
    const { attractive, repulsive } = this.evaluateParts(X, gradient, repulsion);
    axpy(this.lambda, repulsion, gradient);
    return attractive + this.lambda * repulsive;
  }

  atLambda(lambda: number): AnchoredObjective {
    return new AnchoredObjective(this.objective.atLambda(lambda), this.places, this.weight);
  }

  attractiveWeights(): Weights {
    return this.objective.attractiveWeights();
  }
}
