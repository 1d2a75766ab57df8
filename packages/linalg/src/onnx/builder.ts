/** An ONNX graph node by node, each known by its name, in one precision. */
import { CurvatureError, optionName } from "../errors.js";
import { badArgument, badOption } from "../options.js";
import type { OnnxElement, OnnxNode, OnnxTensor } from "./model.js";

/** Of the numbers in a graph. */
export type OnnxPrecision = "float" | "double";

/** The least float32 number that has all its bits. */
const LEAST = 2 ** -126;
/** Scales that a column may lie from 0 in single precision: of its 24 bits 12 are left for what the column says. Years are within. */
const FAR = 2 ** 12;

export class OnnxBuilder {
  readonly precision: OnnxPrecision;
  readonly nodes: OnnxNode[] = [];
  readonly constants: OnnxTensor[] = [];

  /** @throws CurvatureError ERR_OPTION */
  constructor(precision: OnnxPrecision) {
    if (precision !== "float" && precision !== "double")
      throw badOption("OnnxBuilder", "precision", "one of float, double", precision);
    this.precision = precision;
  }

  /** Whether single precision holds what a column says that lies at `offset` and varies by `scale`. */
  static floatHolds(offset: number, scale: number): boolean {
    return Math.abs(offset) <= FAR * scale;
  }

  /** Adds a node of one output. @returns its output's name */
  node(
    operator: string,
    inputs: readonly string[],
    output: string,
    attributes: OnnxNode["attributes"] = {},
  ): string {
    this.nodes.push({ operator, inputs, outputs: [output], attributes });
    return output;
  }

  /** Adds a constant. @returns its name */
  constant(name: string, shape: readonly number[], data: OnnxTensor["data"]): string {
    this.constants.push({ name, shape, data });
    return name;
  }

  /**
   * Numbers in the graph's precision as a constant.
   *
   * @returns its name
   * @throws CurvatureError ERR_ARGUMENT for what are no numbers; ERR_NON_FINITE, also for what a float32 does not hold
   */
  numbers(
    name: string,
    shape: readonly number[],
    values: readonly number[] | Float32Array | Float64Array,
  ): string {
    const isTyped = values instanceof Float64Array || values instanceof Float32Array;
    if (!isTyped && !(Array.isArray(values) && values.every((value) => typeof value === "number")))
      throw badArgument("OnnxBuilder", name, "an array of numbers", values);
    const isSingle = this.precision === "float";
    const data = isSingle ? Float32Array.from(values) : Float64Array.from(values);
    const at = data.findIndex((value) => !Number.isFinite(value));
    if (at < 0) return this.constant(name, shape, data);
    throw new CurvatureError(
      "ERR_NON_FINITE",
      isSingle && Number.isFinite(values[at])
        ? `entry ${at} of ${name}, ${values[at]}, leaves the range of float32. Take ${optionName("precision", "double")}.`
        : `entry ${at} of ${name} is ${values[at]}, which is no number to compute with.`,
      { path: `${name}[${at}]`, received: values[at] },
    );
  }

  /** Rows less offsets, one a column; of single precision in two steps, so that the digits that a float32 lacks are not lost. */
  centered(rows: string, offsets: Float64Array): string {
    let left = offsets;
    let name = rows;
    for (const part of ["offsets", "offsets_rest"]) {
      if (left.every((offset) => offset === 0)) break;
      name = this.node("Sub", [name, this.numbers(part, [left.length], left)], `${part}_taken`);
      left = left.map((offset) => (this.precision === "float" ? offset - Math.fround(offset) : 0));
    }
    return name;
  }

  /** Rows divided by their lengths; rows of zeros stay. */
  unitRows(rows: string): string {
    const length = this.node("ReduceL2", [rows], "length", { axes: [1], keepdims: 1 });
    const divisor = this.node("Max", [length, this.numbers("least_length", [], [LEAST])], "divisor");
    return this.node("Div", [rows, divisor], "unit_rows");
  }

  /** Of a score for each row those of two classes: 0 and it. */
  pairs(score: string): string {
    return this.node("Mul", [score, this.numbers("second", [1, 2], [0, 1])], "pairs");
  }

  /**
   * The output "label": by row that of the largest score, of equal ones the first. Whole numbers are int64, others double.
   *
   * @param scores - N x K
   * @param labels - K of one kind
   * @returns what the labels are
   * @throws CurvatureError ERR_ARGUMENT for labels of several kinds
   */
  labels(scores: string, labels: readonly (string | number | boolean)[]): OnnxElement {
    const { element, data } = labelData(labels);
    const index = this.node("ArgMax", [scores], "index", { axis: 1, keepdims: 0 });
    this.node("Gather", [this.constant("classes", [labels.length], data), index], "label");
    return element;
  }
}

function labelData(labels: readonly (string | number | boolean)[]): {
  readonly element: OnnxElement;
  readonly data: OnnxTensor["data"];
} {
  const texts = labels.filter((label) => typeof label === "string");
  if (texts.length === labels.length) return { element: "string", data: texts };
  const flags = labels.filter((label) => typeof label === "boolean");
  if (flags.length === labels.length) return { element: "bool", data: flags };
  const numbers = Float64Array.from(labels.filter((label) => typeof label === "number"));
  if (numbers.length !== labels.length)
    throw badArgument("OnnxBuilder", "labels", "all texts, all numbers or all booleans", labels);
  return numbers.every(Number.isSafeInteger)
    ? { element: "int64", data: BigInt64Array.from(numbers, BigInt) }
    : { element: "double", data: numbers };
}
