/**
 * A network as a sum over minibatches: layers with their activations, one after the other, and a loss of the outputs.
 *
 *   A_0 = data,   A_l = φ_l(z_l(A_l−1; x)),   l = loss(A_L) [+ contraction of A_1]
 *
 * Gradient by backpropagation. Gauss-Newton product: the tangent Ȧ_L of the outputs along v, the loss's curvature times
 * it, and that backpropagated: G v = Jᵀ H_L J v, with the Hessian H_L of the loss as a function of the outputs (Schraudolph:
 * Fast curvature matrix-vector products for second-order gradient descent. Neural Computation 14 (2002)).
 */
import type { DenseMatrix, RandomGenerator } from "@curvature/linalg";
import type { ParameterBlock } from "../sums/layout.js";
import type { MinibatchTerms } from "../sums/minibatch-sum.js";
import { type Model, type ModelShape, modelOf, ROWS } from "../sums/model.js";
import { Chain, type Stage } from "./chain.js";
import type { Contraction } from "./contraction.js";
import type { OutputLoss } from "./losses.js";

/** The layers of a network, for calls of at most so many rows. */
export type MakeStages = (rows: number) => readonly Stage[];

/** @param make - the same layers as those of the training */
export const networkModel = (name: string, shape: ModelShape, make: MakeStages): Model =>
  modelOf(name, shape, () => new Chain(make(ROWS), ROWS));

export class Network implements MinibatchTerms {
  /** With A_l for the largest minibatch. */
  private readonly chain: Chain;
  /** D_l = ∂f/∂A_l, then ∂f/∂z_l. */
  private readonly slopes: readonly Float64Array[];
  /** Ȧ_l, made when first needed. */
  private tangents: readonly Float64Array[] | undefined;

  constructor(
    readonly layout: readonly ParameterBlock[],
    make: MakeStages,
    private readonly minibatches: readonly DenseMatrix[],
    private readonly loss: OutputLoss,
    private readonly contraction?: Contraction,
  ) {
    const [{ rows }] = minibatches;
    this.chain = new Chain(make(rows), rows);
    this.slopes = this.chain.arrays();
  }

  add(index: number, x: Float64Array, scale: number, gradient: Float64Array | undefined): number {
    const { slopes, contraction } = this;
    const { stages, outputs } = this.chain;
    const { rows, data } = this.minibatches[index];
    const scores = this.chain.forward(rows, data, x);
    const last = stages.length - 1;
    let value = this.loss.add(index, rows, scores, scale, gradient && slopes[last]);
    if (contraction !== undefined) value += contraction.value(rows, x, outputs[0]);
    if (gradient === undefined) return value;
    for (let l = last; l >= 0; l--) {
      if (l === 0) contraction?.backward(rows, x, outputs[0], scale, slopes[0], gradient);
      this.backward(l, index, x, gradient);
    }
    return value;
  }

  addGaussNewton(index: number, x: Float64Array, v: Float64Array, scale: number, out: Float64Array): void {
    const { slopes, contraction } = this;
    const { stages, outputs } = this.chain;
    const { rows, data } = this.minibatches[index];
    this.tangents ??= this.chain.arrays();
    const { tangents } = this;
    const scores = this.chain.forward(rows, data, x);
    stages.forEach(({ layer, activation }, l) => {
      layer.tangent(rows, x, v, this.inputOf(l, index), l === 0 ? undefined : tangents[l - 1], tangents[l]);
      activation.timesSlope(outputs[l], tangents[l], rows * layer.outputs);
    });
    const last = stages.length - 1;
    slopes[last].set(tangents[last]);
    this.loss.curve(index, rows, scores, scale, slopes[last]);
    for (let l = last; l >= 0; l--) {
      if (l === 0) contraction?.curve(rows, x, v, outputs[0], tangents[0], scale, slopes[0], out);
      this.backward(l, index, x, out);
    }
  }

  initialize(random: RandomGenerator, x: Float64Array): void {
    for (const { layer } of this.chain.stages) layer.initialize(random, x);
  }

  /** From D_l to D_l−1, adding to the gradient. */
  private backward(l: number, index: number, x: Float64Array, gradient: Float64Array): void {
    const { slopes } = this;
    const { rows } = this.minibatches[index];
    const { layer, activation } = this.chain.stages[l];
    activation.timesSlope(this.chain.outputs[l], slopes[l], rows * layer.outputs);
    const input = this.inputOf(l, index);
    layer.backward(rows, x, input, slopes[l], gradient, l === 0 ? undefined : slopes[l - 1]);
  }

  private inputOf(l: number, index: number): Float64Array {
    return l === 0 ? this.minibatches[index].data : this.chain.outputs[l - 1];
  }
}
