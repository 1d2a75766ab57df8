/**
 * Max pooling: the largest entry of each p × p tile of each channel. Tiles do not overlap, and cover the image. Slopes and
 * tangents belong to the entry that was the largest, of equal ones to the first (in row order).
 */
import { integers } from "../sums/memory.js";
import { type ImageShape, pixelsOf } from "./convolution.js";
import type { Layer } from "./layer.js";

export class MaxPoolLayer implements Layer {
  readonly inputs: number;
  readonly outputs: number;
  readonly output: ImageShape;
  /** Where in A each output was found. */
  private readonly winners: Int32Array;

  /** @param rows - of the largest minibatch */
  constructor(
    private readonly image: ImageShape,
    private readonly side: number,
    rows: number,
  ) {
    const { channels, height, width } = image;
    this.output = { channels, height: height / side, width: width / side };
    this.inputs = pixelsOf(image);
    this.outputs = pixelsOf(this.output);
    this.winners = integers(rows * this.outputs);
  }

  forward(rows: number, _x: Float64Array, A: Float64Array, Z: Float64Array): void {
    const { image, side, output, winners } = this;
    const channels = rows * image.channels;
    let e = 0;
    for (let c = 0; c < channels; c++)
      for (let r = 0; r < output.height; r++)
        for (let s = 0; s < output.width; s++, e++) {
          const corner = (c * image.height + r * side) * image.width + s * side;
          let winner = corner;
          for (let i = 0; i < side; i++)
            for (let j = 0; j < side; j++) {
              const at = corner + i * image.width + j;
              if (A[at] > A[winner] || Number.isNaN(A[at])) winner = at; // a NaN wins
            }
          winners[e] = winner;
          Z[e] = A[winner];
        }
  }

  backward(
    rows: number,
    _x: Float64Array,
    _A: Float64Array,
    D: Float64Array,
    _gradient: Float64Array,
    inputSlopes: Float64Array | undefined,
  ): void {
    if (inputSlopes === undefined) return;
    inputSlopes.fill(0, 0, rows * this.inputs);
    for (let e = 0; e < rows * this.outputs; e++) inputSlopes[this.winners[e]] = D[e];
  }

  tangent(
    rows: number,
    _x: Float64Array,
    _v: Float64Array,
    _A: Float64Array,
    inputTangent: Float64Array | undefined,
    outputTangent: Float64Array,
  ): void {
    for (let e = 0; e < rows * this.outputs; e++)
      outputTangent[e] = inputTangent === undefined ? 0 : inputTangent[this.winners[e]];
  }

  initialize(): void {}
}
