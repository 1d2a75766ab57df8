/**
 * L2-regularised multinomial (softmax) regression: K classes, scores u = W a,
 *
 *   fᵢ(W) = (N/D) Σ_{rows of i} (log Σ_k e^(u_k) − u_label) + λ/2 ‖W‖²
 *   ∇fᵢ   = (N/D) Σ (p − e_label) aᵀ + λ W,    p_k = e^(u_k) / Σ e^(u_k)
 *
 * W (K × d) row-major; a is a row of the data, with a last entry 1 if the model has biases. Convex.
 */
import {
  type DenseMatrix,
  flag,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  optionTable,
} from "@curvature/linalg";
import { withConstant } from "./constant.js";
import { layoutOf } from "./layout.js";
import { LinearScores, linearModel } from "./linear-scores.js";
import { MatrixProduct } from "./matrix-product.js";
import { numbers } from "./memory.js";
import { type MinibatchSum, type MinibatchTerms, minibatchSum } from "./minibatch-sum.js";
import {
  checkedClasses,
  checkedCount,
  checkedData,
  type Labels,
  labelsInMinibatches,
  minibatchEntries,
  minibatchesOf,
} from "./minibatches.js";
import { softmaxCurvature, softmaxLoss } from "./softmax-loss.js";

export const softmaxOptions = optionTable({
  ...minibatchEntries(1e-3),
  /** Whether every row of W ends with a weight for a constant 1. It is regularised like the others. */
  bias: flag.default(true),
  /** K. Left out: one more than the largest label. */
  classes: integerFrom(2),
});
export type SoftmaxOptions = OptionsOf<typeof softmaxOptions>;

/**
 * Starts at 0. Has the Hessian.
 *
 * @param rows - D x d
 * @param labels - D whole numbers from 0 to K − 1
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT (labels), ERR_OPTION, ERR_MEMORY
 */
export function softmaxRegression(rows: MatrixLike, labels: Labels, options?: SoftmaxOptions): MinibatchSum {
  const name = "softmaxRegression";
  const settings = softmaxOptions.resolve(name, options);
  const data = checkedData(name, rows);
  const checked = checkedClasses(name, labels, data.rows, settings.classes);
  const count = checkedCount(name, data.rows, settings.count);
  const { lambda, bias } = settings;
  const { classes } = checked;
  const minibatches = minibatchesOf(bias ? withConstant(data) : data, count);
  const labelsOf = labelsInMinibatches(checked.labels, count);
  const terms = new SoftmaxTerms(minibatches, labelsOf, classes);
  return minibatchSum(terms, {
    name,
    minibatches,
    model: linearModel(name, terms.layout[0], terms.layout, bias, "softmax"),
    targets: labelsOf,
    shape: [String(bias), classes, data.columns],
    lambda,
  });
}

class SoftmaxTerms implements MinibatchTerms {
  readonly layout;
  private readonly scores: Float64Array;
  private readonly along: Float64Array;
  private readonly product = new MatrixProduct();
  private readonly linear: LinearScores;

  constructor(
    private readonly minibatches: readonly DenseMatrix[],
    private readonly labels: readonly Int32Array[],
    private readonly classes: number,
  ) {
    const { rows, columns } = minibatches[0];
    this.layout = layoutOf([["weights", classes, columns]]);
    this.scores = numbers(rows * classes);
    this.along = numbers(rows * classes);
    this.linear = new LinearScores(classes, this.product);
  }

  add(index: number, x: Float64Array, scale: number, gradient: Float64Array | undefined): number {
    const { classes: K, scores, along } = this;
    const minibatch = this.minibatches[index];
    const { rows, columns, data } = minibatch;
    const labels = this.labels[index];
    const slopes = gradient === undefined ? undefined : along;
    this.linear.compute(minibatch, x, scores);
    let value = 0;
    for (let n = 0; n < rows; n++) value += softmaxLoss(scores, n * K, K, labels[n], scale, slopes);
    if (gradient !== undefined)
      this.product.transposeTimes(K, columns, rows, along, 0, data, 0, gradient, 0, true);
    return value;
  }

  addHessian(index: number, x: Float64Array, v: Float64Array, scale: number, out: Float64Array): void {
    const { classes: K, scores, along } = this;
    const minibatch = this.minibatches[index];
    const { rows, columns, data } = minibatch;
    this.linear.compute(minibatch, x, scores);
    this.linear.compute(minibatch, v, along);
    for (let n = 0; n < rows; n++) softmaxCurvature(scores, n * K, K, scale, along);
    this.product.transposeTimes(K, columns, rows, along, 0, data, 0, out, 0, true);
  }

  /** The model is linear, so that this is the Hessian. */
  addGaussNewton(index: number, x: Float64Array, v: Float64Array, scale: number, out: Float64Array): void {
    this.addHessian(index, x, v, scale, out);
  }

  initialize(): void {}
}
