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
 * o is taken from x, in single precision in two steps, and not folded into b, which would have to cancel W o and lose digits.
 *
 * Single precision has 24 bits. Of d columns a score is off by (d + 4) 2^−24 Σ_j |w_j (x_j − o_j)| at most, and by 2^−24 Σ_j |w_j x_j|
 * more where the x_j are no float32 numbers themselves. That is what a column far from 0 costs: of seconds since 1970 single precision
 * knows every 128th. Models with such a column are written in double precision, unless they are asked not to be.
 */
import { CurvatureError, norm2, type OptionsOf, oneOf, optionTable, shown } from "@curvature/linalg";
import { OnnxBuilder, type OnnxValue, onnxModel } from "@curvature/linalg/onnx";
import { checkFitted, type FittedModel, modelCount, Scorer } from "./fit/fitted.js";
import type { LinearModel } from "./model/model-file.js";
import { featureNames, probabilityRule } from "./model/plain-weights.js";

export const toOnnxOptions = optionTable({
  /**
   * Of X, the weights and the outputs. Left out: "float", which every runtime knows; "double" where a column, or the numbers that are
   * predicted, lie farther from 0 than 4096 of their scales, or a coefficient leaves the range of float32.
   */
  precision: oneOf("float", "double"),
});
export type ToOnnxOptions = OptionsOf<typeof toOnnxOptions>;

/** The range of float32 numbers with all their bits. */
const [LEAST, LARGEST] = [2 ** -126, 2 ** 127];

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
  const weights = new Scorer(fitted).coefficients.data;
  const graph = new OnnxBuilder(precision ?? (fitsFloat(fitted, weights) ? "float" : "double"));
  const element = graph.precision;
  const scores = addScores(graph, fitted, weights);
  const outputs: OnnxValue[] = [{ name: scores, element, shape: ["N", modelCount(classes)] }];
  if (classes.length > 0) {
    const ranked = classes.length === 2 ? graph.pairs(scores) : scores;
    outputs.unshift({ name: "label", element: graph.labels(ranked, classes), shape: ["N"] });
    const probabilities = addProbabilities(graph, ranked, fitted);
    if (probabilities !== undefined)
      outputs.push({ name: probabilities, element, shape: ["N", classes.length] });
  }
  return onnxModel({
    name: "linear_model",
    description: `A linear model (${loss}) of curvature. Its metadata name the ${features} columns of X.`,
    inputs: [{ name: "X", element, shape: ["N", features] }],
    outputs,
    constants: graph.constants,
    nodes: graph.nodes,
    metadata: {
      columns: JSON.stringify(featureNames(fitted)),
      ...(classes.length > 0 && { classes: JSON.stringify(classes) }),
      loss,
    },
  });
}

/** Whether float32 has the range and the digits for columns, coefficients and predicted numbers. */
function fitsFloat(fitted: FittedModel, weights: Float64Array): boolean {
  const { features: d, classes, scaling, parameters } = fitted;
  const isInRange = (x: number): boolean => x === 0 || (Math.abs(x) >= LEAST && Math.abs(x) <= LARGEST);
  if (![weights, interceptsOf(fitted)].every((values) => values.every(isInRange))) return false;
  if (scaling === undefined || scaling.method === "unit-rows") return true;
  const { offsets, scales } = scaling;
  const isFar = (j: number): boolean => !OnnxBuilder.floatHolds(offsets[j], scales[j]);
  if (weights.some((weight, p) => weight !== 0 && isFar(p % d))) return false; // 0 is that of a constant column
  const spread = norm2(parameters.subarray(0, d)); // of predictions, about, since the columns have size 1
  return classes.length > 0 || spread === 0 || OnnxBuilder.floatHolds(interceptsOf(fitted)[0], spread);
}

/** On the scaled features: of columns less their offsets. */
function interceptsOf({ features: d, classes, bias, parameters }: FittedModel): Float64Array {
  const count = modelCount(classes);
  return Float64Array.from({ length: count }, (_, k) => (bias === "none" ? 0 : parameters[k * (d + 1) + d]));
}

/** @param weights - models × d, on the features as given @returns the output's name */
function addScores(graph: OnnxBuilder, fitted: FittedModel, weights: Float64Array): string {
  const { features, classes, scaling } = fitted;
  const intercepts = interceptsOf(fitted);
  const rows = scaling?.method === "unit-rows" ? graph.unitRows("X") : "X";
  const inputs = [
    scaling === undefined ? rows : graph.centered(rows, scaling.offsets),
    graph.numbers("weights", [intercepts.length, features], weights),
    graph.numbers("intercepts", [intercepts.length], intercepts),
  ];
  return graph.node("Gemm", inputs, classes.length === 0 ? "prediction" : "scores", { transB: 1 });
}

/** @returns the output's name; undefined where the scores are no probabilities */
function addProbabilities(graph: OnnxBuilder, ranked: string, fitted: FittedModel): string | undefined {
  const probabilities = probabilityRule(fitted);
  if (probabilities === undefined) return undefined;
  const K = fitted.classes.length;
  const scale = K === 2 ? [1, ...probabilities.scale] : probabilities.scale; // the first of two has z = 0
  const shift = K === 2 ? [0, ...probabilities.shift] : probabilities.shift;
  let z = ranked;
  if (scale.some((each) => each !== 1))
    z = graph.node("Mul", [z, graph.numbers("scale", [1, K], scale)], "scaled");
  if (shift.some((each) => each !== 0))
    z = graph.node("Add", [z, graph.numbers("shift", [1, K], shift)], "shifted");
  if (probabilities.rule === "one-versus-rest") {
    const size = graph.node("Abs", [z], "size");
    const small = graph.node("Exp", [graph.node("Neg", [size], "minus_size")], "small");
    const tail = graph.node(
      "Log",
      [graph.node("Add", [small, graph.numbers("one", [], [1])], "one_more")],
      "tail",
    );
    z = graph.node(
      "Sub",
      [graph.node("Min", [z, graph.numbers("zero", [], [0])], "low"), tail],
      "log_sigmoid",
    );
  }
  return graph.node("Softmax", [z], "probabilities", { axis: 1 });
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
