/**
 * Parts of labelled rows: a share to test on, folds to test on in turn, each with about the same mixture of classes
 * as the whole.
 */
import { CurvatureError, RandomGenerator, selectRows } from "@curvature/linalg";
import { dealFolds, dealtOrder } from "@curvature/optim-sgdqn";
import type { RowLabels } from "../read/rows.js";
import type { LabeledData } from "./linear-model.js";

/** The class of each row, as numbers in the order in which they come; undefined where labels are no classes. */
function classesOf(labels: RowLabels, grouped: boolean): ((row: number) => number) | undefined {
  if (!grouped) return undefined;
  const codes = new Map<string | number, number>();
  const codeOf = Int32Array.from({ length: labels.length }, (_, i) => {
    const code = codes.get(labels[i]) ?? codes.size;
    codes.set(labels[i], code);
    return code;
  });
  return (row) => codeOf[row];
}

/** Which rows are tested on, as a mark by row. @param share - between 0 and 1 */
export function testShare(labels: RowLabels, share: number, grouped: boolean, seed: number): Uint8Array {
  const marks = new Uint8Array(labels.length);
  const order = dealtOrder(labels.length, new RandomGenerator(seed), classesOf(labels, grouped));
  for (const [place, row] of order.entries()) {
    marks[row] = Math.floor((place + 1) * share) - Math.floor(place * share);
  }
  return marks;
}

/** The fold of every row, from 0. */
export function foldOf(labels: RowLabels, folds: number, grouped: boolean, seed: number): Int32Array {
  return dealFolds(labels.length, folds, new RandomGenerator(seed), classesOf(labels, grouped));
}

/**
 * That there is something to learn without each of the folds.
 *
 * @throws CurvatureError ERR_SHAPE for more folds than rows, ERR_PARSE where one fold would have all of one of two classes
 */
export function checkFolds(labels: RowLabels, folds: number, grouped: boolean): void {
  if (folds > labels.length) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `--folds must be at most ${labels.length}, the number of rows; received ${folds}.`,
      { path: "folds", received: folds },
    );
  }
  if (!grouped) return;
  const counts = new Map<string | number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const [single] = [...counts].find(([, count]) => count === 1) ?? [];
  if (single === undefined || counts.size !== 2) return;
  throw new CurvatureError(
    "ERR_PARSE",
    `One row only is of the class ${single}: without its fold there is one class. Leave out --folds, or give more rows of the class.`,
    { path: "labels", expected: "at least 2 rows of each class", received: 1 },
  );
}

/** The indices where `keeps` holds. */
function indicesWhere(length: number, keeps: (place: number) => boolean): Int32Array {
  let count = 0;
  for (let i = 0; i < length; i++) if (keeps(i)) count++;
  const indices = new Int32Array(count);
  let next = 0;
  for (let i = 0; i < length; i++) if (keeps(i)) indices[next++] = i;
  return indices;
}

function selectedLabels(labels: RowLabels, indices: Int32Array): RowLabels {
  return labels instanceof Float64Array
    ? Float64Array.from(indices, (i) => labels[i])
    : Array.from(indices, (i) => labels[i]);
}

/** The rows to train on and those to test on. */
export function parted(
  data: LabeledData,
  test: (LabeledData & { readonly path: string }) | number | undefined,
  grouped: boolean,
  seed: number,
): { readonly data: LabeledData; readonly test: LabeledData | undefined } {
  if (typeof test !== "number") return { data, test };
  const marks = testShare(data.labels, test, grouped, seed);
  const parts = [0, 1].map((mark) => part(data, (i) => marks[i] === mark));
  const [kept, tested] = parts;
  if (kept.rows.rows === 0 || tested.rows.rows === 0) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `--test ${test} of ${data.rows.rows} rows leaves ${kept.rows.rows} to train and ${tested.rows.rows} to test on. Give more rows, or another share.`,
      { path: "test", received: test },
    );
  }
  return { data: kept, test: tested };
}

/** The rows that are kept, with their indices. */
export function part({ rows, labels, weights }: LabeledData, keeps: (row: number) => boolean): LabeledData {
  const indices = indicesWhere(rows.rows, keeps);
  return {
    rows: selectRows(rows, indices),
    labels: selectedLabels(labels, indices),
    weights: weights && Float64Array.from(indices, (i) => weights[i]),
    indices,
  };
}
