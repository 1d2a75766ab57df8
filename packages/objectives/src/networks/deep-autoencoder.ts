/**
 * The deep autoencoder of figure 3: dense layers down to a code and back up in the mirrored widths, twelve of them for the
 * defaults 784-400-200-100-50-25-6-25-50-100-200-400-784, with cross-entropy reconstruction error. All units are sigmoid
 * but those of the code, which are linear by default as in the experiment that the figure repeats (Hinton, Salakhutdinov:
 * Reducing the dimensionality of data with neural networks. Science 313 (2006); Martens: Deep learning via Hessian-free
 * optimization. ICML 2010).
 *
 *   fᵢ = (N/D) Σ_{rows v of i} Σ_k [ log(1 + e^(u_k)) − v_k u_k ] + λ/2 ‖x‖²,   u the scores before the last sigmoid
 *
 * The start is Martens's sparse one: 15 inputs of each unit are normal with deviation 1, the others 0, the biases 0.
 */
import {
  CurvatureError,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  oneOf,
  optionTable,
} from "@curvature/linalg";
import { type MinibatchSum, minibatchSum } from "../sums/minibatch-sum.js";
import { checkedCount, checkedData, minibatchEntries, minibatchesOf } from "../sums/minibatches.js";
import { denseLayers, denseStages, widths } from "./dense-layers.js";
import { SigmoidCrossEntropy } from "./losses.js";
import { Network, networkModel } from "./network.js";

export const deepAutoencoderOptions = optionTable({
  /** Widths from the first hidden layer to the code; at least one. */
  hidden: widths(1).default(Object.freeze([400, 200, 100, 50, 25, 6])),
  /** Of the code's units. */
  code: oneOf("linear", "sigmoid").default("linear"),
  ...minibatchEntries(0),
  /** Of the first point. */
  seed: integerFrom(0).default(0),
});
export type DeepAutoencoderOptions = OptionsOf<typeof deepAutoencoderOptions>;

/**
 * Blocks of x: "weights 1" (width × inputs), "biases 1", "weights 2", …. Has Gauss-Newton products.
 *
 * @param rows - D x inputs, from 0 to 1 (`curves` of datasets makes such images)
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT for an entry below 0 or above 1, ERR_OPTION, ERR_MEMORY
 */
export function deepAutoencoder(rows: MatrixLike, options?: DeepAutoencoderOptions): MinibatchSum {
  const name = "deepAutoencoder";
  const settings = deepAutoencoderOptions.resolve(name, options);
  const { hidden: down, code, lambda, seed } = settings;
  const data = checkedData(name, rows);
  checkShares(name, data);
  const count = checkedCount(name, data.rows, settings.count);
  const up = [...down].reverse().slice(1);
  const hidden = [...down, ...up];
  const activations = hidden.map((_, l) => (l === down.length - 1 ? code : "sigmoid"));
  const dense = denseLayers([data.columns, ...hidden, data.columns], [...activations, "linear"]);
  const make = () => denseStages(dense.layers, "sparse");
  const minibatches = minibatchesOf(data, count);
  return minibatchSum(new Network(dense.layout, make, minibatches, new SigmoidCrossEntropy(minibatches)), {
    name,
    minibatches,
    model: networkModel(name, { ...dense, link: "sigmoid", codeLayers: down.length }, make),
    shape: [code, data.columns, Float64Array.from(down)],
    lambda,
    seed,
  });
}

function checkShares(name: string, { columns, data }: DenseMatrix): void {
  const at = data.findIndex((entry) => entry < 0 || entry > 1);
  if (at < 0) return;
  const path = `row ${Math.floor(at / columns)}, column ${at % columns}`;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `cross-entropy needs entries from 0 to 1; received ${data[at]} at ${path} (counted from 0). Scale the data first.`,
    { where: name, path, expected: "from 0 to 1", received: data[at] },
  );
}
