/** Layers with their activations, one after the other, and the buffers that rows go through: of training and of use. */
import { numbers } from "../sums/memory.js";
import type { Forward } from "../sums/model.js";
import type { Activation } from "./activations.js";
import type { Layer } from "./layer.js";

export interface Stage {
  readonly layer: Layer;
  readonly activation: Activation;
}

export class Chain implements Forward {
  /** A_l */
  readonly outputs: readonly Float64Array[];

  /** @param rows - at most, of a call */
  constructor(
    readonly stages: readonly Stage[],
    private readonly rows: number,
  ) {
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
