/** Small linear problems for the stochastic solvers. */
import { RandomGenerator } from "@curvature/linalg";
import { type Bias, type LinearLossName, type LinearProblem, linearLoss } from "@curvature/objectives/linear";

export interface SmallProblem {
  readonly n?: number;
  readonly d?: number;
  readonly lossName?: LinearLossName;
  readonly bias?: Bias;
  readonly lambda?: number;
  readonly seed?: number;
  /** What the entries of every column are multiplied by. */
  readonly size?: number;
}

/** Sparse rows (a third of the entries) with targets of a noisy linear model. */
export function smallProblem({
  n = 400,
  d = 7,
  lossName = "squared-hinge",
  bias = "none",
  lambda = 0.01,
  seed = 1,
  size = 1,
}: SmallProblem = {}): LinearProblem {
  const random = new RandomGenerator(seed);
  const loss = linearLoss(lossName);
  const truth = Float64Array.from({ length: d }, () => 4 * random.uniform() - 2);
  const rowPointers = new Int32Array(n + 1);
  const [columns, values]: [number[], number[]] = [[], []];
  const targets = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let score = 0.3 * (random.uniform() - 0.5);
    for (let j = 0; j < d; j++) {
      if (random.uniform() > 1 / 3 && d > 1) continue;
      const value = 2 * random.uniform() - 1;
      columns.push(j);
      values.push(size * value);
      score += truth[j] * value;
    }
    rowPointers[i + 1] = columns.length;
    targets[i] = loss.task === "regression" ? score : score > 0 ? 1 : -1;
  }
  const rows = {
    rows: n,
    columns: d,
    rowPointers,
    columnIndices: Int32Array.from(columns),
    values: Float64Array.from(values),
  };
  return { rows, targets, loss, lambda, bias };
}
