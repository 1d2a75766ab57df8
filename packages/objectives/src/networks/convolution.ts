/**
 * The convolutional layer: M maps, each the correlation of all C channels of an image with a k × k filter per channel, at
 * the positions where the filter lies inside the image, and a bias.
 *
 *   z[m, r, s] = b_m + Σ_{c, i, j} F[m, c, i, j] a[c, r + i, s + j],   r < H − k + 1, s < W − k + 1
 *
 * Per image a product of F (M × C k²) with the matrix P (C k² × positions) of the patches, which is made anew when needed;
 * ∂f/∂F = D Pᵀ, ∂f/∂P = Fᵀ D, whose entries go back to the pixels they came from. Images are rows of C H W numbers,
 * channel by channel, row by row.
 */
import { normal, type RandomGenerator } from "@curvature/linalg";
import type { ParameterBlock } from "../sums/layout.js";
import type { MatrixProduct } from "../sums/matrix-product.js";
import { numbers } from "../sums/memory.js";
import type { Layer } from "./layer.js";

/** The shape of an image. */
export interface ImageShape {
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

export const pixelsOf = ({ channels, height, width }: ImageShape): number => channels * height * width;

export class ConvolutionLayer implements Layer {
  readonly inputs: number;
  readonly outputs: number;
  readonly output: ImageShape;
  private readonly maps: number;
  private readonly positions: number;
  private readonly patch: number;
  /** P, and ∂f/∂P. */
  private readonly patches: Float64Array;

  /** @param filters - M × C k² */
  constructor(
    private readonly image: ImageShape,
    private readonly side: number,
    private readonly filters: ParameterBlock,
    private readonly bias: ParameterBlock,
    private readonly product: MatrixProduct,
  ) {
    const { height, width } = image;
    this.maps = filters.rows;
    this.patch = filters.columns;
    this.output = { channels: this.maps, height: height - side + 1, width: width - side + 1 };
    this.positions = this.output.height * this.output.width;
    this.inputs = pixelsOf(image);
    this.outputs = pixelsOf(this.output);
    this.patches = numbers(this.patch * this.positions);
  }

  forward(rows: number, x: Float64Array, A: Float64Array, Z: Float64Array): void {
    const { bias, inputs } = this;
    for (let n = 0; n < rows; n++) {
      this.repeatBias(n, x, bias.offset, Z);
      this.gather(A, n * inputs);
      this.addFiltered(n, x, Z);
    }
  }

  backward(
    rows: number,
    x: Float64Array,
    A: Float64Array,
    D: Float64Array,
    gradient: Float64Array,
    inputSlopes: Float64Array | undefined,
  ): void {
    const { maps, positions, patch, patches, product, filters, bias, inputs, outputs } = this;
    inputSlopes?.fill(0, 0, rows * inputs);
    for (let n = 0; n < rows; n++) {
      const at = n * outputs;
      for (let m = 0, e = at; m < maps; m++)
        for (let p = 0; p < positions; p++, e++) gradient[bias.offset + m] += D[e];
      this.gather(A, n * inputs);
      product.timesTranspose(maps, patch, positions, D, at, patches, 0, gradient, filters.offset, true);
      if (inputSlopes === undefined) continue;
      product.transposeTimes(patch, positions, maps, x, filters.offset, D, at, patches, 0, false);
      this.scatter(inputSlopes, n * inputs);
    }
  }

  tangent(
    rows: number,
    x: Float64Array,
    v: Float64Array,
    A: Float64Array,
    inputTangent: Float64Array | undefined,
    outputTangent: Float64Array,
  ): void {
    for (let n = 0; n < rows; n++) {
      this.repeatBias(n, v, this.bias.offset, outputTangent);
      this.gather(A, n * this.inputs);
      this.addFiltered(n, v, outputTangent);
      if (inputTangent === undefined) continue;
      this.gather(inputTangent, n * this.inputs);
      this.addFiltered(n, x, outputTangent);
    }
  }

  initialize(random: RandomGenerator, x: Float64Array): void {
    const { filters, maps, patch } = this;
    const deviation = 1 / Math.sqrt(patch);
    for (let e = 0; e < maps * patch; e++) x[filters.offset + e] = deviation * normal(random);
  }

  /** Image n of Z ← b at every position. */
  private repeatBias(n: number, from: Float64Array, offset: number, Z: Float64Array): void {
    const { maps, positions, outputs } = this;
    for (let m = 0; m < maps; m++) {
      const at = n * outputs + m * positions;
      Z.fill(from[offset + m], at, at + positions);
    }
  }

  /** Image n of Z ← Z + F P, F in `from`. */
  private addFiltered(n: number, from: Float64Array, Z: Float64Array): void {
    const { maps, positions, patch, patches, product, filters, outputs } = this;
    product.times(maps, positions, patch, from, filters.offset, patches, 0, Z, n * outputs, true);
  }

  /** P ← the patches of the image in A from `at`. */
  private gather(A: Float64Array, at: number): void {
    const { image, side, output, patches } = this;
    let e = 0;
    for (let c = 0; c < image.channels; c++)
      for (let i = 0; i < side; i++)
        for (let j = 0; j < side; j++)
          for (let r = 0; r < output.height; r++) {
            const from = at + (c * image.height + r + i) * image.width + j;
            for (let s = 0; s < output.width; s++) patches[e++] = A[from + s];
          }
  }

  /** Adds each entry of P to the pixel it came from. */
  private scatter(slopes: Float64Array, at: number): void {
    const { image, side, output, patches } = this;
    let e = 0;
    for (let c = 0; c < image.channels; c++)
      for (let i = 0; i < side; i++)
        for (let j = 0; j < side; j++)
          for (let r = 0; r < output.height; r++) {
            const to = at + (c * image.height + r + i) * image.width + j;
            for (let s = 0; s < output.width; s++) slopes[to + s] += patches[e++];
          }
  }
}
