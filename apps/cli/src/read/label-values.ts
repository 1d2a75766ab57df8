/** Labels and weights as texts: when they are numbers, and what is said where they are missing or wrong. */
import { CurvatureError, selectRows } from "@curvature/linalg";
import { type Column, type PreparedRows, textAt } from "@curvature/linalg/tables";
import type { RowLabels } from "./rows.js";

const decimal = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?\s*$/i;
/** Whether a label may be meant as a number. */
export const isNumber = (label: string): boolean => decimal.test(label) && Number.isFinite(Number(label));

/** What is a number, and rather a name: 007 is not 7. */
const isCode = (label: string): boolean => /^\s*[+-]?0\d/.test(label);

/** Labels that are all numbers are meant as numbers, whatever the format: 1 and +1 are one class. Leading zeros make words of all. */
export function numbersIfAll(labels: RowLabels): RowLabels {
  if (labels instanceof Float64Array || !labels.every(isNumber) || labels.some(isCode)) return labels;
  return Float64Array.from(labels, Number);
}

/** Later rows with a label, as those of the fit have one where gaps are allowed; all where none has. */
export function labeledRows(prepared: PreparedRows, column: Column): PreparedRows {
  const { points, kept, notes } = prepared;
  const rows = Array.from({ length: points.rows }, (_, i) => kept?.[i] ?? i);
  const labeled = rows.flatMap((row, i) => (textAt(column, row) === "" ? [] : [i]));
  const without = rows.length - labeled.length;
  if (without === 0 || labeled.length === 0) return prepared;
  return {
    ...prepared,
    points: selectRows(points, Int32Array.from(labeled)),
    kept: Int32Array.from(labeled, (i) => rows[i]),
    notes: [
      ...notes,
      `${without} of ${rows.length} rows are left out: ${JSON.stringify(column.name)} has no value there.`,
    ],
  };
}

/** @param place - of a row */
export function unlabeledIn(
  name: string | undefined,
  labels: readonly string[] | undefined,
  place: (row: number) => string,
): string | undefined {
  const count = labels?.filter((label) => label === "").length ?? 0;
  if (name === undefined || labels === undefined || count === 0) return undefined;
  const first = place(labels.indexOf(""));
  return `${name} has no label in ${count === 1 ? `1 row (${first})` : `${count} rows (the first is ${first})`}`;
}

/** @throws CurvatureError ERR_PARSE */
export function checkedWeights(
  place: string,
  texts: readonly string[],
  placeOf: (i: number) => string,
  path = "weights",
): Float64Array {
  const wrong = texts.findIndex((text) => !isNumber(text) || Number(text) < 0);
  if (wrong >= 0)
    throw new CurvatureError(
      "ERR_PARSE",
      `${place}: ${placeOf(wrong)} is ${JSON.stringify(texts[wrong].slice(0, 60))}; a weight is a number of at least 0. Correct it, or give the row a weight of 0 to leave it out.`,
      { path, expected: "a number of at least 0", received: texts[wrong] },
    );
  const weights = Float64Array.from(texts, Number);
  if (weights.length === 0 || weights.some((weight) => weight > 0)) return weights;
  throw new CurvatureError(
    "ERR_PARSE",
    `${place}: all weights are 0, and such rows are left out; one at least must be above 0.`,
    { path, expected: "a weight above 0", received: 0 },
  );
}
