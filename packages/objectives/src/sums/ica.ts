/**
 * Independent component analysis with a prior of Student's t: receptive fields W (d × d, one per row) and a shape ν for
 * each of them, by the negative log-likelihood of rows a (whitened data), y = W a,
 *
 *   fᵢ = (N/D) Σ_{rows of i} [ Σ_k c(ν_k) + (ν_k + 1)/2 log(1 + y_k²/ν_k)  −  log |det W| ] + λ/2 ‖x‖²
 *   c(ν) = ½ log(π ν) + log Γ(ν/2) − log Γ((ν + 1)/2),    ν_k = e^(α_k),   x = (W, α)
 *
 *   ∂/∂y_k = (ν + 1) y / (ν + y²),     ∂/∂W = Σ (∂/∂y) aᵀ − W⁻ᵀ,
 *   ∂/∂ν   = c′(ν) + ½ log(1 + y²/ν) − (ν + 1)/(2ν) · y²/(ν + y²),    ∂/∂α = ν ∂/∂ν
 *
 * The logarithm α keeps ν positive. The value is +∞ (and the gradient NaN) where W is singular.
 *
 * Sohl-Dickstein, Poole, Ganguli, ICML 2014, appendix D.3, which does not print the formulas, nor says whether the
 * shape is one for all components; here each has its own.
 */
import {
  type DenseMatrix,
  exp,
  fillNormal,
  integerFrom,
  log,
  log1p,
  type MatrixLike,
  type OptionsOf,
  optionTable,
  positive,
  type RandomGenerator,
  zeros,
} from "@curvature/linalg";
import { layoutOf } from "./layout.js";
import { LinearScores, linearModel } from "./linear-scores.js";
import { invertInPlace } from "./log-determinant.js";
import { logGammaRatio, logGammaRatioSlope } from "./log-gamma-ratio.js";
import { MatrixProduct } from "./matrix-product.js";
import { type MinibatchSum, type MinibatchTerms, minibatchSum } from "./minibatch-sum.js";
import { checkedCount, checkedData, minibatchEntries, minibatchesOf } from "./minibatches.js";

export const icaOptions = optionTable({
  ...minibatchEntries(0),
  /** ν of all components at the start. */
  shape: positive.default(3),
  /** Of the first point. */
  seed: integerFrom(0).default(0),
});
export type IcaOptions = OptionsOf<typeof icaOptions>;

/**
 * Starts at W normal with deviation 1/√d. Blocks of x: "filters" (d × d), "log-shapes" (d).
 *
 * @param rows - D x d, of mean 0 and whitened for the model to make sense (`principalComponents` of linalg)
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION, ERR_MEMORY
 */
export function independentComponents(rows: MatrixLike, options?: IcaOptions): MinibatchSum {
  const name = "independentComponents";
  const settings = icaOptions.resolve(name, options);
  const data = checkedData(name, rows);
  const count = checkedCount(name, data.rows, settings.count);
  const { lambda, shape, seed } = settings;
  const minibatches = minibatchesOf(data, count);
  const terms = new IcaTerms(minibatches, shape);
  return minibatchSum(terms, {
    name,
    minibatches,
    model: linearModel(name, terms.layout[0], terms.layout, false, "identity"),
    shape: [data.columns],
    lambda,
    seed,
  });
}

class IcaTerms implements MinibatchTerms {
  readonly layout;
  private readonly d: number;
  private readonly inverse: Float64Array;
  private readonly pivots: Int32Array;
  private readonly activity: Float64Array;
  private readonly product = new MatrixProduct();
  private readonly linear: LinearScores;

  constructor(
    private readonly minibatches: readonly DenseMatrix[],
    private readonly shape: number,
  ) {
    const d = minibatches[0].columns;
    this.d = d;
    this.linear = new LinearScores(d, this.product);
    this.layout = layoutOf([
      ["filters", d, d],
      ["log-shapes", 1, d],
    ]);
    this.inverse = zeros(d, d).data;
    this.pivots = new Int32Array(d);
    this.activity = zeros(minibatches[0].rows, d).data;
  }

  add(index: number, x: Float64Array, scale: number, gradient: Float64Array | undefined): number {
    const { d, inverse, activity } = this;
    const minibatch = this.minibatches[index];
    const { rows, data } = minibatch;
    for (let e = 0; e < d * d; e++) inverse[e] = x[e];
    const logDeterminant = invertInPlace(inverse, d, this.pivots);
    if (logDeterminant === Number.NEGATIVE_INFINITY) {
      gradient?.fill(Number.NaN);
      return Number.POSITIVE_INFINITY;
    }
    this.linear.compute(minibatch, x, activity);
    let value = -rows * logDeterminant;
    for (let k = 0; k < d; k++) value += this.addComponent(k, rows, x, scale, gradient);
    if (gradient === undefined) return value;
    this.product.transposeTimes(d, d, rows, activity, 0, data, 0, gradient, 0, true);
    for (let i = 0; i < d; i++)
      for (let j = 0; j < d; j++) gradient[i * d + j] -= scale * rows * inverse[j * d + i];
    return value;
  }

  /** Component k of all rows; with a gradient its activities become scale ∂/∂y. */
  private addComponent(
    k: number,
    rows: number,
    x: Float64Array,
    scale: number,
    gradient: Float64Array | undefined,
  ): number {
    const { d, activity } = this;
    const at = d * d + k;
    const nu = exp(x[at]);
    let logs = 0;
    let shares = 0;
    for (let e = k; e < rows * d; e += d) {
      const y = activity[e];
      const square = y * y;
      logs += log1p(square / nu);
      if (gradient === undefined) continue;
      shares += square / (nu + square);
      activity[e] = (scale * (nu + 1) * y) / (nu + square);
    }
    if (gradient !== undefined) {
      const ofNormaliser = 0.5 / nu - 0.5 * logGammaRatioSlope(0.5 * nu);
      const slope = rows * ofNormaliser + 0.5 * logs - ((nu + 1) / (2 * nu)) * shares;
      gradient[at] += scale * nu * slope;
    }
    const normaliser = 0.5 * log(Math.PI * nu) - logGammaRatio(0.5 * nu);
    return rows * normaliser + 0.5 * (nu + 1) * logs;
  }

  initialize(random: RandomGenerator, x: Float64Array): void {
    const { d } = this;
    const filters = x.subarray(0, d * d);
    fillNormal(random, filters);
    const deviation = 1 / Math.sqrt(d);
    for (let e = 0; e < d * d; e++) filters[e] *= deviation;
    x.fill(log(this.shape), d * d);
  }
}
