/**
 * The frame of every objective over minibatches,
 *
 *   F(x) = Σᵢ fᵢ(x),   fᵢ(x) = (N/D) Σ_{rows n of minibatch i} l(x; n) + λ/2 ‖x‖²,   i = 0 … N − 1.
 *
 * With minibatches of one size (N divides D) the factor N/D is one over the rows in a minibatch, the scale of the
 * paper's experiments (appendix D). The ridge is part of every fᵢ, so that F has N λ/2 ‖x‖², and counts all parameters,
 * biases too.
 *
 * | symbol | variable          | meaning                                      |
 * |--------|-------------------|----------------------------------------------|
 * | D, N   | , count           | rows, minibatches                            |
 * | l      | terms.add         | the model's loss, summed over a minibatch    |
 * | λ      | lambda            |                                              |
 *
 * Sohl-Dickstein, Poole, Ganguli: Fast large-scale optimization by unifying stochastic gradient and quasi-Newton
 * methods. ICML 2014. arXiv:1311.2115.
 */
import { type DenseMatrix, dot, RandomGenerator } from "@curvature/linalg";
import { fingerprintOf, type Objective, type SumOfFunctions } from "@curvature/optim-core";
import { checkIndex, checkIndices, checkPoint, checkVector } from "../checks.js";
import { type ParameterBlock, parameterCount } from "./layout.js";
import { numbers } from "./memory.js";
import type { Model } from "./model.js";

/**
 * A sum over minibatches, a first point for it, and the whole of it as one objective. Evaluations share their scratch
 * arrays and allocate nothing. They throw ERR_ARGUMENT for an index out of range and ERR_SHAPE for a point or gradient
 * of the wrong length.
 */
export interface MinibatchSum extends SumOfFunctions {
  readonly fingerprint: string;
  /** Where a run starts: `initialPoint` of the option `seed`. */
  readonly initial: Float64Array;
  /** What x is made of, in the order in which it lies there. */
  readonly layout: readonly ParameterBlock[];
  /** F, with products of curvature and a vector where the model has them. */
  readonly whole: Objective;
  /** What a fitted x computes of new rows; undefined for the Ising model, which computes nothing of them. */
  readonly model: Model | undefined;
  /** @param seed - a whole number from 0 to 2^53 − 1 @throws CurvatureError ERR_OPTION */
  initialPoint(seed: number): Float64Array;
  evaluate(index: number, x: Float64Array, gradient?: Float64Array): number;
  evaluateBatch(indices: Int32Array, x: Float64Array, gradient?: Float64Array): number;
}

/** What a model gives: sums over the rows of one minibatch, without scale and ridge. All of them add to their output. */
export interface MinibatchTerms {
  readonly layout: readonly ParameterBlock[];
  /** Σ l over minibatch `index`, and with an array `scale` times its gradient added to it. */
  add(index: number, x: Float64Array, scale: number, gradient: Float64Array | undefined): number;
  /** scale · ∇²(Σ l) v, added to `out`. */
  addHessian?(index: number, x: Float64Array, v: Float64Array, scale: number, out: Float64Array): void;
  /** scale times the Gauss-Newton matrix of Σ l times v, added to `out`. */
  addGaussNewton?(index: number, x: Float64Array, v: Float64Array, scale: number, out: Float64Array): void;
  /** Fills a zero vector. */
  initialize(random: RandomGenerator, x: Float64Array): void;
}

export interface MinibatchSettings {
  /** The exported function's name, for messages. */
  readonly name: string;
  readonly minibatches: readonly DenseMatrix[];
  /** Labels or targets, by minibatch. */
  readonly targets?: readonly (Float64Array | Int32Array)[];
  /** What else, beside λ, is part of the fingerprint. */
  readonly shape: readonly (string | number | Float64Array)[];
  readonly lambda: number;
  readonly model?: Model;
  /** Of the first point; none where that is 0. */
  readonly seed?: number;
}

/** One name for any number of arrays. */
const nameOfArrays = (arrays: readonly (Float64Array | Int32Array)[]): string =>
  arrays.reduce((name, array) => fingerprintOf(name, array), "");

export function minibatchSum(terms: MinibatchTerms, settings: MinibatchSettings): MinibatchSum {
  const { name, minibatches, targets, shape, lambda, model, seed = 0 } = settings;
  const count = minibatches.length;
  const rows = minibatches.reduce((sum, minibatch) => sum + minibatch.rows, 0);
  const dimension = parameterCount(terms.layout);
  const scale = count / rows;
  /** out ← share λ v */
  const startFrom = (share: number, v: Float64Array, out: Float64Array): void => {
    for (let j = 0; j < dimension; j++) out[j] = share * lambda * v[j];
  };
  const ridge = (share: number, x: Float64Array): number =>
    lambda === 0 ? 0 : 0.5 * share * lambda * dot(x, x);
  const initialPoint = (from: number): Float64Array => {
    const x = numbers(dimension);
    terms.initialize(new RandomGenerator(from), x);
    return x;
  };
  const evaluateBatch = (indices: Int32Array, x: Float64Array, gradient?: Float64Array): number => {
    checkIndices(name, indices, count);
    checkPoint(name, x, gradient, dimension);
    if (gradient !== undefined) startFrom(indices.length, x, gradient);
    let value = 0;
    for (let k = 0; k < indices.length; k++) value += terms.add(indices[k], x, scale, gradient);
    return scale * value + ridge(indices.length, x);
  };
  let fingerprint: string | undefined;
  const named = (): string => {
    fingerprint ??= fingerprintOf(
      ...[name, lambda, ...shape, nameOfArrays(minibatches.map(({ data }) => data))],
      ...(targets === undefined ? [] : [nameOfArrays(targets)]),
    );
    return fingerprint;
  };
  const all = Int32Array.from({ length: count }, (_, i) => i);
  const { addHessian, addGaussNewton } = terms;
  /** Σᵢ of the curvature of fᵢ, times v. */
  const product =
    (add: NonNullable<MinibatchTerms["addHessian"]>) =>
    (x: Float64Array, v: Float64Array, out: Float64Array): void => {
      checkPoint(name, x, undefined, dimension);
      checkVector(name, "v", v, dimension);
      checkVector(name, "out", out, dimension);
      startFrom(count, v, out);
      for (let i = 0; i < count; i++) add.call(terms, i, x, v, scale, out);
    };

  return {
    dimension,
    count,
    layout: terms.layout,
    model,
    initial: initialPoint(seed),
    initialPoint,
    get fingerprint() {
      return named();
    },
    evaluate(index, x, gradient) {
      checkIndex(name, index, count);
      checkPoint(name, x, gradient, dimension);
      if (gradient !== undefined) startFrom(1, x, gradient);
      return scale * terms.add(index, x, scale, gradient) + ridge(1, x);
    },
    evaluateBatch,
    whole: {
      dimension,
      get fingerprint() {
        return named();
      },
      evaluate: (x, gradient) => evaluateBatch(all, x, gradient),
      ...(addHessian === undefined ? {} : { hessianVector: product(addHessian) }),
      ...(addGaussNewton === undefined ? {} : { gaussNewtonVector: product(addGaussNewton) }),
    },
  };
}
