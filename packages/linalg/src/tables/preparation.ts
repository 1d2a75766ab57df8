/**
 * A table → the matrix that solvers take: which columns, how words become numbers, what happens where cells are missing. It is
 * plain data: fitted once, saved with a model, and applied to later rows by the columns' names, in whatever order they come.
 *
 *   number, boolean   one column; a boolean is 0 or 1
 *   one-hot           a column for each level, `name=level`; two levels make one column, 1 for the second
 *   hash              words of free text, each added with a sign to one of 64 columns (Weinberger et al. 2009, section 2)
 */

import type { DenseMatrix } from "../dense/matrix.js";
import { CurvatureError, optionName } from "../errors.js";
import {
  badArgument,
  checkArgument,
  either,
  flag,
  integerFrom,
  type OptionsOf,
  oneOf,
  option,
  optionTable,
  type SettingsOf,
  shown,
  text,
} from "../options.js";
import {
  type Column,
  type ColumnChoice,
  checkTable,
  columnIndex,
  type DataTable,
  isId,
  numberAt,
  placeOf,
  textAt,
} from "./table.js";

const column = /* @__PURE__ */ either(text, /* @__PURE__ */ integerFrom(0));
/** Of names and indices with commas between, and of ranges of indices: `"age,2,5-7"`. */
const columns = /* @__PURE__ */ option<readonly ColumnChoice[]>(
  "an array of columns, by name or by index from 0",
  (value): value is readonly ColumnChoice[] =>
    Array.isArray(value) && Array.from(value).every((choice) => column.accepts(choice)), // holes, too
  (words) =>
    words.split(",").flatMap((word): ColumnChoice | readonly ColumnChoice[] => {
      const [, first, last] = /^(\d{1,7})-(\d{1,7})$/.exec(word.trim()) ?? [];
      if (first === undefined || Number(last) < Number(first)) return word.trim();
      return Array.from({ length: Number(last) - Number(first) + 1 }, (_, k) => Number(first) + k);
    }),
);

export const preparationOptions = optionTable({
  /** The columns that are used; `"numeric"`: those of numbers, whatever else there is. Left out: all but ids and an index. */
  columns: either(oneOf("numeric"), columns),
  /** Columns that are left out, whatever stands in them. */
  ignore: columns.default(Object.freeze([])),
  /** The column of labels, which is none of the matrix. */
  labels: column,
  /** Whether the labels are what a model is to learn: rows without one are then as rows with a missing cell. */
  areTargets: flag.default(false),
  /** Columns of words: refused, a column for each level, the same with free text hashed, left out. */
  words: oneOf("error", "one-hot", "hash", "drop").default("error"),
  /** Columns that go beside the results, by `keptCells`: what names a row. They are none of the matrix. */
  keep: columns.default(Object.freeze([])),
  /** Missing cells, and infinite numbers: refused, their rows left out, filled by the column's mean or its most frequent level. */
  missing: oneOf("error", "drop", "mean").default("error"),
});
export type PreparationOptions = OptionsOf<typeof preparationOptions>;
type Settings = SettingsOf<typeof preparationOptions>;

/** How one column of a table becomes columns of the matrix. */
export interface PreparedColumn {
  readonly name: string;
  readonly how: "number" | "boolean" | "one-hot" | "hash";
  /** In place of a missing cell: the mean, 0 or 1, or the index of the most frequent level. */
  readonly fill: number;
  /** Of one-hot. */
  readonly levels: readonly string[];
  /** Whether one more column is 1 where the cell was missing: for targets, where cells were missing in the fit and are filled. */
  readonly hasIndicator: boolean;
}

export interface Preparation {
  /** Whether the columns are known by their names; else by their positions. */
  readonly isNamed: boolean;
  readonly columns: readonly PreparedColumn[];
  readonly missing: "error" | "drop" | "mean";
  /** The name of the labels' column, and of those that were left out: later rows may have them, and nobody needs to be told. */
  readonly others: readonly string[];
  readonly labels: string | undefined;
}

export interface PreparedRows {
  readonly points: DenseMatrix;
  /** The names of the matrix's columns. */
  readonly columns: readonly string[];
  /** Which rows of the table these are; undefined for all of them. */
  readonly kept: Int32Array | undefined;
  /** What was left out, filled or matched, in sentences. */
  readonly notes: readonly string[];
}

/** One word column more: beyond so many levels it is no category. */
const MAX_LEVELS = 1000;
const HASHED = 64;

/**
 * @param table - the rows to fit it on
 * @throws CurvatureError ERR_OPTION for columns that are not there; ERR_PARSE that names all columns which cannot be used and what to
 *   do with each; ERR_NON_FINITE for missing cells; ERR_SHAPE where no column or row is left
 */
export function prepare(
  table: DataTable,
  options?: PreparationOptions,
): PreparedRows & { readonly preparation: Preparation } {
  checkTable("prepare", table);
  const settings = preparationOptions.resolve("prepare", options);
  const { used, labels, notes } = chosenColumns(table, settings);
  const { means, infinite } = sumsOf(table.columns, table.rows);
  const faults = faultsOf(table, used, labels, settings, infinite);
  if (faults.length > 0) throw unusable(table, faults);
  const taken = used.filter((index) => usable(table.columns[index], settings));
  if (taken.length === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `The table has no column of numbers${labels === undefined ? "" : " besides the labels"}. Give one at least, or turn words into numbers with ${optionName("words", "one-hot")}.`,
      { path: "columns" },
    );
  const isTaken = new Set(taken);
  const preparation: Preparation = {
    isNamed: table.isNamed,
    columns: taken.map((index) =>
      preparedColumn(table.columns[index], settings, means[index], infinite[index]),
    ),
    missing: settings.missing,
    others: table.columns.filter((_, index) => !isTaken.has(index)).map(({ name }) => name),
    labels: labels === undefined ? undefined : table.columns[labels].name,
  };
  const required = labels !== undefined && settings.areTargets ? [labels] : [];
  const rows = matrixOf(table, preparation, taken, required, settings.missing, infinite);
  return { ...rows, preparation, notes: [...notes, ...rows.notes] };
}

/**
 * The options with what `prepare` needs to take the table: columns that cannot be used are ignored, words become columns, missing cells
 * are filled. It is a proposal, for people to look at.
 *
 * @throws CurvatureError ERR_OPTION for columns that are not there
 */
export function suggestedPreparation(table: DataTable, options: PreparationOptions = {}): PreparationOptions {
  checkTable("suggestedPreparation", table);
  const settings = preparationOptions.resolve("suggestedPreparation", options);
  const { used, labels } = chosenColumns(table, settings);
  const faults = faultsOf(table, used, labels, settings, sumsOf(table.columns, table.rows).infinite);
  const has = (remedy: Fault["remedy"]): boolean => faults.some((fault) => fault.remedy === remedy);
  const left = new Set(faults.filter(({ remedy }) => remedy === "ignore").map(({ index }) => index));
  const choices = columnChoices(table);
  return {
    ...options,
    ignore: [...settings.ignore, ...Array.from(left, (index) => choices[index])],
    words: has("hash") ? "hash" : has("words") ? "one-hot" : settings.words,
    missing: has("missing") || has("correct") || has("infinite") ? "mean" : settings.missing,
  };
}

/** Of numbers that are known by their positions alone. */
export function numericPreparation(count: number): Preparation {
  checkArgument("numericPreparation", "count", integerFrom(1, 1e7), count);
  return {
    isNamed: false,
    columns: Array.from({ length: count }, (_, j) => ({
      name: `column ${j + 1}`,
      how: "number",
      fill: 0,
      levels: [],
      hasIndicator: false,
    })),
    missing: "error",
    others: [],
    labels: undefined,
  };
}

/** How people choose each column: by its name where it has one of its own, else by its index. */
export function columnChoices(table: DataTable): ColumnChoice[] {
  checkTable("columnChoices", table);
  const counts = new Map<string, number>();
  for (const { name } of table.columns) counts.set(name, (counts.get(name) ?? 0) + 1);
  return table.columns.map(({ name }, index) =>
    table.isNamed && name !== "" && counts.get(name) === 1 ? name : index,
  );
}

/**
 * Later rows as the preparation has them.
 *
 * @param options.missing - in place of the preparation's
 * @param options.ignored - columns of the table that are left out, whatever their names
 * @throws CurvatureError ERR_SHAPE for columns that the table lacks or has twice; ERR_PARSE, ERR_NON_FINITE for cells
 */
export function applyPreparation(
  preparation: Preparation,
  table: DataTable,
  options: {
    readonly missing?: Preparation["missing"] | undefined;
    readonly ignored?: readonly ColumnChoice[];
  } = {},
): PreparedRows {
  if (!isPreparation(preparation))
    throw badArgument(
      "applyPreparation",
      "preparation",
      "what prepare gave, as it was or as JSON has it",
      preparation,
    );
  checkTable("applyPreparation", table);
  const { indices, notes } = matched(preparation, table, options.ignored ?? []);
  const missing = options.missing ?? preparation.missing;
  const { infinite } = sumsOf(table.columns, table.rows);
  const faults = indices.flatMap((index, k) =>
    laterFaults(preparation.columns[k], table, index, missing, infinite[index]),
  );
  if (faults.length > 0) throw unusable(table, faults);
  const rows = matrixOf(table, preparation, indices, [], missing, infinite);
  return { ...rows, notes: [...notes, ...rows.notes] };
}

// Which columns.

function chosenColumns(
  table: DataTable,
  { columns: chosen, ignore, keep, labels: label }: Settings,
): {
  readonly used: readonly number[];
  readonly labels: number | undefined;
  readonly notes: readonly string[];
} {
  const ignored = new Set(ignore.map((choice) => columnIndex(table, choice, "ignore")));
  const kept = new Set(keep.map((choice) => columnIndex(table, choice, "keep")));
  const labels = label === undefined ? undefined : columnIndex(table, label, "labels");
  if (labels !== undefined && ignored.has(labels))
    throw new CurvatureError(
      "ERR_OPTION",
      `${optionName("ignore")}: the column ${shown(label)} is chosen as labels. Leave it out here.`,
      { path: "ignore", received: label },
    );
  const isFree = (index: number): boolean => index !== labels && !ignored.has(index) && !kept.has(index);
  if (Array.isArray(chosen)) {
    const used = [
      ...new Set(chosen.map((choice: ColumnChoice) => columnIndex(table, choice, "columns"))),
    ].filter(isFree);
    return { used, labels, notes: [] };
  }
  const all = table.columns.map((_, index) => index).filter(isFree);
  const names = (indices: readonly number[]): string =>
    listed(indices.map((index) => table.columns[index].name));
  const ids = all.filter((index) => isId(table.columns[index]));
  // Codes that many rows share, as 00213 or the numbers of people asked more than once, name no row.
  const areCodes = (index: number): boolean => {
    const { levels, numbers } = table.columns[index];
    if (numbers === undefined) return 2 * levels.length <= table.rows;
    return new Set(Array.from({ length: table.rows }, (_, row) => numberAt(numbers, row))).size < table.rows;
  };
  const notes = [false, true].flatMap((coded) => {
    const some = ids.filter((index) => areCodes(index) === coded);
    const [s, are] = some.length === 1 ? ["s", "is"] : ["", "are"];
    const what = coded ? `hold${s} codes` : `name${s} the rows`;
    return some.length === 0 ? [] : [`${names(some)} ${what} and ${are} no feature: left out.`];
  });
  const rest = all.filter((index) => !ids.includes(index));
  if (chosen !== "numeric") return { used: rest, labels, notes };
  const others = rest.filter((index) => table.columns[index].type !== "number");
  if (others.length > 0)
    notes.push(`${names(others)} ${others.length === 1 ? "is" : "are"} not of numbers: left out.`);
  return { used: rest.filter((index) => !others.includes(index)), labels, notes };
}

// What stands in the way.

interface Fault {
  /** Of the column. */
  readonly index: number;
  /** Completes the sentence "The column …". */
  readonly what: string;
  readonly remedy: "ignore" | "words" | "hash" | "missing" | "correct" | "infinite";
}

const inRows = (table: DataTable, count: number, first: number): string =>
  `in ${count} ${count === 1 ? "row" : "rows"} (${count === 1 ? "" : "the first is "}${placeOf(table, first)})`;

const someOf = (column: Column): string => {
  const levels = distinctLevels(column);
  return `${levels
    .slice(0, 3)
    .map((level) => shown(level.slice(0, 30)))
    .join(", ")}${levels.length > 3 ? ", …" : ""}`;
};

function faultsOf(
  table: DataTable,
  used: readonly number[],
  labels: number | undefined,
  settings: Settings,
  infinite: Float64Array,
): readonly Fault[] {
  const faults = used.flatMap((index) => faultOf(table, index, settings, infinite[index]));
  if (labels === undefined || !settings.areTargets || settings.missing !== "error") return faults;
  const each = table.columns[labels];
  const others = cellFaults(table, labels, "error", infinite[labels]).filter(
    ({ remedy }) => remedy !== "missing",
  );
  if (each.missing === 0) return [...faults, ...others];
  const what = `has no label ${inRows(table, each.missing, firstMissing(each))}`;
  return [...faults, { index: labels, what, remedy: "missing" }, ...others];
}

function faultOf(
  table: DataTable,
  index: number,
  { words, missing }: Settings,
  infinite: number,
): readonly Fault[] {
  const each = table.columns[index];
  const { type } = each;
  if (each.missing === table.rows) return [{ index, what: "has no value in any row", remedy: "ignore" }];
  if (words === "drop" && (type === "word" || type === "date")) return [];
  if (type === "date") return [{ index, what: `holds dates (${someOf(each)})`, remedy: "ignore" }];
  const cells = cellFaults(table, index, missing, infinite);
  const areWords = each.codes !== undefined && type !== "boolean"; // codes that were chosen are such, too
  if (!areWords || words === "hash") return cells;
  const { length: levels } = distinctLevels(each);
  const values = table.rows - each.missing;
  if (levels === values && levels > 9)
    return [{ index, what: `holds different words in all rows (${someOf(each)})`, remedy: "ignore" }];
  if (levels > MAX_LEVELS)
    return [{ index, what: `holds ${levels} different words`, remedy: "hash" }, ...cells];
  if (words === "one-hot") return cells;
  const remedy = levels > 9 && levels > values / 2 ? "ignore" : "words";
  const stray = strayWord(each);
  const what =
    stray < 0
      ? `holds ${levels > 9 ? `${levels} different ` : ""}words (${someOf(each)})`
      : `holds numbers and words (${placeOf(table, stray)}: ${shown(textAt(each, stray))})`;
  return [{ index, what, remedy }, ...cells];
}

const isNumeric = (text: string): boolean => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text.trim());

/** The row of the first word in a column whose texts are numbers for the most part; else −1. */
function strayWord(each: Column): number {
  const levels = distinctLevels(each);
  if (2 * levels.filter(isNumeric).length < levels.length) return -1;
  return each.codes?.findIndex((code) => code >= 0 && !isNumeric(each.levels[code])) ?? -1;
}

/** @param infinite - how many of the column's numbers are infinite */
function cellFaults(
  table: DataTable,
  index: number,
  missing: Settings["missing"],
  infinite: number,
): readonly Fault[] {
  const each = table.columns[index];
  const { odd } = each;
  const faults: Fault[] = [];
  if (missing === "error" && each.missing > 0)
    faults.push({
      index,
      what: `has no value ${inRows(table, each.missing, firstMissing(each))}`,
      remedy: "missing",
    });
  if (missing === "error" && odd.length > 0)
    faults.push({
      index,
      what: `has ${oddCells(table, odd)}`,
      remedy: "correct",
    });
  if (missing === "error" && infinite > 0)
    faults.push({
      index,
      what: `is infinite ${inRows(table, infinite, firstInfinite(each))}`,
      remedy: "infinite",
    });
  return faults;
}

const oddCells = (table: DataTable, odd: Column["odd"]): string =>
  `${odd.length === 1 ? "a cell that is no number" : `${odd.length} cells that are no numbers`} (${placeOf(table, odd[0].row)}: ${shown(odd[0].text)})`;

/** All that is wrong with the columns, and one remedy for each kind. */
function unusable(table: DataTable, faults: readonly Fault[]): CurvatureError {
  const nameOf = ({ index }: Fault): string => table.columns[index].name;
  const all = [...new Set(faults.map(({ index }) => index))];
  const sentences = all.slice(0, MAX_TOLD).map((index) => {
    const what = faults.filter((fault) => fault.index === index).map((fault) => fault.what);
    return `${JSON.stringify(table.columns[index].name.slice(0, 60))} ${what.join(" and ")}`;
  });
  const rest = all.length - sentences.length;
  const of = (remedy: Fault["remedy"]): string =>
    listed([...new Set(faults.filter((fault) => fault.remedy === remedy).map(nameOf))]);
  const remedies = Object.entries({
    ignore: `leave out ${of("ignore")} with ${optionName("ignore")}`,
    words: `turn words into columns with ${optionName("words", "one-hot")}, leave them out with ${optionName("words", "drop")}, or choose one as ${optionName("labels")}`,
    hash: `hash the words of ${of("hash")} with ${optionName("words", "hash")}`,
    missing: `fill missing cells with ${optionName("missing", "mean")}, or leave their rows out with ${optionName("missing", "drop")}`,
    infinite: `take infinite numbers for missing ones with ${optionName("missing", "drop")} or ${optionName("missing", "mean")}`,
    correct: `correct ${of("correct")}, or take such cells for missing ones with ${optionName("missing", "drop")}`,
  }).flatMap(([remedy, what]) => (faults.some((fault) => fault.remedy === remedy) ? [what] : []));
  const advice = remedies.join("; ");
  const areCells = faults.every(({ remedy }) => remedy === "missing" || remedy === "infinite");
  return new CurvatureError(
    areCells ? "ERR_NON_FINITE" : "ERR_PARSE",
    `The columns cannot be used as they are: ${sentences.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}. ${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`,
    {
      path: "columns",
      expected: "columns of numbers without missing cells",
      received: faults.map(nameOf).join(", ").slice(0, 500),
    },
  );
}

/** More columns than these nobody reads. */
const MAX_TOLD = 12;

function firstMissing({ numbers, codes }: Column): number {
  if (codes !== undefined) return codes.indexOf(-1);
  for (let i = 0; numbers !== undefined && numbers.offset + i * numbers.stride < numbers.data.length; i++)
    if (Number.isNaN(numberAt(numbers, i))) return i;
  return -1;
}

function firstInfinite({ numbers }: Column): number {
  for (let i = 0; numbers !== undefined && numbers.offset + i * numbers.stride < numbers.data.length; i++)
    if (Math.abs(numberAt(numbers, i)) === Number.POSITIVE_INFINITY) return i;
  return -1;
}

/** The texts that occur. */
function distinctLevels({ codes, levels }: Column): string[] {
  const seen = new Uint8Array(levels.length);
  for (const code of codes ?? []) if (code >= 0) seen[code] = 1;
  return levels.filter((_, k) => seen[k] === 1);
}

function laterFaults(
  { how }: PreparedColumn,
  table: DataTable,
  index: number,
  missing: Settings["missing"],
  infinite: number,
): readonly Fault[] {
  const each = table.columns[index];
  const stray = strayWord(each);
  const row = stray >= 0 ? stray : (each.codes?.findIndex((code) => code >= 0) ?? -1);
  if (how === "number" && each.numbers === undefined && row >= 0)
    return [
      {
        index,
        what: `held numbers in the fit, and here ${shown(textAt(each, row))} (${placeOf(table, row)})`,
        remedy: "correct",
      },
    ];
  return cellFaults(table, index, missing, infinite);
}

// How a column becomes numbers.

const usable = ({ type }: Column, { words }: Settings): boolean =>
  !(words === "drop" && (type === "word" || type === "date"));

function preparedColumn(
  each: Column,
  { words, missing, areTargets }: Settings,
  mean: number,
  infinite: number,
): PreparedColumn {
  const { name, type, numbers, codes, levels } = each;
  const hasIndicator = areTargets && missing === "mean" && each.missing + each.odd.length + infinite > 0;
  if (numbers !== undefined) return { name, how: "number", fill: mean, levels: [], hasIndicator };
  const counts = new Float64Array(levels.length);
  for (const code of codes ?? []) if (code >= 0) counts[code]++;
  if (type === "boolean") {
    const yes = levels.reduce((sum, level, k) => sum + (isTrue(level) ? counts[k] : -counts[k]), 0);
    return { name, how: "boolean", fill: yes > 0 ? 1 : 0, levels: [], hasIndicator };
  }
  const there = levels.flatMap((level, k) => (counts[k] > 0 ? [{ level, count: counts[k] }] : []));
  const rows = counts.reduce((sum, count) => sum + count, 0);
  if (words === "hash" && (there.length > MAX_LEVELS || there.length > rows / 2))
    return { name, how: "hash", fill: 0, levels: [], hasIndicator };
  there.sort((a, b) => (a.level < b.level ? -1 : 1));
  const fill = there.reduce((best, { count }, k) => (count > there[best].count ? k : best), 0);
  return { name, how: "one-hot", fill, levels: there.map(({ level }) => level), hasIndicator };
}

const isTrue = (level: string): boolean => /^(true|t|yes|y|ja|j|oui|o|1)$/i.test(level.trim());

/** So many rows are summed of one column after the other that they stay in the cache. */
const BLOCK = 256;

/** Of each column the mean of its finite numbers, 0 where there is none, and how many are infinite: those are as missing ones. */
function sumsOf(
  columns: readonly Column[],
  rows: number,
): { readonly means: Float64Array; readonly infinite: Float64Array } {
  const means = new Float64Array(columns.length);
  const infinite = new Float64Array(columns.length);
  const counts = new Float64Array(columns.length);
  for (let first = 0; first < rows; first += BLOCK)
    for (let j = 0; j < columns.length; j++) {
      const { numbers } = columns[j];
      if (numbers === undefined) continue;
      const { data, offset, stride } = numbers;
      const end = Math.min(rows, first + BLOCK);
      let mean = means[j];
      let count = counts[j];
      for (let i = first, k = offset + first * stride; i < end; i++, k += stride) {
        const value = data[k];
        if (!Number.isFinite(value)) {
          if (!Number.isNaN(value)) infinite[j]++;
          continue;
        }
        count++;
        mean += value / count - mean / count; // the mean so far: a sum, or a difference, may overflow
      }
      means[j] = mean;
      counts[j] = count;
    }
  return { means, infinite };
}

/** The names of the matrix's columns that one column of the table becomes. */
function namesOf({ name, how, levels, hasIndicator }: PreparedColumn): string[] {
  const own =
    how === "hash"
      ? Array.from({ length: HASHED }, (_, k) => `${name}#${k}`)
      : how === "one-hot"
        ? (levels.length === 2 ? levels.slice(1) : levels).map((level) => `${name}=${level}`)
        : [name];
  return hasIndicator ? [...own, `${name} is missing`] : own;
}

/** The names of the matrix's columns. */
export function preparedNames(preparation: Preparation): string[] {
  if (!isPreparation(preparation))
    throw badArgument("preparedNames", "preparation", "what prepare gave", preparation);
  return preparation.columns.flatMap(namesOf);
}

function matrixOf(
  table: DataTable,
  preparation: Preparation,
  indices: readonly number[],
  required: readonly number[],
  missing: Settings["missing"],
  infinite: Float64Array,
): PreparedRows {
  const names = preparation.columns.flatMap(namesOf);
  const notes: string[] = [];
  const all = [...indices, ...required];
  const endless = all.filter((index) => infinite[index] > 0);
  if (endless.length > 0)
    notes.push(
      `Infinite numbers of ${listed(endless.map((index) => table.columns[index].name))} count as missing.`,
    );
  for (const index of all) {
    const { name, odd } = table.columns[index];
    if (odd.length > 0)
      notes.push(
        `${JSON.stringify(name)} has ${oddCells(table, odd)}, which ${odd.length === 1 ? "counts" : "count"} as missing.`,
      );
  }
  const hasGaps = (index: number): boolean => {
    const { missing: count, odd } = table.columns[index];
    return count + odd.length + infinite[index] > 0;
  };
  const columnsOf = (those: readonly number[]): Column[] => those.map((index) => table.columns[index]);
  const chosen = columnsOf(indices);
  const dropping = columnsOf((missing === "drop" ? all : required).filter(hasGaps));
  const isKept = new Uint8Array(table.rows).fill(1);
  for (const each of dropping) for (let i = 0; i < table.rows; i++) if (isGap(each, i)) isKept[i] = 0;
  const count = isKept.reduce((sum, each) => sum + each, 0);
  if (count < table.rows)
    notes.push(
      `${table.rows - count} of ${table.rows} rows are left out: ${listed(dropping.map(({ name }) => name))} ${dropping.length === 1 ? "has" : "have"} no value there.`,
    );
  if (count === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `No row has a value in all columns. Fill missing cells with ${optionName("missing", "mean")}, or leave out ${listed(dropping.map(({ name }) => name))} with ${optionName("ignore")}.`,
      { path: "missing" },
    );
  const filled = missing === "mean" ? columnsOf(indices.filter(hasGaps)) : [];
  if (filled.length > 0)
    notes.push(
      `Missing cells of ${listed(filled.map(({ name }) => name))} are filled with the column's mean or its most frequent word.`,
    );
  const kept = count < table.rows ? Int32Array.from(indicesOf(isKept)) : undefined;
  const whole =
    kept === undefined && filled.length === 0 ? wholeMatrix(table.rows, preparation, chosen) : undefined;
  if (whole !== undefined) return { points: whole, columns: names, kept, notes };
  const points = { rows: count, columns: names.length, data: new Float64Array(count * names.length) };
  for (let c = 0, at = 0; c < chosen.length; c++) {
    const unseen = fillColumn(points, at, preparation.columns[c], chosen[c], kept);
    if (unseen > 0)
      notes.push(
        `${unseen} ${unseen === 1 ? "cell" : "cells"} of ${JSON.stringify(chosen[c].name)} ${unseen === 1 ? "holds a word" : "hold words"} that the fit has not seen; they count as none of its words.`,
      );
    const width = namesOf(preparation.columns[c]).length;
    at += width;
    if (preparation.columns[c].hasIndicator) mark(points, at - 1, chosen[c], kept);
  }
  return { points, columns: names, kept, notes };
}

/** Where the table's numbers are the matrix already: no copy. */
function wholeMatrix(
  rows: number,
  { columns: all }: Preparation,
  chosen: readonly Column[],
): DenseMatrix | undefined {
  const data = chosen[0].numbers?.data;
  const isWhole =
    data !== undefined &&
    data.length === rows * chosen.length &&
    all.every(({ how, hasIndicator }) => how === "number" && !hasIndicator) &&
    chosen.every(
      ({ numbers }, j) => numbers?.data === data && numbers.offset === j && numbers.stride === chosen.length,
    );
  return isWhole ? { rows, columns: chosen.length, data } : undefined;
}

function* indicesOf(flags: Uint8Array): Generator<number> {
  for (let i = 0; i < flags.length; i++) if (flags[i] === 1) yield i;
}

const isGap = ({ numbers, codes }: Column, row: number): boolean =>
  numbers !== undefined ? !Number.isFinite(numberAt(numbers, row)) : (codes?.[row] ?? -1) < 0;

/** @returns how many cells hold a word that the fit has not seen */
function fillColumn(
  { rows, columns: width, data }: DenseMatrix,
  at: number,
  prepared: PreparedColumn,
  each: Column,
  kept: Int32Array | undefined,
): number {
  const { numbers, codes, levels } = each;
  const rowOf = (i: number): number => kept?.[i] ?? i;
  if (prepared.how === "number") {
    for (let i = 0; i < rows; i++) {
      const value = numbers === undefined ? Number.NaN : numberAt(numbers, rowOf(i));
      data[i * width + at] = Number.isFinite(value) ? value : prepared.fill;
    }
    return 0;
  }
  if (prepared.how === "hash") {
    const hashes = levels.map(hashed);
    for (let i = 0; i < rows; i++) {
      const row = rowOf(i);
      const entries = codes === undefined ? hashed(textAt(each, row)) : (hashes[codes[row]] ?? []);
      for (const [k, value] of entries) data[i * width + at + k] += value;
    }
    return 0;
  }
  const textOf = (row: number): string | undefined => {
    if (codes !== undefined) return levels[codes[row]];
    return numbers === undefined || Number.isNaN(numberAt(numbers, row))
      ? undefined
      : String(numberAt(numbers, row));
  };
  if (prepared.how === "boolean") {
    for (let i = 0; i < rows; i++) {
      const word = textOf(rowOf(i));
      data[i * width + at] = word === undefined ? prepared.fill : Number(isTrue(word));
    }
    return 0;
  }
  const placeOf = new Map(prepared.levels.map((level, k) => [level, k]));
  const isPair = prepared.levels.length === 2;
  let unseen = 0;
  for (let i = 0; i < rows; i++) {
    const word = textOf(rowOf(i));
    const place = word === undefined ? prepared.fill : placeOf.get(word);
    if (place === undefined) unseen++;
    else if (!isPair) data[i * width + at + place] = 1;
    else if (place === 1) data[i * width + at] = 1;
  }
  return unseen;
}

/** 1 where the cell is missing. */
function mark(
  { rows, columns: width, data }: DenseMatrix,
  at: number,
  each: Column,
  kept: Int32Array | undefined,
): void {
  for (let i = 0; i < rows; i++) data[i * width + at] = Number(isGap(each, kept?.[i] ?? i));
}

/** FNV-1a of each word: its column, and a sign that makes collisions cancel in the mean. */
function hashed(words: string): readonly (readonly [number, number])[] {
  const sums = new Map<number, number>();
  for (const word of words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 0x811c9dc5;
    for (let k = 0; k < word.length; k++) hash = Math.imul(hash ^ word.charCodeAt(k), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash ^= hash >>> 13;
    const place = (hash >>> 1) % HASHED;
    sums.set(place, (sums.get(place) ?? 0) + ((hash & 1) === 0 ? 1 : -1));
  }
  return [...sums];
}

// Later rows.

function matched(
  { isNamed, columns: known, others, labels }: Preparation,
  table: DataTable,
  ignored: readonly ColumnChoice[],
): { readonly indices: readonly number[]; readonly notes: readonly string[] } {
  // Without names, a table of as many columns has each where the fit had it, labels and those left out, too.
  const all = new Set([
    ...known.map(({ name }) => name),
    ...others,
    ...(labels === undefined ? [] : [labels]),
  ]);
  const isAlike = !isNamed && !table.isNamed && table.columns.every(({ name }) => all.has(name));
  const isByName = (isNamed && table.isNamed) || (isAlike && all.size === table.columns.length);
  // By name, a column that the table has not need not be left out of it.
  const there = ignored.filter(
    (choice) => !isByName || typeof choice === "number" || table.columns.some(({ name }) => name === choice),
  );
  const skipped = new Set(there.map((choice) => columnIndex(table, choice, "ignore")));
  const free = table.columns.map((_, index) => index).filter((index) => !skipped.has(index));
  if (!isByName) return byPosition(known.length, isNamed || table.isNamed, table, free);
  const names = table.columns.map(({ name }) => name);
  // A reader tells two columns of one name apart: x and x.1.
  const doubled = known.find(
    ({ name }) => names.includes(`${name}.1`) && !known.some((other) => other.name === `${name}.1`),
  );
  if (doubled !== undefined)
    throw new CurvatureError(
      "ERR_SHAPE",
      `The table has the column ${shown(doubled.name)} twice, and it is unclear which is meant. Remove or rename one.`,
      { path: "columns", received: doubled.name },
    );
  const lacking = known.filter(({ name }) => !free.includes(names.indexOf(name))).map(({ name }) => name);
  const isKnown = new Set([...known.map(({ name }) => name), ...others, labels]);
  const extra = free.map((index) => names[index]).filter((name) => !isKnown.has(name));
  if (lacking.length > 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `The table lacks${skipped.size > 0 ? `, or ${optionName("ignore")} leaves out,` : ""} ${listed(lacking)}, which the model was fitted on${extra.length === 0 ? "" : `; it has ${listed(extra)} instead`}. Name the columns as they were named then.`,
      {
        path: "columns",
        expected: known
          .map(({ name }) => name)
          .join(", ")
          .slice(0, 500),
        received: names.join(", ").slice(0, 500),
      },
    );
  const indices = known.map(({ name }) => names.indexOf(name));
  const notes: string[] = [];
  if (extra.length > 0)
    notes.push(`${listed(extra)} did not occur in the fit and ${extra.length === 1 ? "is" : "are"} ignored.`);
  if (indices.some((index, j) => j > 0 && index < indices[j - 1]))
    notes.push("The columns come in another order than in the fit; they are matched by name.");
  return { indices, notes };
}

function byPosition(
  wanted: number,
  isOneNamed: boolean,
  table: DataTable,
  free: readonly number[],
): { readonly indices: readonly number[]; readonly notes: readonly string[] } {
  const usableOnes = free.filter((index) => !isId(table.columns[index]) || table.columns.length === wanted);
  if (usableOnes.length < wanted)
    throw new CurvatureError(
      "ERR_SHAPE",
      `The table has ${usableOnes.length} ${usableOnes.length === 1 ? "column" : "columns"}, and the model was fitted on ${wanted}. Give all of them, in that order.`,
      { path: "columns", expected: `${wanted} columns`, received: usableOnes.length },
    );
  const notes: string[] = [];
  if (usableOnes.length > wanted)
    notes.push(
      `The table has ${usableOnes.length} columns where the model knows ${wanted}: the first ${wanted} are taken.`,
    );
  if (isOneNamed)
    notes.push(
      "Only one of table and model names its columns: they are matched by position. Check that they are in the order of the fit.",
    );
  return { indices: usableOnes.slice(0, wanted), notes };
}

const SHOWN = 5;

/** "a", "b" and 3 more */
function listed(names: readonly string[]): string {
  const first = names.slice(0, SHOWN).map((name) => JSON.stringify(name.slice(0, 60)));
  const rest = names.length - first.length;
  if (rest > 0) return `${first.join(", ")} and ${rest} more`;
  return first.length < 2
    ? first.join("")
    : `${first.slice(0, -1).join(", ")} and ${first[first.length - 1]}`;
}

const isText = (value: unknown): value is string => typeof value === "string";
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);

/** Whether it is what `prepare` gave, as it was or as JSON has it. */
export function isPreparation(value: unknown): value is Preparation {
  const fields = fieldsOf(value);
  const all = fields.get("columns");
  const labels = fields.get("labels");
  return (
    typeof fields.get("isNamed") === "boolean" &&
    ["error", "drop", "mean"].some((way) => way === fields.get("missing")) &&
    areTexts(fields.get("others")) &&
    (labels === undefined || isText(labels)) &&
    Array.isArray(all) &&
    all.length > 0 &&
    all.every(isPreparedColumn)
  );
}

function isPreparedColumn(value: unknown): boolean {
  const fields = fieldsOf(value);
  const how = fields.get("how");
  const fill = fields.get("fill");
  const levels = fields.get("levels");
  const isKnown = how === "number" || how === "boolean" || how === "one-hot" || how === "hash";
  const isFilled = typeof fill === "number" && Number.isFinite(fill);
  if (!isKnown || !isFilled || !Array.isArray(levels) || !areTexts(levels)) return false;
  const isLevel = how !== "one-hot" || (Number.isInteger(fill) && fill >= 0 && fill < levels.length);
  return isLevel && isText(fields.get("name")) && typeof fields.get("hasIndicator") === "boolean";
}
