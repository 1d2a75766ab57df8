/**
 * L2-regularised logistic regression: labels y = ±1, scores u = xᵀa,
 *
 *   fᵢ(x) = (N/D) Σ_{rows of i} log(1 + e^(−y u)) + λ/2 ‖x‖²
 *   ∇fᵢ   = (N/D) Σ −y s(−y u) a + λ x,    ∇²fᵢ = (N/D) Σ s(u) s(−u) a aᵀ + λ I,    s(u) = 1/(1 + e^(−u))
 *
 * a is a row of the data, with a last entry 1 if the model has a bias. Convex.
 *
 * Sohl-Dickstein, Poole, Ganguli, ICML 2014, appendix D.1.
 */
import { type DenseMatrix, flag, type MatrixLike, type OptionsOf, optionTable } from "@curvature/linalg";
import { sigmoid, softplus } from "../ordinal/softplus.js";
import { withConstant } from "./constant.js";
import { layoutOf } from "./layout.js";
import { LinearScores, linearModel } from "./linear-scores.js";
import { MatrixProduct } from "./matrix-product.js";
import { type MinibatchSum, type MinibatchTerms, minibatchSum } from "./minibatch-sum.js";
import {
  checkedCount,
  checkedData,
  checkedSigns,
  type Labels,
  labelsInMinibatches,
  minibatchEntries,
  minibatchesOf,
} from "./minibatches.js";

export const logisticOptions = optionTable({
  ...minibatchEntries(1e-3),
  /** Whether a weight for a constant 1 comes after the others. It is regularised like them. */
  bias: flag.default(true),
});
export type LogisticOptions = OptionsOf<typeof logisticOptions>;

/**
 * Starts at 0. Has the Hessian.
 *
 * @param rows - D x d
 * @param labels - D numbers −1 or +1
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT (labels), ERR_OPTION
 */
export function logisticRegression(
  rows: MatrixLike,
  labels: Labels,
  options?: LogisticOptions,
): MinibatchSum {
  const name = "logisticRegression";
  const settings = logisticOptions.resolve(name, options);
  const data = checkedData(name, rows);
  const signs = checkedSigns(name, labels, data.rows);
  const count = checkedCount(name, data.rows, settings.count);
  const { lambda, bias } = settings;
  const minibatches = minibatchesOf(bias ? withConstant(data) : data, count);
  const signsOf = labelsInMinibatches(signs, count);
  const terms = new LogisticTerms(minibatches, signsOf);
  return minibatchSum(terms, {
    name,
    minibatches,
    model: linearModel(name, terms.layout[0], terms.layout, bias, "logistic"),
    targets: signsOf,
    shape: [String(bias), data.columns],
    lambda,
  });
}

class LogisticTerms implements MinibatchTerms {
  readonly layout;
  private readonly scores: Float64Array;
  private readonly along: Float64Array;
  private readonly linear = new LinearScores(1, new MatrixProduct());

  constructor(
    private readonly minibatches: readonly DenseMatrix[],
    private readonly signs: readonly Int32Array[],
  ) {
    this.layout = layoutOf([["weights", 1, minibatches[0].columns]]);
    this.scores = new Float64Array(minibatches[0].rows);
    this.along = new Float64Array(minibatches[0].rows);
  }

  add(index: number, x: Float64Array, scale: number, gradient: Float64Array | undefined): number {
    const minibatch = this.minibatches[index];
    const signs = this.signs[index];
    const { scores } = this;
    this.linear.compute(minibatch, x, scores);
    let value = 0;
    for (let n = 0; n < minibatch.rows; n++) {
      const y = signs[n];
      value += softplus(-y * scores[n]);
      if (gradient !== undefined) scores[n] = -scale * y * sigmoid(-y * scores[n]);
    }
    if (gradient !== undefined) addTransposed(minibatch, scores, gradient);
    return value;
  }

  addHessian(index: number, x: Float64Array, v: Float64Array, scale: number, out: Float64Array): void {
    const minibatch = this.minibatches[index];
    const { scores, along } = this;
    this.linear.compute(minibatch, x, scores);
    this.linear.compute(minibatch, v, along);
    for (let n = 0; n < minibatch.rows; n++) along[n] *= scale * sigmoid(scores[n]) * sigmoid(-scores[n]);
    addTransposed(minibatch, along, out);
  }

  /** The model is linear, so that this is the Hessian. */
  addGaussNewton(index: number, x: Float64Array, v: Float64Array, scale: number, out: Float64Array): void {
    this.addHessian(index, x, v, scale, out);
  }

  initialize(): void {}
}

/** out ← out + Aᵀ v */
function addTransposed({ rows, columns, data }: DenseMatrix, v: Float64Array, out: Float64Array): void {
  for (let n = 0; n < rows; n++) {
    const a = v[n];
    const from = n * columns;
    for (let j = 0; j < columns; j++) out[j] += a * data[from + j];
  }
}
