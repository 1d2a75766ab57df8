/**
 * `@curvature/objectives/onnx`: what a fit of `networks` or `sums` computes of rows as an ONNX file, for programs in other languages.
 *
 * | name            | shape        | what it is                                                                                    |
 * |-----------------|--------------|-----------------------------------------------------------------------------------------------|
 * | `X`             | N × inputs   | rows as before the scaling, where there is one                                                |
 * | `label`         | N            | of classes: that of the largest score, of equal ones the first                                |
 * | `scores`        | N × outputs  | before the link, where that changes them; logistic: N × 1                                     |
 * | `probabilities` | N × classes  | softmax(scores), of the logistic softmax(0, score)                                            |
 * | `prediction`    | N × outputs  | of what has no classes: numbers, reconstructions, sources                                     |
 * | `code`          | N × units    | of autoencoders                                                                               |
 *
 * A dense layer is Gemm, a convolution Conv without padding, max pooling MaxPool; images are N × channels × height × width.
 */
import {
  badArgument,
  badOption,
  CurvatureError,
  type OptionsOf,
  oneOf,
  optionTable,
  type Scaling,
} from "@curvature/linalg";
import { OnnxBuilder, type OnnxPrecision, type OnnxValue, onnxModel } from "@curvature/linalg/onnx";
import { checkVector } from "../checks.js";
import type { ActivationName } from "../networks/activations.js";
import { type ImageShape, pixelsOf } from "../networks/convolution.js";
import { modelOfShape } from "../networks/model-of-shape.js";
import { type ParameterBlock, parameterCount } from "../sums/layout.js";
import type { LayerShape, Model, ModelShape } from "../sums/model.js";

export const networkToOnnxOptions = optionTable({
  /**
   * Of X, the parameters and the outputs. Left out: "float", which every runtime knows, and "double" where a column of the scaling, or
   * targets, lie farther from 0 than 4096 of their scales. ONNX Runtime has no convolutions in double precision, so that networks with any are
   * "float".
   */
  precision: oneOf("float", "double"),
});
export type NetworkToOnnxOptions = OptionsOf<typeof networkToOnnxOptions>;

/** A model with its parameters, and what stands before and behind it. */
export interface ParametrizedModel {
  readonly model: Model;
  readonly parameters: Float64Array;
  /** Of the rows; left out: they are as given. */
  readonly scaling?: Scaling | undefined;
  /** In the order of the outputs; left out or empty: −1 and 1 of the logistic, 0 … K − 1 of a softmax. */
  readonly classes?: readonly (string | number | boolean)[] | undefined;
  /** Of numbers: outputs are multiplied by the deviation, then the mean is added. */
  readonly targets?: { readonly mean: number; readonly deviation: number } | undefined;
  /** Names of the inputs, for the metadata. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * The model as an ONNX file of opset 13. Nothing is checked when it runs: of a NaN come NaNs.
 *
 * @throws CurvatureError ERR_ARGUMENT for what is no model; ERR_SHAPE for parameters, classes, columns or a scaling of another length;
 *   ERR_OPTION, also for "double" with a convolution; ERR_NON_FINITE; ERR_MEMORY for more than 2 GiB
 * @example
 * const { whole, initial, model } = multilayerPerceptron(rows, labels);
 * const { x } = runSync(new Lbfgs(whole, initial), { stop: maxIterations(50) });
 * if (model !== undefined) networkToOnnx({ model, parameters: x });
 */
export function networkToOnnx(fitted: ParametrizedModel, options?: NetworkToOnnxOptions): Uint8Array {
  const { precision } = networkToOnnxOptions.resolve(NAME, options);
  const { shape, parameters, scaling, classes, targets, columns } = checked(fitted);
  if (precision === "double" && hasConvolutions(shape))
    throw badOption(
      NAME,
      "precision",
      '"float", since ONNX Runtime has no convolutions of doubles',
      precision,
    );
  const graph = new OnnxBuilder(precision ?? precisionFor(shape, scaling, targets));
  const element = graph.precision;
  const outputs: OnnxValue[] = [];
  const output = (name: string, width: number): number =>
    outputs.push({ name, element, shape: ["N", width] });

  let rows: Tensor = { name: scaledRows(graph, scaling), image: undefined, width: shape.inputs };
  const layers = new Layers(graph, parameters);
  const { link } = shape;
  const last = link !== "identity" ? "scores" : targets === undefined ? "prediction" : "scaled_prediction";
  for (const [l, layer] of shape.layers.entries()) {
    const isEnd = l === shape.layers.length - 1 && layer.kind === "dense";
    rows = layers.add(rows, layer, isEnd ? last : `layer_${l + 1}`);
    if (l + 1 === shape.codeLayers)
      output(graph.node("Flatten", [rows.name], "code", { axis: 1 }), rows.width);
  }
  rows = layers.flat(rows, last);
  const { width } = rows;
  if (link !== "identity" || targets === undefined) output(last, width);
  if (classes.length > 0) {
    const ranked = link === "logistic" ? graph.pairs(last) : last;
    outputs.unshift({ name: "label", element: graph.labels(ranked, classes), shape: ["N"] });
    output(graph.node("Softmax", [ranked], "probabilities", { axis: 1 }), classes.length);
  } else if (link === "sigmoid") output(graph.node("Sigmoid", [last], "prediction"), width);
  else if (targets !== undefined) {
    const product = graph.node(
      "Mul",
      [last, graph.numbers("deviation", [], [targets.deviation])],
      "in_units",
    );
    output(graph.node("Add", [product, graph.numbers("mean", [], [targets.mean])], "prediction"), width);
  }
  return onnxModel({
    name: "network",
    description: `A model of curvature with ${shape.inputs} inputs.`,
    inputs: [{ name: "X", element, shape: ["N", shape.inputs] }],
    outputs,
    constants: graph.constants,
    nodes: graph.nodes,
    metadata: {
      ...(columns !== undefined && { columns: JSON.stringify(columns) }),
      ...(classes.length > 0 && { classes: JSON.stringify(classes) }),
    },
  });
}

const NAME = "networkToOnnx";

const hasConvolutions = ({ layers }: ModelShape): boolean =>
  layers.some(({ kind }) => kind === "convolution");

function precisionFor(
  shape: ModelShape,
  scaling: Scaling | undefined,
  targets: ParametrizedModel["targets"],
): OnnxPrecision {
  const scales = scaling?.scales ?? [];
  const holds =
    (targets === undefined || OnnxBuilder.floatHolds(targets.mean, targets.deviation)) &&
    (scaling?.offsets ?? []).every((offset, j) => OnnxBuilder.floatHolds(offset, scales[j]));
  return holds || hasConvolutions(shape) ? "float" : "double";
}

function scaledRows(graph: OnnxBuilder, scaling: Scaling | undefined): string {
  if (scaling === undefined) return "X";
  const { method, offsets, scales } = scaling;
  if (method === "unit-rows") return graph.unitRows("X");
  const centered = graph.centered("X", offsets);
  return graph.node("Div", [centered, graph.numbers("scales", [scales.length], scales)], "scaled");
}

/** What a node gives: N × width, or images. */
interface Tensor {
  readonly name: string;
  readonly image: ImageShape | undefined;
  readonly width: number;
}

const operators: Readonly<Record<ActivationName, string | undefined>> = {
  sigmoid: "Sigmoid",
  tanh: "Tanh",
  "rectified-linear": "Relu",
  linear: undefined,
};

class Layers {
  private readonly blocks = new Map<string, string>();

  constructor(
    private readonly graph: OnnxBuilder,
    private readonly x: Float64Array,
  ) {}

  /** @param name - of the output */
  add(rows: Tensor, layer: LayerShape, name: string): Tensor {
    const { graph } = this;
    if (layer.kind === "dense") {
      const { weights, isTransposed, activation } = layer;
      const before = activation === "linear" ? name : `${name}_linear`;
      const inputs = [this.flat(rows, `${name}_rows`).name, ...this.weightsAndBiases(layer)];
      this.activated(graph.node("Gemm", inputs, before, { transB: isTransposed ? 0 : 1 }), activation, name);
      return { name, image: undefined, width: isTransposed ? weights.columns : weights.rows };
    }
    const { side, image } = layer;
    const images = this.images(rows, image, `${name}_images`);
    if (layer.kind === "max-pool") {
      graph.node("MaxPool", [images], name, { kernel_shape: [side, side], strides: [side, side] });
      return this.made(name, { ...image, height: image.height / side, width: image.width / side });
    }
    const { filters, biases, activation } = layer;
    const before = activation === "linear" ? name : `${name}_linear`;
    const F = this.block(filters, [filters.rows, image.channels, side, side]);
    const convolved = graph.node("Conv", [images, F, this.block(biases, [filters.rows])], before);
    this.activated(convolved, activation, name);
    const [height, width] = [image.height - side + 1, image.width - side + 1];
    return this.made(name, { channels: filters.rows, height, width });
  }

  /** N × width */
  flat(rows: Tensor, name: string): Tensor {
    if (rows.image === undefined) return rows;
    return { ...rows, name: this.graph.node("Flatten", [rows.name], name, { axis: 1 }), image: undefined };
  }

  private made(name: string, image: ImageShape): Tensor {
    return { name, image, width: pixelsOf(image) };
  }

  private images(rows: Tensor, { channels, height, width }: ImageShape, name: string): string {
    const { image } = rows;
    if (image?.channels === channels && image.height === height && image.width === width) return rows.name;
    const sizes = BigInt64Array.from([0, channels, height, width], BigInt); // 0: as many as there are
    return this.graph.node("Reshape", [rows.name, this.graph.constant(`${name}_shape`, [4], sizes)], name);
  }

  private activated(before: string, activation: ActivationName, name: string): void {
    const operator = operators[activation];
    if (operator !== undefined) this.graph.node(operator, [before], name);
  }

  private weightsAndBiases({ weights, biases }: LayerShape & { kind: "dense" }): string[] {
    const { rows, columns, offset } = weights;
    if (biases === "none") return [this.block(weights, [rows, columns])];
    if (biases !== "last-column")
      return [this.block(weights, [rows, columns]), this.block(biases, [biases.rows * biases.columns])];
    const entries = this.x.subarray(offset, offset + rows * columns);
    const isBias = (_: number, e: number): boolean => e % columns === columns - 1;
    return [
      this.graph.numbers(
        "weights",
        [rows, columns - 1],
        entries.filter((w, e) => !isBias(w, e)),
      ),
      this.graph.numbers("biases", [rows], entries.filter(isBias)),
    ];
  }

  /** Tied weights stand in the file once. */
  private block({ name, offset, rows, columns }: ParameterBlock, shape: readonly number[]): string {
    const known = this.blocks.get(name);
    if (known !== undefined) return known;
    const values = this.x.subarray(offset, offset + rows * columns);
    const made = this.graph.numbers(name.replace(/\W/g, "_"), shape, values); // as identifiers of C, which ONNX asks for
    this.blocks.set(name, made);
    return made;
  }
}

interface Checked extends Omit<ParametrizedModel, "model"> {
  readonly shape: ModelShape;
  readonly classes: readonly (string | number | boolean)[];
}

function checked(fitted: ParametrizedModel): Checked {
  if (typeof fitted !== "object" || fitted === null)
    throw badArgument(NAME, "fitted", "an object with a model and its parameters", fitted);
  const { parameters, scaling, targets, columns, model } = fitted;
  if (typeof model !== "object" || model === null)
    throw badArgument(NAME, "model", "the model of a sum", model);
  const { shape } = modelOfShape(model.shape);
  const { inputs, link } = shape;
  checkVector(NAME, "parameters", parameters, parameterCount(shape.layout));
  if (scaling !== undefined) {
    checkVector(NAME, "scaling.offsets", scaling?.offsets, inputs);
    checkVector(NAME, "scaling.scales", scaling?.scales, inputs);
  }
  if (
    targets !== undefined &&
    !(link === "identity" && [targets?.mean, targets?.deviation].every(Number.isFinite))
  )
    throw badArgument(NAME, "targets", "a mean and a deviation, of a model whose link is identity", targets);
  checkList(columns ?? [], "columns", columns === undefined ? 0 : inputs);
  const K = link === "logistic" ? 2 : link === "softmax" ? widthOf(shape.layers) : 0;
  const classes = fitted.classes ?? [];
  checkList(classes, "classes", classes.length === 0 ? 0 : K);
  if (classes.length > 0 || K === 0) return { shape, parameters, scaling, targets, columns, classes };
  const names = link === "logistic" ? [-1, 1] : Array.from({ length: K }, (_, k) => k);
  return { shape, parameters, scaling, targets, columns, classes: names };
}

/** Numbers that the last layer gives. */
function widthOf(layers: readonly LayerShape[]): number {
  const last = layers[layers.length - 1];
  if (last.kind === "dense") return last.isTransposed ? last.weights.columns : last.weights.rows;
  const { image, side } = last;
  const { height, width } = image;
  return last.kind === "max-pool"
    ? pixelsOf(image) / side / side
    : last.filters.rows * (height - side + 1) * (width - side + 1);
}

function checkList(given: unknown, path: string, length: number): void {
  if (!Array.isArray(given)) throw badArgument(NAME, path, "an array", given);
  if (given.length === length) return;
  throw new CurvatureError("ERR_SHAPE", `${path} must have ${length} entries; received ${given.length}.`, {
    where: NAME,
    path,
    expected: `${length} entries`,
    received: given,
  });
}
