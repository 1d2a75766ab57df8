/**
 * The dense layer Z = A Wᵀ + 1 bᵀ, or with tied weights Z = A W + 1 bᵀ: the weights are those of an encoder, transposed.
 *
 *   ∂f/∂W = Dᵀ A,  ∂f/∂b = Dᵀ 1,  ∂f/∂A = D W        (tied: ∂f/∂W = Aᵀ D, ∂f/∂A = D Wᵀ)
 *
 * | symbol | where in x         | shape                                        |
 * |--------|--------------------|----------------------------------------------|
 * | W      | from weights.offset | outputs × inputs (tied: inputs × outputs)   |
 * | b      | from bias.offset   | outputs                                      |
 */
import { normal, type RandomGenerator, sampleWithoutReplacement } from "@curvature/linalg";
import type { ParameterBlock } from "../sums/layout.js";
import type { MatrixProduct } from "../sums/matrix-product.js";
import type { Layer } from "./layer.js";

/**
 * How weights are drawn: "scaled": normal with deviation 1/√inputs; "sparse": 15 inputs of each unit (or all, where there
 * are fewer) normal with deviation 1, the others zero (Martens, ICML 2010); "none": by another layer. Biases start at 0.
 */
export type Start = "scaled" | "sparse" | "none";

const SPARSE_INPUTS = 15;

export class DenseLayer implements Layer {
  readonly inputs: number;
  readonly outputs: number;

  constructor(
    private readonly weights: ParameterBlock,
    private readonly bias: ParameterBlock,
    private readonly product: MatrixProduct,
    private readonly start: Start,
    private readonly isTied = false,
  ) {
    this.outputs = isTied ? weights.columns : weights.rows;
    this.inputs = isTied ? weights.rows : weights.columns;
  }

  forward(rows: number, x: Float64Array, A: Float64Array, Z: Float64Array): void {
    this.repeatBias(rows, x, Z);
    this.timesWeights(rows, A, x, Z);
  }

  backward(
    rows: number,
    x: Float64Array,
    A: Float64Array,
    D: Float64Array,
    gradient: Float64Array,
    inputSlopes: Float64Array | undefined,
  ): void {
    const { inputs, outputs, isTied, product, weights, bias } = this;
    if (isTied) product.transposeTimes(inputs, outputs, rows, A, 0, D, 0, gradient, weights.offset, true);
    else product.transposeTimes(outputs, inputs, rows, D, 0, A, 0, gradient, weights.offset, true);
    for (let n = 0, e = 0; n < rows; n++)
      for (let j = 0; j < outputs; j++, e++) gradient[bias.offset + j] += D[e];
    if (inputSlopes === undefined) return;
    if (isTied) product.timesTranspose(rows, inputs, outputs, D, 0, x, weights.offset, inputSlopes, 0, false);
    else product.times(rows, inputs, outputs, D, 0, x, weights.offset, inputSlopes, 0, false);
  }

  tangent(
    rows: number,
    x: Float64Array,
    v: Float64Array,
    A: Float64Array,
    inputTangent: Float64Array | undefined,
    outputTangent: Float64Array,
  ): void {
    this.repeatBias(rows, v, outputTangent);
    this.timesWeights(rows, A, v, outputTangent);
    if (inputTangent !== undefined) this.timesWeights(rows, inputTangent, x, outputTangent);
  }

  initialize(random: RandomGenerator, x: Float64Array): void {
    const { inputs, outputs, start, weights } = this;
    const deviation = start === "scaled" ? 1 / Math.sqrt(inputs) : 1;
    for (let j = 0; j < outputs && start !== "none"; j++) {
      const row = x.subarray(weights.offset + j * inputs, weights.offset + (j + 1) * inputs);
      if (start === "sparse" && inputs > SPARSE_INPUTS)
        for (const k of sampleWithoutReplacement(random, SPARSE_INPUTS, inputs)) row[k] = normal(random);
      else for (let k = 0; k < inputs; k++) row[k] = deviation * normal(random);
    }
  }

  /** Z ← 1 bᵀ, b in `from` */
  private repeatBias(rows: number, from: Float64Array, Z: Float64Array): void {
    const { outputs, bias } = this;
    for (let n = 0, e = 0; n < rows; n++) for (let j = 0; j < outputs; j++, e++) Z[e] = from[bias.offset + j];
  }

  /** Z ← Z + A Wᵀ (tied: A W), W in `from` */
  private timesWeights(rows: number, A: Float64Array, from: Float64Array, Z: Float64Array): void {
    const { inputs, outputs, isTied, product, weights } = this;
    if (isTied) product.times(rows, outputs, inputs, A, 0, from, weights.offset, Z, 0, true);
    else product.timesTranspose(rows, outputs, inputs, A, 0, from, weights.offset, Z, 0, true);
  }
}
