/** Layers with their activations, one after the other, and the buffers that rows go through: of training and of use. */
import { MatrixProduct } from "../sums/matrix-product.js";
import { numbers } from "../sums/memory.js";
import type { Forward, LayerShape } from "../sums/model.js";
import { type Activation, activationNamed } from "./activations.js";
import { ConvolutionLayer } from "./convolution.js";
import { DenseLayer, type Start } from "./dense.js";
import type { Layer } from "./layer.js";
import { MaxPoolLayer } from "./max-pool.js";

interface Stage {
  readonly layer: Layer;
  readonly activation: Activation;
}

export class Chain implements Forward {
  readonly stages: readonly Stage[];
  /** A_l */
  readonly outputs: readonly Float64Array[];

  /**
   * @param rows - at most, of a call
   * @param start - how weights are drawn, where they are
   */
  constructor(
    layers: readonly LayerShape[],
    private readonly rows: number,
    start: Start = "none",
  ) {
    const product = new MatrixProduct();
    this.stages = layers.map((layer) => stageOf(layer, rows, product, start));
    this.outputs = this.arrays();
  }

  /** A_l = φ_l(z_l(A_l−1; x)) of the first `layers` of them; the last is returned. */
  forward(rows: number, data: Float64Array, x: Float64Array, layers = this.stages.length): Float64Array {
    const { stages, outputs } = this;
    for (let l = 0; l < layers; l++) {
      const { layer, activation } = stages[l];
      layer.forward(rows, x, l === 0 ? data : outputs[l - 1], outputs[l]);
      activation.apply(outputs[l], rows * layer.outputs);
    }
    return outputs[layers - 1];
  }

  width(layers: number): number {
    return this.stages[layers - 1].layer.outputs;
  }

  /** For a number of each unit of each row. */
  arrays(): Float64Array[] {
    return this.stages.map(({ layer }) => numbers(this.rows * layer.outputs));
  }
}

function stageOf(shape: LayerShape, rows: number, product: MatrixProduct, start: Start): Stage {
  if (shape.kind === "max-pool")
    return { layer: new MaxPoolLayer(shape.image, shape.side, rows), activation: activationNamed("linear") };
  const activation = activationNamed(shape.activation);
  if (shape.kind === "convolution") {
    const { image, side, filters, biases } = shape;
    return { layer: new ConvolutionLayer(image, side, filters, biases, product), activation };
  }
  const { weights, biases, isTransposed } = shape;
  if (typeof biases === "string")
    throw new TypeError(`a chain has layers with biases of their own, not ${biases}`);
  const drawn = isTransposed ? "none" : start; // tied weights are drawn by the layer that they are tied to
  return { layer: new DenseLayer(weights, biases, product, drawn, isTransposed), activation };
}
