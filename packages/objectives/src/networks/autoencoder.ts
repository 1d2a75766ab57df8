/**
 * The autoencoder with one hidden layer and tied weights: rows v, h = s(W v + b_h), v̂ = φ(Wᵀ h + b_v),
 *
 *   fᵢ = (N/D) Σ_{rows of i} [ ‖v̂ − v‖² + β ‖∂h/∂v‖_F² ] + λ/2 ‖x‖²,   x = (W, b_h, b_v),   s the sigmoid
 *
 * With β > 0 it is the contractive autoencoder of Rifai et al. (ICML 2011), whose weights are tied as here. The paper's
 * (appendix D.2): 784 inputs, 256 hidden units, sigmoid decoder, β = 1, which are the defaults. With β = 0 and a linear
 * decoder it is the example of the authors' program.
 *
 * Sohl-Dickstein, Poole, Ganguli, ICML 2014, appendix D.2, which does not say whether the weights are tied, nor whether
 * the penalty is divided by the rows of a minibatch as the reconstruction error is; here both are.
 */
import {
  integerFrom,
  type MatrixLike,
  nonNegative,
  type OptionsOf,
  oneOf,
  optionTable,
} from "@curvature/linalg";
import { layoutOf } from "../sums/layout.js";
import { type MinibatchSum, minibatchSum } from "../sums/minibatch-sum.js";
import { checkedCount, checkedData, minibatchEntries, minibatchesOf } from "../sums/minibatches.js";
import type { DenseLayerShape } from "../sums/model.js";
import { Contraction } from "./contraction.js";
import { denseStages } from "./dense-layers.js";
import { SquaredError } from "./losses.js";
import { Network, networkModel } from "./network.js";

export const autoencoderOptions = optionTable({
  /** Hidden units. */
  hidden: integerFrom(1).default(256),
  /** φ */
  decoder: oneOf("sigmoid", "linear").default("sigmoid"),
  /** β */
  contraction: nonNegative.default(1),
  ...minibatchEntries(0),
  /** Of the first point. */
  seed: integerFrom(0).default(0),
});
export type AutoencoderOptions = OptionsOf<typeof autoencoderOptions>;

/**
 * Starts at normal weights of deviation 1/√inputs and biases 0. Blocks of x: "weights" (hidden × inputs), "hidden biases",
 * "visible biases". Has Gauss-Newton products.
 *
 * @param rows - D x inputs; for a sigmoid decoder from 0 to 1
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION, ERR_MEMORY
 */
export function autoencoder(rows: MatrixLike, options?: AutoencoderOptions): MinibatchSum {
  const name = "autoencoder";
  const settings = autoencoderOptions.resolve(name, options);
  const { hidden, decoder, contraction, lambda, seed } = settings;
  const data = checkedData(name, rows);
  const count = checkedCount(name, data.rows, settings.count);
  const minibatches = minibatchesOf(data, count);
  const inputs = data.columns;
  const layout = layoutOf([
    ["weights", hidden, inputs],
    ["hidden biases", 1, hidden],
    ["visible biases", 1, inputs],
  ]);
  const [W, hiddenBiases, visibleBiases] = layout;
  const dense = { kind: "dense", weights: W } as const;
  const layers: readonly DenseLayerShape[] = [
    { ...dense, biases: hiddenBiases, isTransposed: false, activation: "sigmoid" },
    { ...dense, biases: visibleBiases, isTransposed: true, activation: decoder },
  ];
  const make = () => denseStages(layers, "scaled");
  const penalty = contraction === 0 ? undefined : new Contraction(contraction, W);
  return minibatchSum(new Network(layout, make, minibatches, new SquaredError(minibatches), penalty), {
    name,
    minibatches,
    model: networkModel(name, { inputs, layout, layers, link: "identity", codeLayers: 1 }, make),
    shape: [hidden, decoder, contraction, inputs],
    lambda,
    seed,
  });
}
