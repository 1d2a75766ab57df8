/** Every objective of `sums` and `networks` on small data, each with the options that change its formula. */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import * as networks from "@curvature/objectives/networks";
import * as sums from "@curvature/objectives/sums";

const { autoencoder, convolutionalNetwork, deepAutoencoder, multilayerPerceptron } = networks;
const { independentComponents, isingModel, logisticRegression, softmaxRegression } = sums;

/** D rows of the kind that the model needs, and labels where it needs them. */
export interface Data {
  readonly rows: DenseMatrix;
  readonly labels: readonly number[];
}

export interface ModelOnList {
  readonly label: string;
  /** The exported function. */
  readonly factory: string;
  readonly data: Data;
  make(data: Data, count: number, lambda?: number): sums.MinibatchSum;
  /** Whether f has kinks (rectified linear units, max pooling). */
  readonly hasKinks?: boolean;
}

const D = 11;

export function randomRows(rows: number, columns: number, low = -1, high = 1, seed = 1): DenseMatrix {
  const random = new RandomGenerator(seed);
  const data = Float64Array.from({ length: rows * columns }, () => low + (high - low) * random.uniform());
  return { rows, columns, data };
}

const inThree = Array.from({ length: D }, (_, n) => (n * n + 1) % 3);
const signs = inThree.map((label) => (label === 1 ? 1 : -1));
const features: Data = { rows: randomRows(D, 4), labels: inThree };
const shares: Data = { rows: randomRows(D, 6, 0, 1), labels: [] };
const bits: Data = {
  rows: { ...shares.rows, data: shares.rows.data.map((entry) => Math.round(entry)) },
  labels: [],
};
const images: Data = { rows: randomRows(D, 2 * 6 * 5), labels: inThree };
const squareImages: Data = { rows: randomRows(D, 10 * 10), labels: inThree };

export const models: readonly ModelOnList[] = [
  {
    label: "logistic regression",
    factory: "logisticRegression",
    data: { ...features, labels: signs },
    make: ({ rows, labels }, count, lambda = 0.03) => logisticRegression(rows, labels, { count, lambda }),
  },
  {
    label: "logistic regression without bias",
    factory: "logisticRegression",
    data: { ...features, labels: signs },
    make: ({ rows, labels }, count, lambda = 0) =>
      logisticRegression(rows, labels, { count, lambda, bias: false }),
  },
  {
    label: "softmax regression",
    factory: "softmaxRegression",
    data: features,
    make: ({ rows, labels }, count, lambda = 0.03) =>
      softmaxRegression(rows, labels, { count, lambda, classes: 3 }),
  },
  {
    label: "independent components",
    factory: "independentComponents",
    data: features,
    make: ({ rows }, count, lambda = 0.02) => independentComponents(rows, { count, lambda }),
  },
  {
    label: "Ising model",
    factory: "isingModel",
    data: bits,
    make: ({ rows }, count, lambda = 0.01) => isingModel(rows, { count, lambda }),
  },
  ...(["tanh", "sigmoid", "rectified-linear", "linear"] as const).map((activation) => ({
    label: `perceptron, ${activation}`,
    factory: "multilayerPerceptron",
    data: features,
    hasKinks: activation === "rectified-linear",
    make: ({ rows, labels }: Data, count: number, lambda = 0.02) =>
      multilayerPerceptron(rows, labels, { hidden: [5, 3], activation, count, lambda, classes: 3 }),
  })),
  {
    label: "perceptron with real targets",
    factory: "multilayerPerceptron",
    data: features,
    make: ({ rows }, count, lambda = 0.02) =>
      multilayerPerceptron(rows, rows, { hidden: [3], count, lambda }),
  },
  {
    label: "perceptron without hidden layers",
    factory: "multilayerPerceptron",
    data: features,
    make: ({ rows, labels }, count, lambda = 0.02) =>
      multilayerPerceptron(rows, labels, { hidden: [], count, lambda, classes: 3 }),
  },
  ...(["sigmoid", "linear"] as const).flatMap((decoder) =>
    [0, 1.5].map((contraction) => ({
      label: `autoencoder, ${decoder}, contraction ${contraction}`,
      factory: "autoencoder",
      data: shares,
      make: ({ rows }: Data, count: number, lambda = 0) =>
        autoencoder(rows, { hidden: 3, decoder, contraction, count, lambda }),
    })),
  ),
  ...(["linear", "sigmoid"] as const).map((code) => ({
    label: `deep autoencoder, ${code} code`,
    factory: "deepAutoencoder",
    data: shares,
    make: ({ rows }: Data, count: number, lambda = 0.01) =>
      deepAutoencoder(rows, { hidden: [5, 4, 2], code, count, lambda }),
  })),
  {
    label: "convolutional network",
    factory: "convolutionalNetwork",
    data: images,
    hasKinks: true,
    make: ({ rows, labels }, count, lambda = 0.01) =>
      convolutionalNetwork(rows, { channels: 2, height: 6, width: 5 }, labels, {
        ...{ maps: [3, 2], filterSide: 2, poolSide: 1, dense: 4, classes: 3 },
        ...{ count, lambda },
      }),
  },
  {
    label: "convolutional network with pooling",
    factory: "convolutionalNetwork",
    data: squareImages,
    hasKinks: true,
    make: ({ rows, labels }, count, lambda = 0.01) =>
      convolutionalNetwork(rows, { channels: 1, height: 10, width: 10 }, labels, {
        ...{ maps: [3, 2], filterSide: 3, poolSide: 2, dense: 4, classes: 3 },
        ...{ count, lambda },
      }),
  },
];
