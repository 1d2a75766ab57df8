/**
 * What the parameters of a fitted objective compute of rows, and the plain data that say so: layers, one after the other.
 *
 *   A_0 = rows,   A_l = φ_l(z_l(A_l−1; x)),   scores u = A_L,   predictions = link(u)
 *
 * | link       | predictions                                                                    |
 * |------------|--------------------------------------------------------------------------------|
 * | "logistic" | of the one score: 1 − p and p = 1/(1 + e^−u), of the labels −1 and +1           |
 * | "softmax"  | p_k = e^(u_k) / Σ e^(u_l), of the labels 0 … K − 1                              |
 * | "sigmoid"  | 1/(1 + e^−u) of every score                                                    |
 * | "identity" | the scores                                                                     |
 */
import {
  CurvatureError,
  checkFinite,
  type DenseMatrix,
  exp,
  type MatrixLike,
  oneOf,
  zeros,
} from "@curvature/linalg";
import { checkVector } from "../checks.js";
import type { ActivationName } from "../networks/activations.js";
import type { ImageShape } from "../networks/convolution.js";
import { sigmoid } from "../ordinal/softplus.js";
import { type ParameterBlock, parameterCount } from "./layout.js";
import { checkedData } from "./minibatches.js";

/** z_k = b_k + Σ_j W_kj a_j */
export interface DenseLayerShape {
  readonly kind: "dense";
  /** W: outputs × inputs; transposed inputs × outputs; with its biases in the last column outputs × (inputs + 1). */
  readonly weights: ParameterBlock;
  readonly biases: ParameterBlock | "last-column" | "none";
  /** Tied to the weights of an encoder. */
  readonly isTransposed: boolean;
  readonly activation: ActivationName;
}

/** z[m, r, s] = b_m + Σ_{c, i, j} F[m, c, i, j] a[c, r + i, s + j], without padding */
export interface ConvolutionLayerShape {
  readonly kind: "convolution";
  /** What comes in. */
  readonly image: ImageShape;
  /** Of a filter. */
  readonly side: number;
  /** F: maps × (channels side²) */
  readonly filters: ParameterBlock;
  readonly biases: ParameterBlock;
  readonly activation: ActivationName;
}

/** The largest entry of each tile of each channel; tiles do not overlap. */
export interface MaxPoolLayerShape {
  readonly kind: "max-pool";
  readonly image: ImageShape;
  /** Of a tile. */
  readonly side: number;
}

export type LayerShape = DenseLayerShape | ConvolutionLayerShape | MaxPoolLayerShape;

export type Link = "identity" | "logistic" | "softmax" | "sigmoid";

/** A model without its parameters. JSON has it as it is. */
export interface ModelShape {
  /** Numbers of a row. */
  readonly inputs: number;
  /** What x is made of. */
  readonly layout: readonly ParameterBlock[];
  readonly layers: readonly LayerShape[];
  readonly link: Link;
  /** Of autoencoders: how many layers lead to the code. */
  readonly codeLayers?: number | undefined;
}

/** What of the rows is meant: by the link, before it, or the code of an autoencoder. */
export type OutputKind = "predictions" | "scores" | "codes";

export interface Model {
  readonly shape: ModelShape;
  /**
   * What the parameters x compute of each row; nothing is learned.
   *
   * @param x - as long as the model's layout
   * @param rows - n x inputs, at least one row, like the rows of the fit
   * @param as - default: predictions
   * @returns n x classes (probabilities; logistic: of −1 and +1), n x targets, n x inputs (reconstructions) or n x sources;
   *   scores: before the link, of the logistic n x 1; codes: n x units of the code
   * @throws CurvatureError ERR_SHAPE; ERR_NON_FINITE, also for outputs that overflow; ERR_ARGUMENT for codes of what has none
   */
  outputs(x: Float64Array, rows: MatrixLike, as?: OutputKind): DenseMatrix;
}

/** The layers of a shape on at most `ROWS` rows at a time. */
export interface Forward {
  /** @returns A_l of the first `layers` layers, n × width and perhaps longer; written over by the next call */
  forward(rows: number, data: Float64Array, x: Float64Array, layers: number): Float64Array;
  /** Numbers of a row behind so many layers. */
  width(layers: number): number;
}

/** Rows that go through the layers at once. */
export const ROWS = 256;

const anOutput = /* @__PURE__ */ oneOf("predictions", "scores", "codes");

/** @param make - called when it is first needed */
export function modelOf(name: string, shape: ModelShape, make: () => Forward): Model {
  const where = `${name}.model.outputs`;
  let chain: Forward | undefined;
  return {
    shape,
    outputs(x, given, as = "predictions") {
      if (!anOutput.accepts(as)) throw wrongKind(where, as, anOutput.expected);
      if (as === "codes" && shape.codeLayers === undefined)
        throw wrongKind(where, as, '"predictions" or "scores": this model has no code');
      checkVector(where, "x", x, parameterCount(shape.layout));
      const { rows, columns, data } = checkedData(where, given, "rows");
      if (columns !== shape.inputs)
        throw new CurvatureError(
          "ERR_SHAPE",
          `rows must have ${shape.inputs} columns, as in the fit; received ${columns}.`,
          { where, path: "rows", expected: `${shape.inputs} columns`, received: columns },
        );
      chain ??= make();
      const layers = as === "codes" ? (shape.codeLayers ?? 0) : shape.layers.length;
      const width = chain.width(layers);
      const out = zeros(rows, width);
      for (let from = 0; from < rows; from += ROWS) {
        const count = Math.min(ROWS, rows - from);
        const part = chain.forward(count, data.subarray(from * columns, (from + count) * columns), x, layers);
        out.data.set(part.subarray(0, count * width), from * width);
      }
      checkFinite(out, `${where}: the outputs`);
      return as === "predictions" ? linked(shape.link, out) : out;
    },
  };
}

const wrongKind = (where: string, received: unknown, expected: string): CurvatureError =>
  new CurvatureError("ERR_ARGUMENT", `as must be ${expected}.`, { where, path: "as", expected, received });

/** The link's values of scores, in place where they are as many. */
function linked(link: Link, scores: DenseMatrix): DenseMatrix {
  const { rows, columns, data } = scores;
  if (link === "logistic")
    return {
      rows,
      columns: 2,
      data: Float64Array.from({ length: 2 * rows }, (_, e) =>
        sigmoid(e % 2 === 0 ? -data[e >> 1] : data[e >> 1]),
      ),
    };
  if (link === "sigmoid") for (let e = 0; e < data.length; e++) data[e] = sigmoid(data[e]);
  if (link === "softmax")
    for (let n = 0; n < rows; n++) softmax(data.subarray(n * columns, (n + 1) * columns));
  return scores;
}

/** u ← e^u / Σ e^u */
function softmax(u: Float64Array): void {
  const top = u.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (let k = 0; k < u.length; k++) {
    u[k] = exp(u[k] - top);
    sum += u[k];
  }
  for (let k = 0; k < u.length; k++) u[k] /= sum;
}
