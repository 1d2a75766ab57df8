/** Scores u = W a of rows a, of training and of use: W (K × columns) begins x, row-major. */
import { type DenseMatrix, matrixTimesVector } from "@curvature/linalg";
import { withConstant } from "./constant.js";
import type { ParameterBlock } from "./layout.js";
import { MatrixProduct } from "./matrix-product.js";
import { numbers } from "./memory.js";
import { type Forward, type Link, type Model, modelOf, ROWS } from "./model.js";

export class LinearScores {
  constructor(
    private readonly outputs: number,
    private readonly product: MatrixProduct,
  ) {}

  /** u (rows × K) ← A Wᵀ */
  compute({ rows, columns, data }: DenseMatrix, x: Float64Array, u: Float64Array): void {
    if (this.outputs === 1) matrixTimesVector({ rows, columns, data }, x, u);
    else this.product.timesTranspose(rows, this.outputs, columns, data, 0, x, 0, u, 0, false);
  }
}

/** Of objectives whose one layer is linear. @param hasBias - in the last column of W */
export function linearModel(
  name: string,
  weights: ParameterBlock,
  layout: readonly ParameterBlock[],
  hasBias: boolean,
  link: Link,
): Model {
  const layer = {
    kind: "dense",
    weights,
    biases: hasBias ? "last-column" : "none",
    isTransposed: false,
    activation: "linear",
  } as const;
  const inputs = weights.columns - Number(hasBias);
  return modelOf(name, { inputs, layout, layers: [layer], link }, () => linearForward(weights, hasBias));
}

export function linearForward({ rows: outputs, columns }: ParameterBlock, hasBias: boolean): Forward {
  const scores = new LinearScores(outputs, new MatrixProduct());
  const u = numbers(ROWS * outputs);
  return {
    width: () => outputs,
    forward(rows, data, x) {
      const A = { rows, columns: columns - Number(hasBias), data };
      scores.compute(hasBias ? withConstant(A) : A, x, u);
      return u;
    },
  };
}
