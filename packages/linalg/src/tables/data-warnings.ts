/**
 * What is odd about data: what most likely is not meant, and what a map or a model does not show. The façades say it among their
 * `warnings`; front ends that know the columns' names say it with them.
 */
import { checkDenseForm, type DenseMatrix } from "../dense/matrix.js";
import { type Warning, warning } from "../errors.js";
import { badOption, type OptionsOf, option, optionTable, shown } from "../options.js";
import { checkSparsePattern } from "../sparse/check-sparse.js";
import type { SparseMatrix } from "../sparse/csr.js";
import { isCodeOf, isInOtherUnit } from "./leaks.js";

/** In the order in which they are said. */
export const dataWarningCodes = [
  /** Labels of classes that are names of rows, or numbers to be predicted. */
  "distinct-labels",
  /** A matrix of distances in the place of points; where it is one, nothing else is said of its columns and rows. */
  "distances-as-points",
  /** Columns that tell what is to be learned. */
  "leaking-columns",
  /** A column that counts the rows. */
  "counting-column",
  /** Columns that are the same in all rows. */
  "constant-columns",
  /** Many rows that are equal to others. */
  "duplicate-rows",
  /** A column that by its unit alone decides how far points lie apart. */
  "column-span",
] as const;
export type DataWarningCode = (typeof dataWarningCodes)[number];

type Points = DenseMatrix<Float64Array | Float32Array> | SparseMatrix<Float64Array | Float32Array>;
type Labels = ArrayLike<string | number | boolean>;
type Remedies = Readonly<Partial<Record<DataWarningCode, string>>>;

const isCode = (value: unknown): value is DataWarningCode => dataWarningCodes.some((code) => code === value);

const dataWarningOptions = optionTable({
  /** Names of the columns; without, they are counted from 0. */
  columns: option(
    "the names of the columns",
    (value): value is readonly string[] =>
      Array.isArray(value) && value.every((name) => typeof name === "string"),
  ),
  /** Of the classes that are to be learned, one for each row. */
  labels: option(
    "the labels of the rows",
    (value): value is Labels => Array.isArray(value) || ArrayBuffer.isView(value),
  ),
  /** Numbers that are to be learned, one for each row. */
  targets: option("the targets of the rows", (value): value is ArrayLike<number> =>
    ArrayBuffer.isView(value),
  ),
  /** What to look for. */
  checks: option(
    `a list of ${dataWarningCodes.join(", ")}`,
    (value): value is readonly DataWarningCode[] => Array.isArray(value) && value.every(isCode),
  ).default(dataWarningCodes),
  /** What to do about it, in sentences that take the place of the usual ones; options in them by `optionName`. */
  remedies: option(
    "an object of sentences",
    (value): value is Remedies =>
      typeof value === "object" &&
      value !== null &&
      Object.entries(value).every(([code, sentence]) => isCode(code) && typeof sentence === "string"),
  ).default({}),
});
export type DataWarningOptions = OptionsOf<typeof dataWarningOptions>;

/** Rows below which little can be said: a toy, or a matter of chance. */
const FEWEST_ROWS = 10;
/** From so many columns on they are pixels, words and the like, many of which may be constant. */
const MANY_COLUMNS = 50;
/** A column's span over the median of all: at thirty times it counts a thousand times as much in squared distances. */
const LARGEST_RATIO = 30;
/** Of the rows, copies of others: where columns have values enough to tell all rows apart, and where they have not. */
const LARGEST_SHARES = { apart: 0.1, few: 0.5 } as const;
/** Columns by which most rows can be told apart, where there are many. */
const SAMPLED_COLUMNS = 64;
/** Different numbers that may well be classes; of whole numbers also a tenth of the rows. */
const MOST_CLASSES = 20;

const usualRemedies: Readonly<Record<DataWarningCode, string>> = {
  "distinct-labels": "A class is what several rows share; numbers are predicted by regression.",
  "distances-as-points": "Give the points.",
  "leaking-columns":
    "A model that sees it learns nothing else: leave it out, unless it is known before what is to be learned.",
  "counting-column": "Leave the column out, unless the order of the rows is meant.",
  "constant-columns": "What never changes tells no rows apart: check that it was read as it was meant.",
  "duplicate-rows": "Check that they are meant.",
  "column-span":
    "If columns differ in unit, bring them to one scale (fitScaling and applyScaling of @curvature/linalg).",
};

/**
 * What is odd about points, or rows of features, in O(n d); empty where all is well.
 *
 * @param points - their entries are not checked
 * @throws CurvatureError ERR_OPTION; ERR_SHAPE or ERR_ARGUMENT for what is no matrix
 */
export function dataWarnings(points: Points, options?: DataWarningOptions): Warning[] {
  const { columns, labels, targets, checks, remedies } = dataWarningOptions.resolve("dataWarnings", options);
  if (typeof points === "object" && points !== null && "rowPointers" in points)
    checkSparsePattern(points, "dataWarnings: points");
  else checkDenseForm(points, "dataWarnings: points");
  if (columns !== undefined && columns.length !== points.columns)
    throw badOption("dataWarnings", "columns", `the names of ${points.columns} columns`, columns);
  const named = (j: number): string =>
    columns === undefined ? `column ${j} (counted from 0)` : shown(columns[j]);
  const counting = countingColumn(points);
  const facts: Record<DataWarningCode, () => string | undefined> = {
    "distinct-labels": () => labels && distinctLabels(labels),
    "distances-as-points": () => distancesAsPoints(points),
    "leaking-columns": () => leakingColumns(points, labels, targets, named),
    "counting-column": () => (counting === undefined ? undefined : `${named(counting)} counts the rows.`),
    "constant-columns": () => constantColumns(points, named),
    "duplicate-rows": () => duplicateRows(points),
    "column-span": () => columnSpan(points, named, counting),
  };
  const found: Warning[] = [];
  for (const code of dataWarningCodes) {
    const fact = checks.includes(code) ? facts[code]() : undefined;
    if (fact === undefined) continue;
    const remedy = remedies[code] ?? usualRemedies[code];
    found.push(warning(code, `${fact.charAt(0).toUpperCase()}${fact.slice(1)} ${remedy}`));
    if (code === "distances-as-points") break;
  }
  return found;
}

function distinctLabels(labels: Labels): string | undefined {
  const n = labels.length;
  const kinds = Array.from(new Set(Array.from(labels)));
  if (!kinds.every((label) => typeof label === "number"))
    return n < FEWEST_ROWS || kinds.length < n
      ? undefined
      : `the labels of all ${n} rows are different: they are names of rows, it seems.`;
  const areWhole = kinds.every(Number.isInteger);
  if (kinds.length <= (areWhole ? Math.max(MOST_CLASSES, n / 10) : MOST_CLASSES)) return undefined;
  return `the labels are ${kinds.length} different numbers${areWhole ? "" : " with fractions"}, each of which is taken for a class.`;
}

function distancesAsPoints(points: Points): string | undefined {
  const { rows: n, columns } = points;
  if (n !== columns || n < 3 || !("data" in points)) return undefined;
  const { data } = points;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    if (data[i * n + i] !== 0) return undefined;
    for (let j = 0; j < i; j++) {
      const distance = data[i * n + j];
      if (!(distance >= 0) || distance !== data[j * n + i]) return undefined;
      sum += distance;
    }
  }
  if (sum === 0) return undefined;
  return `the ${n} x ${n} points are symmetric, 0 on the diagonal and nowhere negative: they are distances, it seems, and were taken for coordinates.`;
}

/** Of dense points, whose entries are all known. */
function leakingColumns(
  points: Points,
  labels: Labels | undefined,
  targets: ArrayLike<number> | undefined,
  named: (j: number) => string,
): string | undefined {
  const { rows: n, columns } = points;
  if (!("data" in points) || n < FEWEST_ROWS || (labels ?? targets)?.length !== n) return undefined;
  const codes = new Map<Labels[number], number>();
  for (let i = 0; labels !== undefined && i < n; i++)
    if (!codes.has(labels[i])) codes.set(labels[i], codes.size);
  const leaks = Array.from({ length: columns }, (_, j) => j).filter((j) => {
    const cell = (i: number): number => points.data[i * columns + j];
    if (labels !== undefined) return isCodeOf(cell, (i) => codes.get(labels[i]) ?? Number.NaN, n);
    return targets !== undefined && isInOtherUnit(cell, (i) => targets[i], n);
  });
  if (leaks.length === 0) return undefined;
  const some = leaks.slice(0, 3).map(named).join(", ");
  const what = labels === undefined ? "the target" : "the class";
  return leaks.length === 1
    ? `${some} tells ${what}.`
    : `${leaks.length} columns tell ${what}: ${some}${leaks.length > 3 ? " and others" : ""}.`;
}

/** From 0 or from 1. Alone it would be all there is. */
function countingColumn(points: Points): number | undefined {
  const { rows: n, columns } = points;
  if (n < FEWEST_ROWS || columns < 2) return undefined;
  const candidates =
    "data" in points
      ? Array.from({ length: columns }, (_, j) => j)
      : Array.from(points.columnIndices.subarray(points.rowPointers[1], points.rowPointers[2]));
  return candidates.find((j) => {
    const first = entry(points, 0, j);
    return (first === 0 || first === 1) && isColumn(points, j, (i) => first + i);
  });
}

/** But for ones, which may be an intercept. */
function constantColumns(points: Points, named: (j: number) => string): string | undefined {
  const { rows: n, columns } = points;
  if (n < FEWEST_ROWS || columns >= MANY_COLUMNS) return undefined;
  const constant = Array.from({ length: columns }, (_, j) => j).filter((j) => {
    const first = entry(points, 0, j);
    return isColumn(points, j, () => first);
  });
  const odd = constant.filter((j) => entry(points, 0, j) !== 1);
  if (odd.length === 0 || constant.length === columns) return undefined;
  if (odd.length === 1) return `${named(odd[0])} is the same in all rows.`;
  const some = odd.slice(0, 3).map(named).join(", ");
  return `${odd.length} columns are the same in all rows: ${some}${odd.length > 3 ? " and others" : ""}.`;
}

/** Whether these are the entries of the column; the first other one ends the search. */
function isColumn(points: Points, j: number, entryOf: (i: number) => number): boolean {
  let i = 0;
  while (i < points.rows && entry(points, i, j) === entryOf(i)) i++;
  return i === points.rows;
}

function entry(points: Points, i: number, j: number): number {
  if ("data" in points) return points.data[i * points.columns + j];
  const { rowPointers, columnIndices, values } = points;
  let low = rowPointers[i];
  let high = rowPointers[i + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columnIndices[middle] < j) low = middle + 1;
    else high = middle;
  }
  return low < rowPointers[i + 1] && columnIndices[low] === j ? values[low] : 0;
}

/** Rows that are all the same are nothing to map or cluster, as façades say in words of their own. */
function duplicateRows(points: Points): string | undefined {
  const { rows: n, columns } = points;
  if (n < FEWEST_ROWS) return undefined;
  const fewest = LARGEST_SHARES.apart * n;
  if (n - distinctRows(points, Math.ceil(columns / SAMPLED_COLUMNS)) <= fewest) return undefined;
  const copies = n - distinctRows(points, 1);
  const isUsual = copies <= (canTellApart(points) ? fewest : LARGEST_SHARES.few * n);
  return isUsual || copies === n - 1 ? undefined : `${copies} of ${n} rows are equal to an earlier one.`;
}

/** Whether there are so many possible rows that few would be equal by chance: the square of the rows, if columns are independent. */
function canTellApart(points: Points): boolean {
  let possible = 1;
  for (let j = 0; j < points.columns && possible <= points.rows ** 2; j++)
    possible *= new Set(Array.from({ length: points.rows }, (_, i) => entry(points, i, j))).size;
  return possible > points.rows ** 2;
}

/**
 * By every so many of their columns, where fewer are told apart, as by all. Hashes have 53 bits: in one of 10⁶ tables of 10⁵ rows
 * two are equal by chance.
 */
function distinctRows(points: Points, step: number): number {
  const values = "data" in points ? points.data : points.values;
  const size = values.BYTES_PER_ELEMENT / 4;
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * size);
  const stride = "data" in points ? step : 1;
  const hashes = new Set<number>();
  for (let i = 0; i < points.rows; i++) {
    const [begin, end] =
      "data" in points
        ? [i * points.columns, (i + 1) * points.columns]
        : [points.rowPointers[i], points.rowPointers[i + 1]];
    let a = 0;
    let b = 0;
    for (let k = begin; k < end; k += stride) {
      const j = "data" in points ? k - begin : points.columnIndices[k];
      if (values[k] === 0 || j % step !== 0) continue; // zeros may be stored or not, and −0 is one
      const low = words[size * k];
      const high = words[size * k + size - 1];
      a = mixed(mixed(mixed(a, j, 0x9e3779b1), low, 0x9e3779b1), high, 0x9e3779b1);
      b = mixed(mixed(mixed(b, high, 0x85ebca6b), j, 0x85ebca6b), low, 0x85ebca6b);
    }
    hashes.add((a >>> 0) * 2 ** 21 + (b >>> 11));
  }
  return hashes.size;
}

const mixed = (hash: number, word: number, factor: number): number =>
  Math.imul(((hash << 13) | (hash >>> 19)) ^ word, factor);

/** Sparse points have columns of one kind (words, categories), whose spans differ by nature; what counts the rows is said already. */
function columnSpan(
  points: Points,
  named: (j: number) => string,
  counting: number | undefined,
): string | undefined {
  if (!("data" in points) || points.rows < FEWEST_ROWS) return undefined;
  const spans = spansOf(points);
  if (counting !== undefined) spans[counting] = 0;
  const varying = spans.filter((span) => span > 0).sort();
  const widest = varying[varying.length - 1];
  const ratio = widest / varying[(varying.length - 1) >> 1];
  if (!(ratio > LARGEST_RATIO)) return undefined;
  return `${named(spans.indexOf(widest))} spans ${Number(ratio.toPrecision(2))} times as much as the median of the columns, and decides most distances.`;
}

/** Of the finite numbers. */
function spansOf({ rows, columns, data }: DenseMatrix<Float64Array | Float32Array>): Float64Array {
  const least = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
  const most = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0, k = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++, k++) {
      const value = data[k];
      if (!Number.isFinite(value)) continue;
      if (value < least[j]) least[j] = value;
      if (value > most[j]) most[j] = value;
    }
  }
  return most.map((value, j) => value - least[j]);
}
