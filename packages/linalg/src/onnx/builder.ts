/** Nodes and constants of an ONNX graph, one after the other, each known by its name. */
import { CurvatureError, optionName } from "../errors.js";
import { badOption } from "../options.js";
import type { OnnxNode, OnnxTensor } from "./model.js";

/** Of the numbers in a graph. */
export type OnnxPrecision = "float" | "double";

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

  /** Numbers in the graph's precision as a constant. @returns its name @throws CurvatureError ERR_NON_FINITE */
  numbers(name: string, shape: readonly number[], values: ArrayLike<number>): string {
    return this.constant(name, shape, this.rounded(name, values));
  }

  /** The numbers as they are in the graph. @param name - for the message @throws CurvatureError ERR_NON_FINITE */
  rounded(name: string, values: ArrayLike<number>): Float32Array | Float64Array {
    const isSingle = this.precision === "float";
    const data = isSingle ? Float32Array.from(values) : Float64Array.from(values);
    const at = data.findIndex((value) => !Number.isFinite(value));
    if (at < 0) return data;
    const isRange = isSingle && Number.isFinite(values[at]);
    throw new CurvatureError(
      "ERR_NON_FINITE",
      isRange
        ? `entry ${at} of ${name}, ${values[at]}, leaves the range of float32. Take ${optionName("precision", "double")}.`
        : `entry ${at} of ${name} is ${values[at]}, which is no number to compute with.`,
      { where: "OnnxBuilder", path: `${name}[${at}]`, received: values[at] },
    );
  }
}
