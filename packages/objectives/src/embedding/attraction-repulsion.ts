/**
 * Every model of this folder: an attraction and a repulsion, weighed by λ.
 *
 *   E(X; λ) = E⁺(X) + λ E⁻(X),   E⁺ = Σ_{n≠m} w⁺_nm A(t_nm)
 *
 * E⁺ is a sum over the weights' entries, all N² or only those of a neighbour graph; E⁻ is a function of the positions
 * (and of w⁻ where a model has it) that the models differ in.
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * equation (1).
 */
import { badOption, nonNegative } from "@curvature/linalg";
import { checkPoint, checkVector } from "../checks.js";
import type { PairFunction } from "./kernels/pair-function.js";
import type { EmbeddingObjective, Parts, Weights } from "./objective.js";
import { everyEntry, lowerPairs } from "./pair-rows.js";
import { type EnergyTerm, PairSum } from "./pair-sum.js";
import { entriesOf, isDense } from "./weights.js";

/** What makes a model, apart from λ. */
export interface Model {
  readonly name: string;
  readonly dimensions: number;
  /** w⁺, symmetric */
  readonly weights: Weights;
  /** A */
  readonly attraction: PairFunction;
  /** E⁻ */
  readonly repulsion: EnergyTerm;
  readonly entropyConstant: number;
  readonly isDivergence: boolean;
  /** A hash of all the weights that the model was made from. */
  readonly hash: string;
}

export class AttractionRepulsion implements EmbeddingObjective {
  readonly name: string;
  readonly points: number;
  readonly dimensions: number;
  readonly dimension: number;
  readonly entropyConstant: number;
  readonly isDivergence: boolean;

  /** E⁺ */
  private readonly attraction: PairSum;
  private readonly scratch: Float64Array;

  private constructor(
    private readonly model: Model,
    readonly lambda: number,
    shared?: AttractionRepulsion,
  ) {
    this.name = model.name;
    this.points = model.weights.rows;
    this.dimensions = model.dimensions;
    this.dimension = this.points * this.dimensions;
    this.entropyConstant = model.entropyConstant;
    this.isDivergence = model.isDivergence;
    this.attraction =
      shared?.attraction ?? new PairSum(lowerPairs(model.weights), model.attraction, model.dimensions);
    this.scratch = shared?.scratch ?? new Float64Array(this.dimension);
  }

  static of(model: Model, lambda: number): AttractionRepulsion {
    return new AttractionRepulsion(model, lambda);
  }

  get fingerprint(): string {
    return `${this.name} ${this.points}x${this.dimensions} lambda=${this.lambda} ${this.model.hash}`;
  }

  atLambda(lambda: number): EmbeddingObjective {
    if (!nonNegative.accepts(lambda)) throw badOption("atLambda", "lambda", nonNegative.expected, lambda);
    return new AttractionRepulsion(this.model, lambda, this);
  }

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    checkPoint(this.name, X, gradient, this.dimension);
    if (!allFinite(X)) return undefinedValue(gradient);
    const { lambda, scratch } = this;
    if (lambda !== 0) this.model.repulsion.begin?.(X, gradient !== undefined);
    const attractive = this.attraction.evaluate(X, gradient);
    if (lambda === 0) return attractive;
    if (gradient === undefined) return attractive + lambda * this.model.repulsion.evaluate(X);
    const repulsive = this.model.repulsion.evaluate(X, scratch);
    addScaled(lambda, scratch, gradient);
    return attractive + lambda * repulsive;
  }

  evaluateParts(X: Float64Array, attraction: Float64Array, repulsion: Float64Array): Parts {
    checkPoint(this.name, X, undefined, this.dimension);
    checkVector(this.name, "attraction", attraction, this.dimension);
    checkVector(this.name, "repulsion", repulsion, this.dimension);
    if (!allFinite(X)) {
      return { attractive: undefinedValue(attraction), repulsive: undefinedValue(repulsion) };
    }
    this.model.repulsion.begin?.(X, true);
    return {
      attractive: this.attraction.evaluate(X, attraction),
      repulsive: this.model.repulsion.evaluate(X, repulsion),
    };
  }

  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void {
    checkPoint(this.name, X, undefined, this.dimension);
    checkVector(this.name, "v", v, this.dimension);
    checkVector(this.name, "out", out, this.dimension);
    this.attraction.hessianVector(X, v, out);
    if (this.lambda === 0) return;
    this.model.repulsion.hessianVector(X, v, this.scratch);
    addScaled(this.lambda, this.scratch, out);
  }

  diagonalHessian(X: Float64Array, out: Float64Array): void {
    checkPoint(this.name, X, undefined, this.dimension);
    checkVector(this.name, "out", out, this.dimension);
    this.attraction.diagonalHessian(X, out);
    if (this.lambda === 0) return;
    this.model.repulsion.diagonalHessian(X, this.scratch);
    addScaled(this.lambda, this.scratch, out);
  }

  attractiveWeights(): Weights {
    return this.model.weights; // A′(0) = 1
  }

  attractiveWeightsAt(X: Float64Array): Weights {
    checkPoint(this.name, X, undefined, this.dimension);
    const { weights, attraction, dimensions } = this.model;
    const values = new Float64Array(entriesOf(weights).length);
    new PairSum(everyEntry(weights), attraction, dimensions).slopeWeights(X, values);
    return isDense(weights) ? { ...weights, data: values } : { ...weights, values };
  }

  repulsiveCurvature(X: Float64Array, out: Float64Array): void {
    checkPoint(this.name, X, undefined, this.dimension);
    checkVector(this.name, "out", out, this.points * this.points);
    this.model.repulsion.curvatureWeights(X, out);
  }
}

/** a += factor · b */
function addScaled(factor: number, b: Float64Array, a: Float64Array): void {
  for (let i = 0; i < a.length; i++) a[i] += factor * b[i];
}

function allFinite(X: Float64Array): boolean {
  let probe = 0;
  for (let i = 0; i < X.length; i++) probe += X[i] * 0; // NaN as soon as one entry is not finite
  return probe === 0;
}

/** E has no value at a point that is not finite, and no gradient. */
function undefinedValue(gradient: Float64Array | undefined): number {
  gradient?.fill(Number.NaN);
  return Number.NaN;
}
