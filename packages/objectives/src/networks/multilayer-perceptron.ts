/**
 * The multilayer perceptron: dense layers of any widths with one activation, linear outputs, and softmax cross-entropy of
 * class labels or squared error of real targets.
 *
 * The paper's (appendix D.5): 784-1200-1200-10 with sigmoid or rectified linear units, { hidden: [1200, 1200] }.
 */
import {
  CurvatureError,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  optionTable,
} from "@curvature/linalg";
import { type MinibatchSum, minibatchSum } from "../sums/minibatch-sum.js";
import {
  checkedClasses,
  checkedCount,
  checkedData,
  type Labels,
  labelsInMinibatches,
  minibatchEntries,
  minibatchesOf,
} from "../sums/minibatches.js";
import type { Link } from "../sums/model.js";
import { anActivation } from "./activations.js";
import { denseLayers, denseStages, widths } from "./dense-layers.js";
import { type OutputLoss, SoftmaxCrossEntropy, SquaredError } from "./losses.js";
import { Network, networkModel } from "./network.js";

export const multilayerPerceptronOptions = optionTable({
  /** Widths of the hidden layers. */
  hidden: widths(0).default(Object.freeze([32])),
  /** Of the hidden layers. */
  activation: anActivation.default("tanh"),
  ...minibatchEntries(1e-4),
  /** K, for labels. Left out: one more than the largest label. */
  classes: integerFrom(2),
  /** Of the first point. */
  seed: integerFrom(0).default(0),
});
export type MultilayerPerceptronOptions = OptionsOf<typeof multilayerPerceptronOptions>;

/**
 * Starts at normal weights of deviation 1/√inputs and biases 0. Blocks of x: "weights 1" (width × inputs), "biases 1",
 * "weights 2", …. Has Gauss-Newton products.
 *
 * @param rows - D x inputs
 * @param targets - D class labels from 0 to K − 1 (softmax cross-entropy), or a D x outputs matrix (squared error)
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT (labels), ERR_OPTION, ERR_MEMORY
 */
export function multilayerPerceptron(
  rows: MatrixLike,
  targets: Labels | MatrixLike,
  options?: MultilayerPerceptronOptions,
): MinibatchSum {
  const name = "multilayerPerceptron";
  const settings = multilayerPerceptronOptions.resolve(name, options);
  const { hidden, activation, lambda, seed } = settings;
  const data = checkedData(name, rows);
  const count = checkedCount(name, data.rows, settings.count);
  const output = isLabels(targets)
    ? classification(name, targets, data.rows, count, settings.classes)
    : regression(name, targets, data.rows, count);
  const activations = [...hidden.map(() => activation), "linear" as const];
  const dense = denseLayers([data.columns, ...hidden, output.width], activations);
  const make = () => denseStages(dense.layers, "scaled");
  const minibatches = minibatchesOf(data, count);
  return minibatchSum(new Network(dense.layout, make, minibatches, output.loss), {
    name,
    minibatches,
    model: networkModel(name, { ...dense, link: output.link }, make),
    targets: output.targets,
    shape: [activation, data.columns, Float64Array.from(hidden), output.width],
    lambda,
    seed,
  });
}

interface Output {
  readonly width: number;
  readonly loss: OutputLoss;
  readonly link: Link;
  /** By minibatch. */
  readonly targets: readonly (Int32Array | Float64Array)[];
}

function classification(
  name: string,
  given: Labels,
  rows: number,
  count: number,
  most: number | undefined,
): Output {
  const { labels, classes } = checkedClasses(name, given, rows, most);
  const labelsOf = labelsInMinibatches(labels, count);
  return {
    width: classes,
    loss: new SoftmaxCrossEntropy(labelsOf, classes),
    link: "softmax",
    targets: labelsOf,
  };
}

function regression(name: string, given: MatrixLike, rows: number, count: number): Output {
  const targets: DenseMatrix = checkedData(name, given, "targets");
  if (targets.rows !== rows)
    throw new CurvatureError(
      "ERR_SHAPE",
      `targets must have ${rows} rows, as the data have; received ${targets.rows}.`,
      { where: name, path: "targets", expected: `${rows} rows`, received: targets.rows },
    );
  const targetsOf = minibatchesOf(targets, count);
  return {
    width: targets.columns,
    loss: new SquaredError(targetsOf),
    link: "identity",
    targets: targetsOf.map(({ data }) => data),
  };
}

/** A flat list is one of labels; a matrix is an array of arrays or an object with a shape. */
function isLabels(targets: Labels | MatrixLike): targets is Labels {
  const isArray = Array.isArray(targets);
  const nested: unknown = isArray ? targets[0] : undefined;
  return (isArray && !(Array.isArray(nested) || ArrayBuffer.isView(nested))) || ArrayBuffer.isView(targets);
}
