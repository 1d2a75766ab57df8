/** What the default models do on held-out rows, and how long a default fit takes. */
import { type DenseMatrix, selectRows } from "@curvature/linalg";
import {
  LinearClassifier,
  type LinearFitResult,
  LinearRegressor,
  type LinearRegressorOptions,
} from "@curvature/optim-sgdqn";
import { cpuSeconds } from "../../processor.ts";
import { median } from "../../spread.ts";
import type { Figures, NumberTable } from "./default-tables.ts";

/** What a class that the training rows lack, and a probability of 0, count as. */
const LEAST_PROBABILITY = 1e-12;

interface Part {
  readonly points: DenseMatrix;
  readonly labels: readonly string[];
}

/** Training and held-out rows of each fold of each seed. */
function* parts({
  points,
  labels,
  folds,
}: NumberTable): Generator<{ readonly train: Part; readonly test: Part }> {
  const part = (rows: readonly number[]): Part => ({
    points: selectRows(points, Int32Array.from(rows)),
    labels: rows.map((row) => labels[row]),
  });
  for (const fold of folds)
    for (const q of "01234") {
      const rows = Array.from(labels.keys());
      yield {
        train: part(rows.filter((row) => fold[row] !== q)),
        test: part(rows.filter((row) => fold[row] === q)),
      };
    }
}

export async function classified(table: NumberTable): Promise<Required<Pick<Figures, "err" | "ll">>> {
  let [n, wrong, loss] = [0, 0, 0];
  for (const { train, test } of parts(table)) {
    const model = new LinearClassifier<string>({ probabilities: true });
    await model.fit(train.points, train.labels);
    const predicted = model.predict(test.points);
    const { columns, data } = model.predictProbabilities(test.points);
    for (const [i, label] of test.labels.entries()) {
      n++;
      if (predicted[i] !== label) wrong++;
      const k = model.classes.indexOf(label);
      loss -= Math.log(Math.max(LEAST_PROBABILITY, k < 0 ? 0 : data[i * columns + k]));
    }
  }
  return { err: wrong / n, ll: loss / n };
}

/** relmse: squared error over that of the training rows' mean. */
export async function predicted(
  table: NumberTable,
  options: LinearRegressorOptions = {},
): Promise<Required<Pick<Figures, "relmse" | "mae">>> {
  let [n, squares, ofMean, absolutes] = [0, 0, 0, 0];
  for (const { train, test } of parts(table)) {
    const model = new LinearRegressor(options);
    const targets = train.labels.map(Number);
    await model.fit(train.points, targets);
    const mean = targets.reduce((sum, y) => sum + y / targets.length, 0);
    const values = model.predict(test.points);
    for (const [i, label] of test.labels.entries()) {
      n++;
      const y = Number(label);
      squares += (values[i] - y) ** 2;
      ofMean += (mean - y) ** 2;
      absolutes += Math.abs(values[i] - y);
    }
  }
  return { relmse: squares / ofMean, mae: absolutes / n };
}

export function defaultFit({ task, points, labels }: NumberTable): Promise<LinearFitResult> {
  return task === "classification"
    ? new LinearClassifier<string>().fit(points, labels)
    : new LinearRegressor().fit(points, labels.map(Number));
}

/** Processor time of the default fit of a whole table, in a process that has made one before. */
export async function secondsOf(table: NumberTable): Promise<number> {
  await defaultFit(table);
  const seconds: number[] = [];
  for (let k = 0; k < 3; k++) {
    const began = cpuSeconds();
    await defaultFit(table);
    seconds.push(cpuSeconds() - began);
  }
  return median(seconds);
}
