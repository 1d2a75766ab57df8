/** Sums over minibatches of digits: softmax regression, and a perceptron with a layer of tanh before it. */
import type { SumOfFunctions } from "@curvature/optim-core";

export interface LabelledRows {
  readonly rows: readonly Float64Array[];
  readonly labels: readonly number[];
}

const CLASSES = 10;

/** −log softmax(scores)_label; the scores become the slopes of it. */
function crossEntropy(scores: Float64Array, label: number): number {
  const most = Math.max(...scores);
  let total = 0;
  for (const score of scores) total += Math.exp(score - most);
  const log = most + Math.log(total);
  const loss = log - scores[label];
  for (let c = 0; c < scores.length; c++) scores[c] = Math.exp(scores[c] - log) - (c === label ? 1 : 0);
  return loss;
}

/** value N/D + λ/2 ‖x‖², and the gradient in the same way. */
function regularized(
  value: number,
  x: Float64Array,
  share: number,
  lambda: number,
  gradient: Float64Array | undefined,
): number {
  let squares = 0;
  for (let k = 0; k < x.length; k++) {
    if (gradient !== undefined) gradient[k] = gradient[k] * share + lambda * x[k];
    squares += x[k] * x[k];
  }
  return value * share + (lambda / 2) * squares;
}

/** x = W, 10 rows of as many weights as the data have columns. */
export function softmaxSum({ rows, labels }: LabelledRows, count: number, lambda: number): SumOfFunctions {
  const columns = rows[0].length;
  const scores = new Float64Array(CLASSES);
  return {
    dimension: CLASSES * columns,
    count,
    evaluate(i, x, gradient) {
      let value = 0;
      gradient?.fill(0);
      for (let r = i; r < rows.length; r += count) {
        const a = rows[r];
        for (let c = 0; c < CLASSES; c++) {
          scores[c] = 0;
          for (let k = 0; k < columns; k++) scores[c] += x[c * columns + k] * a[k];
        }
        value += crossEntropy(scores, labels[r]);
        if (gradient === undefined) continue;
        for (let c = 0; c < CLASSES; c++)
          for (let k = 0; k < columns; k++) gradient[c * columns + k] += scores[c] * a[k];
      }
      return regularized(value, x, count / rows.length, lambda, gradient);
    },
  };
}

/** x = [W₁ (H x columns), b₁, W₂ (10 x H), b₂] */
export function perceptronSum(
  { rows, labels }: LabelledRows,
  H: number,
  count: number,
  lambda: number,
): SumOfFunctions {
  const columns = rows[0].length;
  const b1 = H * columns;
  const W2 = b1 + H;
  const b2 = W2 + CLASSES * H;
  const h = new Float64Array(H);
  const back = new Float64Array(H);
  const scores = new Float64Array(CLASSES);
  return {
    dimension: b2 + CLASSES,
    count,
    evaluate(i, x, gradient) {
      let value = 0;
      gradient?.fill(0);
      for (let r = i; r < rows.length; r += count) {
        const a = rows[r];
        for (let j = 0; j < H; j++) {
          let score = x[b1 + j];
          for (let k = 0; k < columns; k++) score += x[j * columns + k] * a[k];
          h[j] = Math.tanh(score);
        }
        for (let c = 0; c < CLASSES; c++) {
          scores[c] = x[b2 + c];
          for (let j = 0; j < H; j++) scores[c] += x[W2 + c * H + j] * h[j];
        }
        value += crossEntropy(scores, labels[r]);
        if (gradient === undefined) continue;
        back.fill(0);
        for (let c = 0; c < CLASSES; c++) {
          gradient[b2 + c] += scores[c];
          for (let j = 0; j < H; j++) {
            gradient[W2 + c * H + j] += scores[c] * h[j];
            back[j] += scores[c] * x[W2 + c * H + j];
          }
        }
        for (let j = 0; j < H; j++) {
          const slope = back[j] * (1 - h[j] * h[j]);
          gradient[b1 + j] += slope;
          for (let k = 0; k < columns; k++) gradient[j * columns + k] += slope * a[k];
        }
      }
      return regularized(value, x, count / rows.length, lambda, gradient);
    },
  };
}
