/** One minibatch of drawn rows for every sum that goes through rows, in the sizes of the paper's experiments or small ones. */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import {
  autoencoder,
  convolutionalNetwork,
  deepAutoencoder,
  multilayerPerceptron,
} from "@curvature/objectives/networks";
import {
  independentComponents,
  isingModel,
  logisticRegression,
  type MinibatchSum,
  softmaxRegression,
} from "@curvature/objectives/sums";

export interface MinibatchSize {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly make: (rows: DenseMatrix, classes: Int32Array) => MinibatchSum;
}

const CLASSES = 10;
const one = { count: 1 } as const;

const halves = (rows: DenseMatrix): DenseMatrix => ({
  ...rows,
  data: rows.data.map((grey) => Number(grey > 0.5)),
});

/** The paper's sizes, or such as take milliseconds. */
export function minibatchSizes(isSmall: boolean): readonly MinibatchSize[] {
  const [rows, columns, side] = isSmall ? [20, 64, 8] : [100, 784, 32];
  const widths = isSmall ? [16, 4] : [400, 200, 100, 50, 25, 6];
  return [
    {
      name: "logistic regression",
      rows,
      columns,
      make: (points, digits) =>
        logisticRegression(
          points,
          digits.map((digit) => 2 * (digit % 2) - 1),
          one,
        ),
    },
    {
      name: "softmax regression, 10 classes",
      rows,
      columns,
      make: (points, digits) => softmaxRegression(points, digits, { ...one, classes: CLASSES }),
    },
    {
      name: `independent components, ${isSmall ? 16 : 200} columns`,
      rows,
      columns: isSmall ? 16 : 200,
      make: (points) => independentComponents(points, one),
    },
    { name: "Ising model", rows, columns, make: (points) => isingModel(halves(points), one) },
    {
      name: `autoencoder, ${isSmall ? 16 : 256} hidden units`,
      rows,
      columns,
      make: (points) => autoencoder(points, { ...one, hidden: isSmall ? 16 : 256 }),
    },
    {
      name: `deep autoencoder, ${2 * widths.length} layers`,
      rows,
      columns,
      make: (points) => deepAutoencoder(points, { ...one, hidden: widths }),
    },
    {
      name: `perceptron, ${isSmall ? "32" : "1,200 and 1,200"} sigmoid units`,
      rows,
      columns,
      make: (points, digits) =>
        multilayerPerceptron(points, digits, {
          ...one,
          classes: CLASSES,
          hidden: isSmall ? [32] : [1200, 1200],
          activation: "sigmoid",
        }),
    },
    {
      name: `convolutional network, images of 3 × ${side} × ${side}`,
      rows: 20,
      columns: 3 * side * side,
      make: (points, digits) =>
        convolutionalNetwork(points, { channels: 3, height: side, width: side }, digits, {
          ...one,
          classes: CLASSES,
          ...(isSmall && { maps: [4], filterSide: 3, dense: 16 }),
        }),
    },
  ];
}

export function minibatchOf({ name, rows, columns, make }: MinibatchSize): {
  readonly name: string;
  readonly rows: number;
  readonly sum: MinibatchSum;
} {
  const random = new RandomGenerator(0);
  const data = Float64Array.from({ length: rows * columns }, () => random.uniform());
  const classes = Int32Array.from({ length: rows }, (_, i) => i % CLASSES);
  return { name, rows, sum: make({ rows, columns, data }, classes) };
}
