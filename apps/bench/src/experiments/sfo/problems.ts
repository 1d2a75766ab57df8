/**
 * The problems of the paper's figures 2 and 3, on data that come with the packages: the 1,797 handwritten digits in
 * place of MNIST and CIFAR-10, and drawn curves.
 */
import { curves } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { applyScaling, type DenseMatrix, fitScaling, principalComponents } from "@curvature/linalg";
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

export interface Problem {
  readonly title: string;
  /** What is fitted to what, for the table. */
  readonly description: string;
  readonly sum: MinibatchSum;
}

const { points, labels } = await loadDigits();

/** Rows 0 … rows − 1; they are in no order. */
function digitsOf(rows: number): { readonly pixels: DenseMatrix; readonly digits: Int32Array } {
  const data = points.data.slice(0, rows * points.columns).map((value) => value / 16);
  return {
    pixels: { rows, columns: points.columns, data },
    digits: Int32Array.from(labels.subarray(0, rows)),
  };
}

const shape = ({ rows, columns }: DenseMatrix): string => `${rows} x ${columns}`;

export const problemNames = [
  "logistic",
  "softmax",
  "mlp",
  "autoencoder",
  "demo-autoencoder",
  "ica",
  "ising",
  "convnet",
  "deep-autoencoder",
] as const;

export type ProblemName = (typeof problemNames)[number];

/**
 * @param rows - of the data, at most; the digits have 1,797
 * @param minibatches - of "logistic" and "ising", where not the usual ones
 */
export function problemOf(name: ProblemName, rows: number, minibatches?: number): Problem {
  const { pixels, digits } = digitsOf(Math.min(rows, points.rows));
  switch (name) {
    case "logistic": {
      const count = minibatches ?? 100;
      return {
        title: "logistic regression",
        description: `odd digits against even ones, ${shape(pixels)}, λ = 1e-4, ${count} minibatches`,
        sum: logisticRegression(
          pixels,
          digits.map((digit) => 2 * (digit % 2) - 1),
          { lambda: 1e-4, count },
        ),
      };
    }
    case "softmax":
      return {
        title: "softmax regression",
        description: `digits, ${shape(pixels)}, 10 classes, λ = 1e-3, 50 minibatches`,
        sum: softmaxRegression(pixels, digits, { lambda: 1e-3, count: 50, classes: 10 }),
      };
    case "mlp":
      return {
        title: "multilayer perceptron",
        description: `digits, ${shape(pixels)}, 32 tanh units, softmax, λ = 1e-4, 30 minibatches`,
        sum: multilayerPerceptron(pixels, digits, { hidden: [32], lambda: 1e-4, count: 30, classes: 10 }),
      };
    case "autoencoder":
      return {
        title: "contractive autoencoder",
        description: `digits, ${shape(pixels)}, 32 sigmoid units, tied weights, sigmoid decoder, contraction 1, 25 minibatches`,
        sum: autoencoder(pixels, { hidden: 32, count: 25 }),
      };
    case "demo-autoencoder":
      return {
        title: "autoencoder with a linear decoder",
        description: `digits, ${shape(pixels)}, 10 sigmoid units, tied weights, linear decoder, no contraction, 25 minibatches; the form of the demonstration in the authors' program`,
        sum: autoencoder(pixels, { hidden: 10, decoder: "linear", contraction: 0, count: 25 }),
      };
    case "ica": {
      const { scores } = principalComponents(pixels, { count: 20 });
      const whitened = applyScaling(fitScaling(scores, "standard"), scores);
      return {
        title: "independent component analysis",
        description: `20 whitened principal components of the digits, ${shape(whitened)}, Student's t, 50 minibatches`,
        sum: independentComponents(whitened, { count: 50 }),
      };
    }
    case "ising": {
      const count = minibatches ?? 50;
      const states = { ...pixels, data: pixels.data.map((value) => Number(value > 0.5)) };
      return {
        title: "Ising model, minimum probability flow",
        description: `digits, ink above one half, ${shape(states)}, λ = 0.01, ${count} minibatches`,
        sum: isingModel(states, { count }),
      };
    }
    case "convnet":
      return {
        title: "convolutional network",
        description: `digits, images of 8 x 8, 8 maps of filters of 3 x 3, pooling 2 x 2, 32 dense units, λ = 1e-4, 30 minibatches`,
        sum: convolutionalNetwork(pixels, { channels: 1, height: 8, width: 8 }, digits, {
          maps: [8],
          filterSide: 3,
          dense: 32,
          count: 30,
          classes: 10,
        }),
      };
    case "deep-autoencoder": {
      const { points: drawn } = curves({ count: Math.min(rows, 500), side: 14 });
      return {
        title: "deep autoencoder (figure 3)",
        description: `drawn curves, ${shape(drawn)} grey values, layers 196-100-50-25-6-25-50-100-196, cross-entropy, 25 minibatches`,
        sum: deepAutoencoder(drawn, { hidden: [100, 50, 25, 6], count: 25 }),
      };
    }
  }
}
