/** A model from its plain description, as a file has it: nothing is believed that was not checked. */
import { badArgument, shown } from "@curvature/linalg";
import { type ParameterBlock, parameterCount } from "../sums/layout.js";
import { linearForward } from "../sums/linear-scores.js";
import { type LayerShape, type Link, type Model, type ModelShape, modelOf } from "../sums/model.js";
import { anActivation } from "./activations.js";
import { type ImageShape, pixelsOf } from "./convolution.js";
import { imageStages } from "./image-stages.js";
import { networkModel } from "./network.js";

const NAME = "modelOfShape";

/**
 * The model that `sum.model.shape` describes, without the data of its fit.
 *
 * @param shape - a `ModelShape`, as it was or as JSON has it
 * @throws CurvatureError ERR_ARGUMENT that names the part which no model has
 */
export function modelOfShape(shape: unknown): Model {
  const checked = checkedShape(shape);
  const [first] = checked.layers;
  if (first.kind === "dense" && typeof first.biases === "string")
    return modelOf(NAME, checked, () => linearForward(first.weights, first.biases === "last-column"));
  return networkModel(NAME, checked, (rows) => imageStages(checked.layers, rows, "none"));
}

type Fields = ReadonlyMap<string, unknown>;

const fieldsOf = (value: unknown): Fields =>
  new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);

const wrong = (path: string, expected: string, received: unknown) =>
  badArgument(NAME, `shape.${path}`, expected, received);

const links: readonly Link[] = ["identity", "logistic", "softmax", "sigmoid"];
/** Numbers of a model beyond which none fits into memory. */
const MOST = 2 ** 31;

function checkedShape(given: unknown): ModelShape {
  const fields = fieldsOf(given);
  const inputs = whole(fields, "inputs", "inputs");
  const layout = list(fields, "layout").map((block, k) => blockOf(block, `layout[${k}]`));
  const total = parameterCount(layout);
  let offset = 0;
  for (const [k, block] of layout.entries()) {
    if (block.offset !== offset) throw wrong(`layout[${k}].offset`, String(offset), block.offset);
    offset += block.rows * block.columns;
  }
  if (!(total <= MOST)) throw wrong("layout", `at most ${MOST} parameters`, total);
  const layers = list(fields, "layers").map((layer, l) => layerOf(layer, `layers[${l}]`, layout));
  if (layers.length === 0) throw wrong("layers", "one layer at least", layers);
  let width = inputs;
  for (const [l, layer] of layers.entries()) {
    const [needed, made] = sizesOf(layer, `layers[${l}]`);
    if (needed !== width) throw wrong(`layers[${l}]`, `a layer of ${width} inputs`, needed);
    if (layer.kind === "dense" && typeof layer.biases === "string" && layers.length > 1)
      throw wrong(`layers[${l}].biases`, "a block of the layout, in a model of several layers", layer.biases);
    width = made;
  }
  const link = links.find((each) => each === fields.get("link"));
  if (link === undefined) throw wrong("link", `one of ${links.map(shown).join(", ")}`, fields.get("link"));
  if ((link === "logistic" && width !== 1) || (link === "softmax" && width < 2))
    throw wrong(
      "layers",
      link === "logistic" ? "one score for logistic" : "two scores or more for softmax",
      width,
    );
  const codeLayers = fields.get("codeLayers") == null ? undefined : whole(fields, "codeLayers", "codeLayers");
  if (codeLayers !== undefined && codeLayers > layers.length)
    throw wrong("codeLayers", `at most ${layers.length}`, codeLayers);
  return { inputs, layout, layers, link, codeLayers };
}

function layerOf(given: unknown, path: string, layout: readonly ParameterBlock[]): LayerShape {
  const fields = fieldsOf(given);
  const block = (name: string): ParameterBlock => {
    const { name: called, offset, rows, columns } = blockOf(fields.get(name), `${path}.${name}`);
    const known = layout.find((each) => each.name === called);
    if (known?.offset === offset && known.rows === rows && known.columns === columns) return known;
    throw wrong(`${path}.${name}`, "a block of the layout", fields.get(name));
  };
  const kind = fields.get("kind");
  if (kind === "max-pool") return { kind, image: imageOf(fields, path), side: whole(fields, "side", path) };
  const activation = fields.get("activation");
  if (!anActivation.accepts(activation)) throw wrong(`${path}.activation`, anActivation.expected, activation);
  if (kind === "convolution")
    return {
      kind,
      image: imageOf(fields, path),
      side: whole(fields, "side", path),
      filters: block("filters"),
      biases: block("biases"),
      activation,
    };
  if (kind !== "dense") throw wrong(`${path}.kind`, '"dense", "convolution" or "max-pool"', kind);
  const isTransposed = fields.get("isTransposed");
  if (typeof isTransposed !== "boolean") throw wrong(`${path}.isTransposed`, "true or false", isTransposed);
  const own = fields.get("biases");
  const biases = own === "last-column" || own === "none" ? own : block("biases");
  const weights = block("weights");
  // The scores of a linear model begin x, and are as they are.
  if (typeof biases === "string" && (isTransposed || activation !== "linear" || weights.offset !== 0))
    throw wrong(`${path}.biases`, "a block of the layout, except for a linear model's", biases);
  return { kind, weights, biases, isTransposed, activation };
}

/** Numbers of a row that a layer takes and makes. */
function sizesOf(layer: LayerShape, path: string): readonly [number, number] {
  if (layer.kind === "dense") {
    const { weights, biases, isTransposed } = layer;
    const [outputs, inputs] = isTransposed
      ? [weights.columns, weights.rows]
      : [weights.rows, weights.columns];
    if (typeof biases === "string") return [inputs - Number(biases === "last-column"), outputs];
    if (biases.rows * biases.columns !== outputs) throw wrong(`${path}.biases`, `${outputs} numbers`, biases);
    return [inputs, outputs];
  }
  const { image, side } = layer;
  const { channels, height, width } = image;
  if (layer.kind === "max-pool") {
    if (height % side !== 0 || width % side !== 0)
      throw wrong(`${path}.side`, "tiles that cover the image", side);
    return [pixelsOf(image), pixelsOf({ channels, height: height / side, width: width / side })];
  }
  const { filters, biases } = layer;
  if (side > height || side > width) throw wrong(`${path}.side`, "filters that fit into the image", side);
  if (filters.columns !== channels * side * side)
    throw wrong(`${path}.filters`, `${channels * side * side} columns`, filters.columns);
  if (biases.rows * biases.columns !== filters.rows)
    throw wrong(`${path}.biases`, `${filters.rows} numbers`, biases);
  const made = { channels: filters.rows, height: height - side + 1, width: width - side + 1 };
  return [pixelsOf(image), pixelsOf(made)];
}

function imageOf(fields: Fields, path: string): ImageShape {
  const image = fieldsOf(fields.get("image"));
  const size = (name: string): number => whole(image, name, `${path}.image.${name}`);
  return { channels: size("channels"), height: size("height"), width: size("width") };
}

function blockOf(given: unknown, path: string): ParameterBlock {
  const fields = fieldsOf(given);
  const name = fields.get("name");
  const offset = fields.get("offset");
  if (typeof name !== "string") throw wrong(`${path}.name`, "a text", name);
  if (typeof offset !== "number" || !Number.isSafeInteger(offset) || offset < 0)
    throw wrong(`${path}.offset`, "a whole number of at least 0", offset);
  return { name, offset, rows: whole(fields, "rows", path), columns: whole(fields, "columns", path) };
}

function list(fields: Fields, name: string): readonly unknown[] {
  const value = fields.get(name);
  if (Array.isArray(value)) return value;
  throw wrong(name, "an array", value);
}

function whole(fields: Fields, name: string, path: string): number {
  const value = fields.get(name);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1 && value <= MOST) return value;
  throw wrong(path.endsWith(name) ? path : `${path}.${name}`, "a whole number of at least 1", value);
}
