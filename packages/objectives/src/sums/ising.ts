/**
 * Ising model (Hopfield network) by minimum probability flow: states s ∈ {0, 1}^d, energy E(s) = sᵀ J s with J symmetric
 * and the biases on its diagonal. The flow from a datum s to the states sⁱ that differ in one bit,
 *
 *   K(s) = Σ_i e^(½ (E(s) − E(sⁱ))) = Σ_i e^(−τ_i (J s)_i − ½ J_ii),   τ_i = 1 − 2 s_i,
 *   f    = (N/D) Σ_{rows} K(s) + λ/2 ‖x‖²
 *   ∂K/∂J = −Σ_i k_i (τ_i e_i sᵀ + ½ e_i e_iᵀ),   k_i the i-th summand
 *
 * x holds the upper triangle of J row by row, J_00, J_01, …, J_0,d−1, J_11, …: d (d + 1)/2 numbers; an off-diagonal one
 * stands for two entries of J, so that its derivative is the sum of two. Convex; without a ridge there need be no minimum.
 *
 * Sohl-Dickstein, Battaglino, DeWeese: Minimum probability flow learning. ICML 2011. arXiv:0906.4779, section on the
 * Ising model. Sohl-Dickstein, Poole, Ganguli, ICML 2014, appendix D.4, where the ridge is 0.01.
 */
import {
  CurvatureError,
  type DenseMatrix,
  exp,
  fillNormal,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  optionTable,
  type RandomGenerator,
  zeros,
} from "@curvature/linalg";
import { MatrixProduct } from "./matrix-product.js";
import { type MinibatchSum, type MinibatchTerms, minibatchSum } from "./minibatch-sum.js";
import { checkedCount, checkedData, minibatchEntries, minibatchesOf } from "./minibatches.js";

export const isingOptions = optionTable({
  ...minibatchEntries(0.01),
  /** Of the first point. */
  seed: integerFrom(0).default(0),
});
export type IsingOptions = OptionsOf<typeof isingOptions>;

/**
 * Starts at normal numbers of deviation 0.01.
 *
 * @param states - D x d of zeros and ones
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT for a state that is neither 0 nor 1, ERR_OPTION, ERR_MEMORY
 */
export function isingModel(states: MatrixLike, options?: IsingOptions): MinibatchSum {
  const name = "isingModel";
  const settings = isingOptions.resolve(name, options);
  const data = checkedData(name, states, "states");
  checkBits(name, data);
  const count = checkedCount(name, data.rows, settings.count);
  const { lambda, seed } = settings;
  const minibatches = minibatchesOf(data, count);
  return minibatchSum(new IsingTerms(minibatches), {
    name,
    minibatches,
    shape: [data.columns],
    lambda,
    seed,
  });
}

function checkBits(name: string, { columns, data }: DenseMatrix): void {
  const at = data.findIndex((bit) => bit !== 0 && bit !== 1);
  if (at < 0) return;
  const path = `row ${Math.floor(at / columns)}, column ${at % columns}`;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `a state must be 0 or 1; received ${data[at]} at ${path} (counted from 0). Put a threshold to grey values first.`,
    { where: name, path, expected: "0 or 1", received: data[at] },
  );
}

class IsingTerms implements MinibatchTerms {
  readonly layout;
  private readonly d: number;
  /** J, and the gradient of all of its entries. */
  private readonly J: Float64Array;
  private readonly slopesOfJ: Float64Array;
  private readonly fields: Float64Array;
  private readonly product = new MatrixProduct();

  constructor(private readonly minibatches: readonly DenseMatrix[]) {
    const d = minibatches[0].columns;
    this.d = d;
    this.layout = [{ name: "upper-triangle", offset: 0, rows: 1, columns: (d * (d + 1)) / 2 }];
    this.J = zeros(d, d).data;
    this.slopesOfJ = zeros(d, d).data;
    this.fields = zeros(minibatches[0].rows, d).data;
  }

  add(index: number, x: Float64Array, scale: number, gradient: Float64Array | undefined): number {
    const { d, J, fields, slopesOfJ } = this;
    const { rows, data } = this.minibatches[index];
    for (let i = 0, at = 0; i < d; i++)
      for (let j = i; j < d; j++, at++) {
        J[i * d + j] = x[at];
        J[j * d + i] = x[at];
      }
    this.product.times(rows, d, d, data, 0, J, 0, fields, 0, false);
    let value = 0;
    if (gradient !== undefined) slopesOfJ.fill(0);
    for (let e = 0, n = 0; n < rows; n++)
      for (let i = 0; i < d; i++, e++) {
        const tau = 1 - 2 * data[e];
        const k = exp(-tau * fields[e] - 0.5 * J[i * d + i]);
        value += k;
        if (gradient === undefined) continue;
        fields[e] = -scale * tau * k;
        slopesOfJ[i * d + i] -= 0.5 * scale * k;
      }
    if (gradient === undefined) return value;
    this.product.transposeTimes(d, d, rows, fields, 0, data, 0, slopesOfJ, 0, true);
    for (let i = 0, at = 0; i < d; i++) {
      gradient[at++] += slopesOfJ[i * d + i];
      for (let j = i + 1; j < d; j++) gradient[at++] += slopesOfJ[i * d + j] + slopesOfJ[j * d + i];
    }
    return value;
  }

  initialize(random: RandomGenerator, x: Float64Array): void {
    fillNormal(random, x);
    for (let e = 0; e < x.length; e++) x[e] *= 0.01;
  }
}
