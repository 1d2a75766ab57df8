/**
 * ONNX models: a graph of operators over tensors as one file, with which ONNX Runtime and others compute, in any language.
 *
 * Files are of IR version 7 with operators of version 13 (ONNX 1.8 of 2020), so that old runtimes read them, too. Numbers are
 * little-endian `raw_data`. Field numbers are those of onnx.proto, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
 */
import { CurvatureError } from "../errors.js";
import { badArgument, shown } from "../options.js";
import { Message } from "./wire.js";

const IR_VERSION = 7;
const OPERATORS = 13;

/** `onnx.TensorProto.DataType` */
const elements = { float: 1, int64: 7, string: 8, bool: 9, double: 11 } as const;
export type OnnxElement = keyof typeof elements;

/** `onnx.AttributeProto.AttributeType` */
const [INT, INTS] = [2, 7];

/** A constant, row-major. What it is made of says which elements it has: float, double, int64, bool or string. */
export interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array | Float64Array | BigInt64Array | readonly boolean[] | readonly string[];
}

export interface OnnxNode {
  /** An operator of the standard, "Gemm" for instance. */
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Whole numbers, or lists of them. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

/** An input or an output of the graph. */
export interface OnnxValue {
  readonly name: string;
  readonly element: OnnxElement;
  /** Sizes; a name stands for one that is known when it runs, "N" for the number of rows. */
  readonly shape: readonly (number | string)[];
}

export interface OnnxGraph {
  readonly name: string;
  /** For people. */
  readonly description?: string | undefined;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly constants: readonly OnnxTensor[];
  /** In an order in which each finds its inputs. */
  readonly nodes: readonly OnnxNode[];
  /** For programs: what a runtime gives as the model's own metadata. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * The file of a graph. That names are there before they are used, that each is given once and that constants have their
 * shapes' lengths is checked; what operators make of their inputs is not.
 *
 * @throws CurvatureError ERR_ARGUMENT for a graph that cannot be, ERR_SHAPE, ERR_NON_FINITE for a constant, ERR_MEMORY for 2 GiB
 * @example
 * onnxModel({
 *   name: "twice",
 *   inputs: [{ name: "x", element: "double", shape: ["N"] }],
 *   outputs: [{ name: "y", element: "double", shape: ["N"] }],
 *   constants: [{ name: "two", shape: [], data: Float64Array.of(2) }],
 *   nodes: [{ operator: "Mul", inputs: ["x", "two"], outputs: ["y"] }],
 * });
 */
export function onnxModel(graph: OnnxGraph): Uint8Array {
  checkGraph(graph);
  const { name, description, inputs, outputs, constants, nodes, metadata = {} } = graph;
  const written = new Message();
  for (const node of nodes) written.message(1, nodeMessage(node));
  written.text(2, name);
  for (const constant of constants) written.message(5, tensorMessage(constant));
  if (description !== undefined) written.text(10, description);
  for (const input of inputs) written.message(11, valueMessage(input));
  for (const output of outputs) written.message(12, valueMessage(output));
  const model = new Message().integer(1, IR_VERSION).text(2, "curvature");
  if (description !== undefined) model.text(6, description);
  model.message(7, written).message(8, new Message().integer(2, OPERATORS));
  for (const [key, value] of Object.entries(metadata))
    model.message(14, new Message().text(1, key).text(2, value));
  return model.written();
}

function nodeMessage({ operator, inputs, outputs, attributes = {} }: OnnxNode): Message {
  const node = new Message();
  for (const input of inputs) node.text(1, input);
  for (const output of outputs) node.text(2, output);
  node.text(4, operator);
  for (const [name, value] of Object.entries(attributes)) {
    const attribute = new Message().text(1, name);
    if (typeof value === "number") attribute.integer(3, value).integer(20, INT);
    else {
      for (const entry of value) attribute.integer(8, entry);
      attribute.integer(20, INTS);
    }
    node.message(5, attribute);
  }
  return node;
}

function tensorMessage({ name, shape, data }: OnnxTensor): Message {
  const tensor = new Message();
  for (const size of shape) tensor.integer(1, size);
  tensor.integer(2, elements[elementOf(data)]);
  if (isTexts(data)) for (const text of data) tensor.text(6, text);
  tensor.text(8, name);
  return isTexts(data) ? tensor : tensor.bytes(9, littleEndian(data));
}

function valueMessage({ name, element, shape }: OnnxValue): Message {
  const sizes = new Message();
  for (const size of shape)
    sizes.message(1, typeof size === "string" ? new Message().text(2, size) : new Message().integer(1, size));
  const tensor = new Message().integer(1, elements[element]).message(2, sizes);
  return new Message().text(1, name).message(2, new Message().message(1, tensor));
}

type Data = OnnxTensor["data"];
const isTexts = (data: Data): data is readonly string[] => typeof data[0] === "string";

function elementOf(data: Data): OnnxElement {
  if (data instanceof Float32Array) return "float";
  if (data instanceof Float64Array) return "double";
  if (data instanceof BigInt64Array) return "int64";
  return isTexts(data) ? "string" : "bool";
}

/** As bytes, the same on every machine. */
function littleEndian(data: Exclude<Data, readonly string[]>): Uint8Array {
  if (!ArrayBuffer.isView(data)) return Uint8Array.from(data, Number);
  const view = new DataView(new ArrayBuffer(data.byteLength));
  for (let k = 0; k < data.length; k++) {
    const entry = data[k];
    if (typeof entry === "bigint") view.setBigInt64(8 * k, entry, true);
    else if (data instanceof Float32Array) view.setFloat32(4 * k, entry, true);
    else view.setFloat64(8 * k, entry, true);
  }
  return new Uint8Array(view.buffer);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
const isName = (value: unknown): value is string => typeof value === "string" && value !== "";
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const wrong = (path: string, expected: string, received: unknown): CurvatureError =>
  badArgument("onnxModel", path, expected, received);

function checkGraph(graph: unknown): void {
  if (!isObject(graph)) throw wrong("graph", "an object with inputs, outputs, constants and nodes", graph);
  const { name, description, metadata = {} } = graph;
  if (!isName(name)) throw wrong("name", "a text that is not empty", name);
  if (description !== undefined && typeof description !== "string")
    throw wrong("description", "a text", description);
  if (!isObject(metadata) || !Object.values(metadata).every((value) => typeof value === "string"))
    throw wrong("metadata", "an object of texts", metadata);
  const known = new Set<string>();
  const give = (path: string, given: unknown): void => {
    if (!isName(given) || known.has(given))
      throw wrong(path, "a name that is not empty and that nothing before it has", given);
    known.add(given);
  };
  listOf(graph, "inputs").forEach((input, k) => {
    checkValue(input, `inputs[${k}]`);
    give(`inputs[${k}].name`, input["name"]);
  });
  listOf(graph, "constants").forEach((constant, k) => {
    checkTensor(constant, `constants[${k}]`);
    give(`constants[${k}].name`, constant["name"]);
  });
  listOf(graph, "nodes").forEach((node, k) => {
    const path = `nodes[${k}]`;
    checkNode(node, path, known);
    for (const output of namesOf(node, "outputs", path)) give(`${path}.outputs`, output);
  });
  listOf(graph, "outputs").forEach((output, k) => {
    checkValue(output, `outputs[${k}]`);
    if (!known.has(String(output["name"])))
      throw wrong(`outputs[${k}].name`, "the name of something that a node gives", output["name"]);
  });
}

function listOf(from: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>>[] {
  const list = from[name];
  if (!Array.isArray(list) || !list.every(isObject)) throw wrong(name, "an array of objects", list);
  return list;
}

function namesOf(node: Readonly<Record<string, unknown>>, name: string, path: string): string[] {
  const list = node[name];
  if (!Array.isArray(list) || !list.every(isName)) throw wrong(`${path}.${name}`, "an array of names", list);
  return list;
}

function checkNode(node: Readonly<Record<string, unknown>>, path: string, known: ReadonlySet<string>): void {
  const { operator, attributes = {} } = node;
  if (!isName(operator)) throw wrong(`${path}.operator`, "the name of an operator", operator);
  for (const input of namesOf(node, "inputs", path))
    if (!known.has(input))
      throw wrong(`${path}.inputs`, "names of inputs, constants and outputs of nodes before it", input);
  if (!isObject(attributes)) throw wrong(`${path}.attributes`, "an object", attributes);
  for (const [name, value] of Object.entries(attributes))
    if (!isWhole(value) && !(Array.isArray(value) && value.every(isWhole)))
      throw wrong(`${path}.attributes.${name}`, "a whole number of at least 0 or an array of such", value);
}

function checkValue({ element, shape }: Readonly<Record<string, unknown>>, path: string): void {
  if (typeof element !== "string" || !Object.hasOwn(elements, element))
    throw wrong(`${path}.element`, `one of ${Object.keys(elements).join(", ")}`, element);
  if (!Array.isArray(shape) || !shape.every((size) => isName(size) || isWhole(size)))
    throw wrong(`${path}.shape`, "an array of sizes and names of sizes", shape);
}

function checkTensor({ shape, data }: Readonly<Record<string, unknown>>, path: string): void {
  if (!Array.isArray(shape) || !shape.every(isWhole))
    throw wrong(`${path}.shape`, "an array of whole numbers of at least 0", shape);
  const isFloats = data instanceof Float32Array || data instanceof Float64Array;
  const isAlike = (list: readonly unknown[]): boolean =>
    ["string", "boolean"].includes(typeof list[0]) && list.every((entry) => typeof entry === typeof list[0]);
  if (!isFloats && !(data instanceof BigInt64Array) && !(Array.isArray(data) && isAlike(data)))
    throw wrong(
      `${path}.data`,
      "a Float32Array, a Float64Array, a BigInt64Array or an array of texts or booleans",
      data,
    );
  const length = shape.reduce((product: number, size: number) => product * size, 1);
  if (data.length !== length)
    throw new CurvatureError(
      "ERR_SHAPE",
      `data must have the ${length} entries of its shape; received ${data.length}.`,
      { where: "onnxModel", path: `${path}.data`, expected: `${length} entries`, received: data.length },
    );
  const at = isFloats ? data.findIndex((entry) => !Number.isFinite(entry)) : -1;
  if (isFloats && at >= 0)
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `a constant must be finite; entry ${at} is ${shown(data[at])}.`,
      {
        where: "onnxModel",
        path: `${path}.data[${at}]`,
        received: data[at],
      },
    );
}
