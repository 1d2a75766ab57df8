/**
 * The nine problems that the authors' program was run on, with what it reached: F after 5, 10 and 20 passes, the median
 * and the largest over seven seeds (five for the mixture of Rosenbrock functions).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { SumOfFunctions } from "@curvature/optim-core";
import { autoencoderSum } from "./autoencoder.js";
import { perceptronSum, softmaxSum } from "./classifiers.js";
import { logisticSum, standardizedWithConstant } from "./logistic.js";
import { powerSum } from "./powers.js";
import { quadraticSum } from "./quadratic.js";
import { rosenbrockChain, rosenbrockMixture } from "./rosenbrock.js";

export interface Reference {
  /** A number n for n zeros. */
  readonly x0: readonly number[] | number;
  readonly F0: number;
  readonly median: readonly number[];
  readonly max: readonly number[];
  /** Where F is convex. */
  readonly fstar?: number;
  /** What SGD with momentum, AdaGrad, Adam and SAG reached after 20 passes with the best setting of a grid; null if all broke off. */
  readonly tuned: Readonly<Record<"sgdMomentum" | "adagrad" | "adam" | "sag", number | null>>;
}

const bytes = (name: string) => readFileSync(join(import.meta.dirname, "..", "fixtures", name));
const unpacked = (name: string) => JSON.parse(gunzipSync(bytes(name)).toString("utf8"));

const recorded = unpacked("reference-problems.json.gz");
export const references: Readonly<Record<string, Reference>> = recorded;

export function breastCancer(): SumOfFunctions {
  const { rows, cols, X, y } = JSON.parse(bytes("data-breast-cancer.json").toString("utf8"));
  const data = Array.from({ length: rows }, (_, i) => X.slice(i * cols, (i + 1) * cols));
  const signs = y.map((label: number) => 2 * label - 1);
  return logisticSum(standardizedWithConstant(data), signs, 25, 1e-3);
}

/** Pixels from 0 to 1; with a constant column 1 if asked for. */
function digits(hasConstant: boolean) {
  const { rows, cols, X, y } = unpacked("data-digits.json.gz");
  const labels: readonly number[] = y;
  return {
    labels,
    rows: Array.from({ length: rows }, (_, r) =>
      Float64Array.from({ length: cols + Number(hasConstant) }, (_entry, k) =>
        k === cols ? 1 : X[r * cols + k] / 16,
      ),
    ),
  };
}

export const problems: Readonly<Record<string, () => SumOfFunctions>> = {
  "toy-powers": () => powerSum(recorded["toy-powers"].data.u, recorded["toy-powers"].data.a),
  "demo-autoencoder": () =>
    autoencoderSum(Float64Array.from(unpacked("data-demo-autoencoder.json.gz").X), 20, 10, 25),
  "logistic-breast-cancer": breastCancer,
  "logistic-digits-parity": () => {
    const { rows, labels } = digits(true);
    return logisticSum(
      rows,
      labels.map((label) => (label % 2 === 1 ? 1 : -1)),
      100,
      1e-4,
    );
  },
  "softmax-digits": () => softmaxSum(digits(true), 50, 1e-3),
  "mlp-digits": () => perceptronSum(digits(false), 32, 30, 1e-4),
  "rosenbrock-chain": rosenbrockChain,
  "rosenbrock-mixture": rosenbrockMixture,
  "quadratic-kappa1e6": quadraticSum,
};

export function startOf({ x0 }: Reference): Float64Array {
  return typeof x0 === "number" ? new Float64Array(x0) : Float64Array.from(x0);
}

export function wholeSum(sum: SumOfFunctions, x: Float64Array): number {
  let F = 0;
  for (let i = 0; i < sum.count; i++) F += Number(sum.evaluate(i, x));
  return F;
}
