/** What a table holds, before anything is computed of it: of each column what people want to know, and which one they may mean as labels. */
import { isCodeOf, isInOtherUnit } from "./leaks.js";
import { type Column, type ColumnChoice, columnIndex, type DataTable, isId, numberAt } from "./table.js";

export interface ColumnAccount extends Pick<Column, "name" | "type" | "unit" | "missing"> {
  /** Cells of a column of numbers that are none. */
  readonly odd: number;
  /** Different values. */
  readonly distinct: number;
  /** The most frequent of words, at most three. */
  readonly common: readonly { readonly text: string; readonly count: number }[];
  /** Numbers that are infinite: they count as missing where gaps are filled. */
  readonly infinite: number;
  /** Of finite numbers. */
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly mean: number | undefined;
  /** Each completes the sentence "The column …". */
  readonly remarks: readonly string[];
}

export interface TableAccount {
  readonly rows: number;
  readonly columns: readonly ColumnAccount[];
  /** The index of the column of labels: the chosen one, or the best guess. Undefined where none is likely. */
  readonly labels: number | undefined;
  /** Whether the labels are numbers to predict, and no classes. */
  readonly isRegression: boolean | undefined;
  /** Columns that tell the label exactly, and are hardly known before it: a code of the class, the target in another unit. */
  readonly leaks: readonly number[];
  /** Rows whose features are those of an earlier row. Ids, an index and the labels are no features. */
  readonly duplicates: number;
}

/**
 * @param options - `labels`: the column of labels; left out: guessed
 * @throws CurvatureError ERR_OPTION for a column that is not there
 */
export function describeTable(
  table: DataTable,
  { labels: chosen }: { readonly labels?: ColumnChoice | undefined } = {},
): TableAccount {
  const columns = table.columns.map((column) => columnAccount(column, table.rows));
  const labels = chosen === undefined ? guessedLabels(table, columns) : columnIndex(table, chosen, "labels");
  const leaks = labels === undefined ? [] : leaksIn(table, labels, (j) => columns[j]);
  const features = table.columns.filter((column, j) => j !== labels && !isId(column));
  return {
    rows: table.rows,
    columns: columns.map((column, j) =>
      leaks.includes(j) ? { ...column, remarks: [...column.remarks, "tells the label"] } : column,
    ),
    labels,
    isRegression:
      labels === undefined ? undefined : isQuantity(table.columns[labels], columns[labels], table.rows),
    leaks,
    duplicates: duplicateRows(features, table.rows),
  };
}

// One column.

function columnAccount(column: Column, rows: number): ColumnAccount {
  const { name, type, unit, missing, numbers, odd } = column;
  const values = numbers === undefined ? undefined : sorted(column, rows);
  const counts = numbers === undefined ? levelCounts(column) : [];
  const distinct = values === undefined ? counts.length : distinctOf(values);
  const common = counts
    .sort((a, b) => b.count - a.count)
    .slice(0, 3)
    .map(({ text, count }) => ({ text, count }));
  const there = rows - missing - odd.length;
  const remarks: string[] = [];
  if (there === 0) remarks.push("has no value in any row");
  else if (distinct === 1 && rows > 1)
    remarks.push(there === rows ? "is the same in all rows" : "is the same in all rows that have it");
  if (isCounting(column, rows)) remarks.push("counts the rows");
  else if (distinct === rows && rows > 2 && type === "word") remarks.push("differs in every row");
  const finite = values?.filter(Number.isFinite);
  const infinite = (values?.length ?? 0) - (finite?.length ?? 0);
  if (infinite > 0) remarks.push(`is infinite in ${infinite} ${infinite === 1 ? "row" : "rows"}`);
  return {
    ...{ name, type, unit, missing, distinct, common, remarks, odd: odd.length, infinite },
    low: finite?.[0],
    high: finite?.at(-1),
    mean: finite === undefined || finite.length === 0 ? undefined : meanOf(finite),
  };
}

/** The numbers that are there, in order. */
function sorted({ numbers }: Column, rows: number): Float64Array {
  const values = Float64Array.from({ length: rows }, (_, i) =>
    numbers === undefined ? Number.NaN : numberAt(numbers, i),
  ).sort();
  const end = values.findIndex(Number.isNaN); // they sort last
  return end < 0 ? values : values.subarray(0, end);
}

const distinctOf = (values: Float64Array): number =>
  values.reduce((count, value, i) => (i === 0 || value !== values[i - 1] ? count + 1 : count), 0);

/** Without a sum, which would overflow for large numbers. */
const meanOf = (values: Float64Array): number =>
  values.reduce((mean, value, i) => mean + (value / (i + 1) - mean / (i + 1)), 0);

function levelCounts({ codes, levels }: Column): { text: string; count: number }[] {
  const counts = new Float64Array(levels.length);
  for (const code of codes ?? []) if (code >= 0) counts[code]++;
  return levels.flatMap((text, k) => (counts[k] > 0 ? [{ text, count: counts[k] }] : []));
}

function isCounting({ numbers }: Column, rows: number): boolean {
  if (numbers === undefined || rows < 3 || !Number.isInteger(numberAt(numbers, 0))) return false;
  for (let i = 1; i < rows; i++) if (numberAt(numbers, i) !== numberAt(numbers, i - 1) + 1) return false;
  return true;
}

// Labels.

/** What people call classes and targets, the surest first. */
const labelNames = [
  /^(labels?|targets?|y|(class|target)[_. ]?(name|label|class)|survived)$/i,
  /^(class|classes|classe|klasse)$/i,
  /^(species|diagnosis|outcome|quality|variety|churn|voted?|choice|digit|default|approved|fraud|spam|is_?(fraud|spam|churn)|response|category|kategorie|emotion|sentiment|grade|case|status|medv)$/i,
];

/** More classes than these in a column that nobody calls its labels are rather names. */
const MAX_CLASSES = 20;
/** So many rows there are of a class on average. */
const ROWS_PER_CLASS = 3;

/** Better none than a wrong one. */
function guessedLabels(table: DataTable, accounts: readonly ColumnAccount[]): number | undefined {
  const features = accounts.flatMap((each, j) =>
    !isId(each) && each.type !== "date" && each.distinct > 1 && !namesRows(each, table.rows) ? [j] : [],
  );
  const words = features.filter((j) => accounts[j].type !== "number");
  const numbers = features.length - words.length;
  const has = (name: RegExp): boolean => accounts.some((each) => name.test(each.name));
  // Of coordinates or edges they are no labels.
  const other = has(/^x$/i) ? /^y$/i : has(/^(source|src|from)$/i) ? /^target$/i : undefined;
  for (const [k, names] of labelNames.entries()) {
    const named = features
      .filter((j) => names.test(accounts[j].name.trim()))
      .filter((j) => other?.test(accounts[j].name) !== true);
    const rank = (j: number): number => (accounts[j].type === "number" ? accounts[j].distinct : 0); // words before numbers
    if (named.length > 0 && (k < 2 || numbers > 1))
      return named.reduce((best, j) => (rank(j) <= rank(best) ? j : best));
  }
  // The only words, of few classes, at an end of a table of numbers; or the only numbers that count classes, as its last.
  const codes = features.filter((j) => isClassCode(table.columns[j], accounts[j], table.rows));
  const isLastWord = words.length === 1 && words[0] === features.at(-1);
  const [only, second] = isLastWord ? words : [...words, ...codes];
  if (only === undefined || second !== undefined) return undefined;
  const { name, distinct, missing } = accounts[only];
  const isAtEnd =
    only === features.at(-1)
      ? features.length > (words.length > 0 ? 2 : 3)
      : only === features[0] && only === words[0] && features.length > 3;
  const areFew = distinct <= MAX_CLASSES && ROWS_PER_CLASS * distinct <= table.rows - missing;
  return isAtEnd && areFew && !/name/i.test(name) ? only : undefined;
}

/** Words of which most rows have one of their own. */
const namesRows = ({ type, distinct, missing }: ColumnAccount, rows: number): boolean =>
  type !== "number" && 2 * distinct > rows - missing;

/** Whole numbers from 0 or 1 (or −1 and 1) without a gap, each in several rows. */
function isClassCode(column: Column, { low, high, distinct }: ColumnAccount, rows: number): boolean {
  if (low === undefined || high === undefined || column.missing > 0 || !isWhole(column, rows)) return false;
  const isPair = low === -1 && high === 1 && distinct === 2;
  const isRun = (low === 0 || low === 1) && distinct === high - low + 1;
  return (isPair || isRun) && distinct <= 10 && 5 * distinct <= rows;
}

function isWhole({ numbers }: Column, rows: number): boolean {
  for (let i = 0; numbers !== undefined && i < rows; i++) {
    const value = numberAt(numbers, i);
    if (!Number.isNaN(value) && !Number.isInteger(value)) return false;
  }
  return numbers !== undefined;
}

/** Numbers that measure something: fractions, or more different ones than classes are. */
const isQuantity = (column: Column, { distinct }: ColumnAccount, rows: number): boolean =>
  column.numbers !== undefined && distinct > 2 && (distinct > MAX_CLASSES || !isWhole(column, rows));

// Leakage.

/**
 * Columns that tell the label exactly, and are hardly known before it: a code of the class, the target in another unit.
 *
 * @throws CurvatureError ERR_OPTION for a column that is not there
 */
export const leakingColumns = (table: DataTable, labels: ColumnChoice): readonly number[] =>
  leaksIn(table, columnIndex(table, labels, "labels"), (j) => columnAccount(table.columns[j], table.rows));

/** @param account - of a column; it takes longer than to see that most do not tell the label */
function leaksIn(table: DataTable, labels: number, account: (j: number) => ColumnAccount): number[] {
  const target = table.columns[labels];
  const ofTarget = account(labels);
  const isNumeric = isQuantity(target, ofTarget, table.rows);
  const tellsLabel = (own: Column, j: number): boolean => {
    if (j === labels || isId(own) || own.type === "date") return false;
    const [cell, label] = [(i: number) => valueAt(own, i), (i: number) => valueAt(target, i)];
    if (isNumeric && own.type === "number") return isInOtherUnit(cell, label, table.rows);
    return isCodeOf(cell, label, table.rows) && account(j).distinct === ofTarget.distinct;
  };
  return table.columns.flatMap((column, j) => (tellsLabel(column, j) ? [j] : []));
}

/** The number or the code of a cell, NaN where there is none. */
function valueAt({ numbers, codes }: Column, row: number): number {
  if (numbers !== undefined) return numberAt(numbers, row);
  const code = codes?.[row] ?? -1;
  return code < 0 ? Number.NaN : code;
}

// Rows.

function duplicateRows(columns: readonly Column[], rows: number): number {
  if (columns.length === 0) return 0;
  const bits = new Float64Array(1);
  const words = new Int32Array(bits.buffer);
  const hashOf = (row: number): number => {
    let hash = 0x811c9dc5;
    for (const column of columns) {
      bits[0] = valueAt(column, row) + 0; // −0 is 0
      hash = Math.imul(hash ^ words[0], 0x01000193);
      hash = Math.imul(hash ^ (hash >>> 15) ^ words[1], 0x01000193);
    }
    return hash;
  };
  const areEqual = (a: number, b: number): boolean =>
    columns.every((column) => {
      const [x, y] = [valueAt(column, a), valueAt(column, b)];
      return x === y || (Number.isNaN(x) && Number.isNaN(y));
    });
  const firsts = new Map<number, number[]>();
  let count = 0;
  for (let i = 0; i < rows; i++) {
    const hash = hashOf(i);
    const known = firsts.get(hash);
    if (known === undefined) firsts.set(hash, [i]);
    else if (known.some((first) => areEqual(first, i))) count++;
    else known.push(i);
  }
  return count;
}
