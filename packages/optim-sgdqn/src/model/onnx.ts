/**
 * `@curvature/optim-sgdqn/onnx`: a linear model as an ONNX file, for programs in other languages.
 *
 * | name            | shape         | what it is                                                                             |
 * |-----------------|---------------|----------------------------------------------------------------------------------------|
 * | `X`             | N × columns   | rows in the data's own units, prepared as those of the training were                   |
 * | `label`         | N             | the class: int64, double (numbers with fractions), string or bool, as the labels were  |
 * | `scores`        | N × 1, N × K  | those of `decisionFunction`                                                            |
 * | `probabilities` | N × K         | those of `predictProbabilities`, of models that have them                              |
 * | `prediction`    | N × 1         | of numbers, and then nothing else                                                      |
 *
 *   scores        (x − o) Wᵀ + b, W on the features as given, o the offsets of the scaling
 *   label         the class of the largest score, of equal ones the first; of two classes of (0, score)
 *   z             scale · score + shift, of two classes (0, scale · score + shift)
 *   probabilities softmax(z); of one-versus-rest softmax(log s(z)) = s(z)/Σ s(z), log s(z) = min(z, 0) − log(1 + e^−|z|)
 *
 * o is taken from x and not folded into b, which would have to cancel W o and lose digits.
 *
 * Single precision has 24 bits. Of d columns a score is off by (d + 3) 2^−24 Σ_j |w_j (x_j − o_j)| at most, and by 2^−24 Σ_j |w_j x_j|
 * more where the x_j are no float32 numbers themselves. That is what a column far from 0 costs: of seconds since 1970 single precision
 * knows every 128th. Models with such a column are written in double precision, unless they are asked not to be.
 */
import { CurvatureError, type OptionsOf, oneOf, optionTable, shown } from "@curvature/linalg";
import { OnnxBuilder, type OnnxElement, type OnnxValue, onnxModel } from "@curvature/linalg/onnx";
import { checkFitted, type FittedModel, modelCount, Scorer } from "../fit/fitted.js";
import type { Label } from "../fit/labels.js";
import type { LinearModel } from "./model-file.js";
import { featureNames, probabilityRule } from "./plain-weights.js";

export const toOnnxOptions = optionTable({
  /**
   * Of X, the weights and the outputs. Left out: "float", which every runtime knows; "double" where a column lies farther from 0 than
   * 1000 of its scales, or a coefficient leaves the range of float32.
   */
  precision: oneOf("float", "double"),
});
export type ToOnnxOptions = OptionsOf<typeof toOnnxOptions>;

/** Scales that a column may lie from 0 in single precision, which leaves it 14 bits. */
const NEAR = 1000;
/** The range of float32 numbers with all their bits. */
const [SMALLEST, LARGEST] = [2 ** -126, 2 ** 127];

/**
 * The model as an ONNX file of opset 13. `columns` of its metadata is the JSON of the names of the columns of X, `classes` of the classes.
 *
 * Rows come in as those of the training were: what a table's words and gaps become is done before, by its preparation (a column
 * `name=level` is 1 in rows of this level and 0 in others). They have all columns, and nothing is checked: of a NaN come NaNs, where
 * `predict` names the row.
 *
 * @throws CurvatureError ERR_ARGUMENT for what is no fitted model; ERR_OPTION; ERR_NON_FINITE for a coefficient that leaves the range
 *   of float64, or of float32 where that was asked for; ERR_MEMORY for more than 2 GiB
 */
export function toOnnx(model: LinearModel, options?: ToOnnxOptions): Uint8Array {
  const { precision } = toOnnxOptions.resolve("toOnnx", options);
  const fitted = checkedModel(model);
  const { features, classes, loss } = fitted;
  const models = modelCount(classes);
  const scores = scoresOf(fitted);
  const graph = new OnnxBuilder(precision ?? (fitsFloat(fitted, scores) ? "float" : "double"));
  const element = graph.precision;
  const scored = addScores(graph, scores, fitted);
  const labels = classes.length === 0 ? undefined : addLabels(graph, scored, classes);
  const hasProbabilities = labels !== undefined && addProbabilities(graph, labels.ranked, fitted);
  const values: OnnxValue[] = [{ name: scored, element, shape: ["N", models] }];
  if (labels !== undefined) values.unshift({ name: "label", element: labels.element, shape: ["N"] });
  if (hasProbabilities) values.push({ name: "probabilities", element, shape: ["N", classes.length] });
  return onnxModel({
    name: "linear_model",
    description: `A linear model (${loss}) of curvature. Its metadata name the ${features} columns of X.`,
    inputs: [{ name: "X", element, shape: ["N", features] }],
    outputs: values,
    constants: graph.constants,
    nodes: graph.nodes,
    metadata: {
      columns: JSON.stringify(featureNames(fitted)),
      ...(classes.length > 0 && { classes: JSON.stringify(classes) }),
      loss,
    },
  });
}

/** (x − offsets) Wᵀ + intercepts */
interface Scores {
  /** models × d, on the features as given. */
  readonly weights: Float64Array;
  readonly offsets: Float64Array;
  readonly intercepts: Float64Array;
}

function scoresOf(fitted: FittedModel): Scores {
  const { features, classes, bias, parameters, scaling } = fitted;
  const length = features + (bias === "none" ? 0 : 1);
  return {
    weights: new Scorer(fitted).coefficients.data,
    offsets: scaling?.offsets ?? new Float64Array(features),
    intercepts: Float64Array.from({ length: modelCount(classes) }, (_, k) =>
      bias === "none" ? 0 : parameters[k * length + features],
    ),
  };
}

function fitsFloat({ features, scaling }: FittedModel, { weights, offsets }: Scores): boolean {
  return weights.every((weight, p) => {
    const j = p % features;
    const isNear = Math.abs(offsets[j]) <= NEAR * (scaling?.scales[j] ?? 1);
    return weight === 0 || (isNear && Math.abs(weight) >= SMALLEST && Math.abs(weight) <= LARGEST);
  });
}

function addScores(
  graph: OnnxBuilder,
  { weights, offsets, intercepts }: Scores,
  fitted: FittedModel,
): string {
  const { features: d, classes, scaling } = fitted;
  let rows = "X";
  if (scaling?.method === "unit-rows") {
    const length = graph.node("ReduceL2", [rows], "length", { axes: [1], keepdims: 1 });
    const divisor = graph.node("Max", [length, graph.numbers("least_length", [], [SMALLEST])], "divisor"); // rows of zeros stay
    rows = graph.node("Div", [rows, divisor], "unit_rows");
  }
  let b = intercepts;
  if (offsets.some((offset) => offset !== 0)) {
    const subtracted = graph.rounded("offsets", offsets);
    rows = graph.node("Sub", [rows, graph.constant("offsets", [d], subtracted)], "centered");
    b = b.map(
      (b_k, k) => offsets.reduce((sum, o, j) => sum + weights[k * d + j] * (subtracted[j] - o), b_k), // what rounding took from o
    );
  }
  const W = graph.numbers("weights", [b.length, d], weights);
  const inputs = [rows, W, graph.numbers("intercepts", [b.length], b)];
  return graph.node("Gemm", inputs, classes.length === 0 ? "prediction" : "scores", { transB: 1 });
}

/** @returns by class what the largest of counts, and the labels' kind */
function addLabels(
  graph: OnnxBuilder,
  scores: string,
  classes: readonly Label[],
): { readonly ranked: string; readonly element: OnnxElement } {
  const pair = (): string => graph.numbers("second", [1, 2], [0, 1]);
  const ranked = classes.length === 2 ? graph.node("Mul", [scores, pair()], "ranked") : scores;
  const { element, data } = labelData(classes);
  const index = graph.node("ArgMax", [ranked], "index", { axis: 1, keepdims: 0 });
  graph.node("Gather", [graph.constant("classes", [classes.length], data), index], "label");
  return { ranked, element };
}

function labelData(classes: readonly Label[]) {
  const texts = classes.filter((label) => typeof label === "string");
  if (texts.length > 0) return { element: "string", data: texts } as const;
  const flags = classes.filter((label) => typeof label === "boolean");
  if (flags.length > 0) return { element: "bool", data: flags } as const;
  const numbers = Float64Array.from(classes, Number);
  return numbers.every(Number.isSafeInteger)
    ? ({ element: "int64", data: BigInt64Array.from(numbers, BigInt) } as const)
    : ({ element: "double", data: numbers } as const);
}

/** @returns whether the model has them */
function addProbabilities(graph: OnnxBuilder, ranked: string, fitted: FittedModel): boolean {
  const probabilities = probabilityRule(fitted);
  if (probabilities === undefined) return false;
  const { rule } = probabilities;
  const K = fitted.classes.length;
  const scale = K === 2 ? [1, ...probabilities.scale] : probabilities.scale; // the first of two has z = 0
  const shift = K === 2 ? [0, ...probabilities.shift] : probabilities.shift;
  let z = ranked;
  if (scale.some((each) => each !== 1))
    z = graph.node("Mul", [z, graph.numbers("scale", [1, K], scale)], "scaled");
  if (shift.some((each) => each !== 0))
    z = graph.node("Add", [z, graph.numbers("shift", [1, K], shift)], "shifted");
  if (rule === "one-versus-rest") {
    const small = graph.node(
      "Exp",
      [graph.node("Neg", [graph.node("Abs", [z], "size")], "minus_size")],
      "small",
    );
    const tail = graph.node(
      "Log",
      [graph.node("Add", [small, graph.numbers("one", [], [1])], "one_more")],
      "tail",
    );
    const low = graph.node("Min", [z, graph.numbers("zero", [], [0])], "low");
    z = graph.node("Sub", [low, tail], "log_sigmoid");
  }
  graph.node("Softmax", [z], "probabilities", { axis: 1 });
  return true;
}

function checkedModel(model: LinearModel): FittedModel {
  const where = "toOnnx";
  const { task, fitted }: Partial<LinearModel> = typeof model === "object" && model !== null ? model : {};
  if (task === undefined)
    throw new CurvatureError("ERR_ARGUMENT", `the model must be a linear model; received ${shown(model)}.`, {
      where,
      path: "model",
      received: model,
    });
  if (fitted === undefined)
    throw new CurvatureError("ERR_ARGUMENT", "the model is not fitted. Call fit first.", {
      where,
      path: "model",
    });
  checkFitted(fitted, task);
  return fitted;
}
