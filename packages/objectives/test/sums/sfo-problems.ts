/** The five recorded problems: their data, and what an independent program computed of them. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { applyScaling, type DenseMatrix, fitScaling } from "@curvature/linalg";
import { autoencoder, multilayerPerceptron } from "@curvature/objectives/networks";
import { logisticRegression, type MinibatchSum, softmaxRegression } from "@curvature/objectives/sums";
import { digits } from "../affinity/digits.js";

const fixture = (name: string): URL => new URL(`../fixtures/${name}`, import.meta.url);

export interface Recorded {
  readonly N: number;
  readonly M: number;
  readonly x0: readonly number[] | 0;
  /** Of the convex problems: the least value. */
  readonly fstar?: number;
  readonly check: {
    readonly F0: number;
    readonly gradNorm0: number;
    readonly f0_first3: readonly number[];
    readonly gradNorm0_first3: readonly number[];
    readonly F_probe: number;
    readonly gradNorm_probe: number;
    readonly grad_probe_first5: readonly number[];
  };
}

export const recorded = (name: string): Recorded =>
  JSON.parse(readFileSync(fixture(`sfo-${name}.json`), "utf8"));

const digitLabels = (): number[] =>
  [...readFileSync(fixture("sfo-digits-labels.txt"), "utf8").trim()].map(Number);

function demoRows(): DenseMatrix {
  const bytes = gunzipSync(readFileSync(fixture("sfo-demo-rows.i32.gz")));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data = Float64Array.from({ length: 50000 }, (_, k) => view.getInt32(4 * k, true) / 10000);
  return { rows: 2500, columns: 20, data };
}

function breastCancer(): { readonly rows: DenseMatrix; readonly labels: readonly number[] } {
  const { X, y }: { X: number[]; y: number[] } = JSON.parse(
    readFileSync(fixture("sfo-breast-cancer.json"), "utf8"),
  );
  const raw = { rows: 569, columns: 30, data: Float64Array.from(X) };
  return { rows: applyScaling(fitScaling(raw, "standard"), raw), labels: y.map((label) => 2 * label - 1) };
}

export const problems: Readonly<Record<string, () => MinibatchSum>> = {
  "logistic-breast-cancer": () => {
    const { rows, labels } = breastCancer();
    return logisticRegression(rows, labels, { lambda: 1e-3, count: 25 });
  },
  "logistic-digits-parity": () =>
    logisticRegression(
      digits(),
      digitLabels().map((digit) => (digit % 2 === 1 ? 1 : -1)),
      { lambda: 1e-4, count: 100 },
    ),
  "softmax-digits": () => softmaxRegression(digits(), digitLabels(), { lambda: 1e-3, count: 50 }),
  "mlp-digits": () =>
    multilayerPerceptron(digits(), digitLabels(), { hidden: [32], lambda: 1e-4, count: 30 }),
  "demo-autoencoder": () =>
    autoencoder(demoRows(), { hidden: 10, decoder: "linear", contraction: 0, count: 25 }),
};
