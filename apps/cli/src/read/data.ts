/**
 * The rows of a command: a table, of which a preparation makes the matrix, or LIBSVM's sparse rows; labels from one of its columns or
 * from a file of their own.
 */
import {
  type ReadTable,
  readRows,
  readTable,
  type SparseRows,
  type TableOptions,
  tableOptions,
} from "@curvature/datasets";
import { CurvatureError, type DenseMatrix, optionName, printable, selectRows } from "@curvature/linalg";
import {
  applyPreparation,
  type ColumnChoice,
  columnChoices,
  columnIndex,
  leakingColumns,
  type Preparation,
  type PreparationOptions,
  type PreparedRows,
  placeOf,
  preparationOptions,
  prepare,
  suggestedPreparation,
  textAt,
} from "@curvature/linalg/tables";
import { commandLine, withFlags } from "../run/command-line.js";
import { inFlags } from "../run/flag-names.js";
import { isFile, type Source, sourceOf } from "./column-or-file.js";
import { bytesOf, inFile, shownName } from "./file.js";
import type { InputCache } from "./input-cache.js";
import { checkedWeights, labeledRows, numbersIfAll, unlabeledIn } from "./label-values.js";
import { readLabels } from "./labels.js";
import {
  type PictureColumns,
  type PictureWords,
  pictureColumns,
  pictureFiles,
  pictureSources,
} from "./picture-columns.js";
import type { FeatureMatrix, RowLabels } from "./rows.js";
import { parted } from "./table-part.js";

/** How rows are read, as the command line says it. Plain data. */
export interface DataUse {
  /** A column, or a file. */
  readonly labels: string | undefined;
  readonly reading: TableOptions;
  readonly preparation: Omit<PreparationOptions, "labels" | "areTargets">;
}

/** What came from elsewhere, checked by the options' tables. */
export function isDataUse(value: unknown): value is DataUse {
  if (typeof value !== "object" || value === null || !("reading" in value) || !("preparation" in value))
    return false;
  const labels = Reflect.get(value, "labels");
  const fits = ({ entries }: typeof tableOptions | typeof preparationOptions, part: unknown): boolean =>
    typeof part === "object" &&
    part !== null &&
    Object.entries(part).every(
      ([name, each]) =>
        each === undefined ||
        (Object.hasOwn(entries, name) &&
          Object.entries(entries).some(([known, entry]) => known === name && entry.accepts(each))),
    );
  return (
    (labels === undefined || typeof labels === "string") &&
    fits(tableOptions, value.reading) &&
    fits(preparationOptions, value.preparation)
  );
}

/** What reading needs of a session. */
export interface ReadContext {
  readonly signal: AbortSignal;
  /** In a thread that does one run of a sweep after another: what was read for the run before. */
  readonly cache?: InputCache;
}

/** What a command asks of its rows. */
interface Wanted {
  /** LIBSVM's rows stay sparse. */
  readonly sparse?: boolean;
  /** The labels are what a model learns or is measured by: rows without one are incomplete. */
  readonly targets?: boolean;
  /** Rows and columns are the same objects: distances, a Gram matrix. */
  readonly isSquare?: boolean;
  /** The words of `--input` for distances and for edges, where the command takes these, too. */
  readonly takes?: { readonly distances: string; readonly edges: string };
  /** A column, or a file: what each row counts. */
  readonly weights?: string | undefined;
  /** What a picture of the rows shows beside. */
  readonly picture?: PictureWords;
  /** The rows are for a model that knows its columns. */
  readonly model?: Preparation | undefined;
  /** The columns that are used, which the table decides. @throws CurvatureError where it has none that will do */
  readonly choose?: (table: ReadTable) => readonly ColumnChoice[];
  /** Marks rows of a table that are set apart: the others alone say how all are prepared. */
  readonly holdOut?: HoldOut | undefined;
}

/** @returns of each row 1 if it is set apart, else 0 */
export type HoldOut = (labels: RowLabels | undefined, rows: number) => Uint8Array;

export interface Data<M extends FeatureMatrix = FeatureMatrix> {
  readonly path: string;
  readonly points: M;
  /** The names of the matrix's columns, where the file names its own. */
  readonly columns: readonly string[] | undefined;
  /** Numbers, where all of them are; "" for a row without one. */
  readonly labels: RowLabels | undefined;
  /** What they are called; "" without labels. */
  readonly labelName: string;
  /** Which rows have no label, in words; undefined where all have one. */
  readonly unlabeled: string | undefined;
  /** The file that they are from, if it is one of their own. */
  readonly labelFile: string | undefined;
  /** What each row counts, where that was asked for. */
  readonly weights: Float64Array | undefined;
  /** What a picture shows of the rows, where that was asked for. */
  readonly picture: PictureColumns;
  /** Of a table. */
  readonly preparation: Preparation | undefined;
  /** Of LIBSVM text that stays sparse: from what it counts its features. */
  readonly indexBase: 0 | 1 | undefined;
  /** Whether features are known by their indices alone, and a row may lack the last ones. */
  readonly isLibsvm: boolean;
  /** Whether rows of the file were left out. */
  readonly isShort: boolean;
  /** The columns of --keep, row by row. */
  readonly kept: KeptCells;
  /** Rows that were set apart, where that was asked for; all else is of the others, but `weights` and `kept`. */
  readonly heldOut: HeldOutRows<M> | undefined;
  /** What was decided and done, in sentences. */
  readonly notes: readonly string[];
  /** What a user should know. */
  readonly warnings: readonly string[];
}

interface HeldOutRows<M> {
  readonly points: M;
  readonly labels: RowLabels | undefined;
}

export interface KeptCells {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * @param path - a file, or - for standard input
 * @throws CurvatureError ERR_IO, ERR_PARSE, ERR_NON_FINITE, ERR_SHAPE, ERR_OPTION, ERR_MEMORY; an AbortError if the signal is
 */
export function readData(
  path: string,
  use: DataUse,
  context: ReadContext,
  wanted?: Wanted & { sparse?: false },
): Promise<Data<DenseMatrix>>;
export function readData(path: string, use: DataUse, context: ReadContext, wanted?: Wanted): Promise<Data>;
export async function readData(
  path: string,
  use: DataUse,
  context: ReadContext,
  wanted: Wanted = {},
): Promise<Data> {
  const options = { ...use.reading, name: path === "-" ? undefined : path };
  const read = wanted.sparse === true ? readRows : readTable;
  const readIt = (): Promise<ReadTable | SparseRows> => read(bytesOf(path, context.signal), options);
  const rows = await inputOf(path, () =>
    context.cache === undefined ? readIt() : context.cache.get(path, read, options, readIt),
  );
  return rows.kind === "sparse"
    ? sparseData(path, rows, use, context, wanted)
    : tableData(path, rows, use, context, wanted);
}

/** Where a run starts: the columns of these names where the file has them all, else all of them. */
export async function readMatrix(
  path: string,
  context: ReadContext,
  names: readonly string[] = [],
): Promise<DenseMatrix> {
  const choose = ({ columns, isNamed }: ReadTable): readonly ColumnChoice[] => {
    const own = new Set(columns.map(({ name }) => name));
    const isOurs = isNamed && names.length > 0 && names.every((name) => own.has(name));
    return isOurs ? names : Array.from(columns.keys());
  };
  return (await readData(path, { labels: undefined, reading: {}, preparation: {} }, context, { choose }))
    .points;
}

async function inputOf<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw inFile(path, error);
  }
}

async function sparseData(
  path: string,
  { rows, labels, indexBase, warnings }: SparseRows,
  use: DataUse,
  context: ReadContext,
  { weights, holdOut, picture = {} }: Wanted,
): Promise<Data> {
  for (const name of ["columns", "ignore", "keep"] as const)
    if ((use.preparation[name]?.length ?? 0) > 0)
      throw new CurvatureError(
        "ERR_OPTION",
        `${optionName(name)} is for tables, and ${shownName(path)} is LIBSVM text, whose features have no names. Leave it out.`,
        { path: name },
      );
  const { labels: word } = use;
  for (const [name, each, entry] of [
    ["labels", word, "label"],
    ["weights", weights, "weight"],
  ] as const)
    if (each !== undefined && !isFile(each))
      throw new CurvatureError(
        "ERR_OPTION",
        `${optionName(name)}: there is no file ${JSON.stringify(each)}, and the features of LIBSVM text have no names. Name a file with one ${entry} per line.`,
        { path: name },
      );
  const fromFile =
    word === undefined ? undefined : await readLabels(word, bytesOf(word, context.signal), rows.rows);
  const each = fromFile === undefined ? labels : numbersIfAll(fromFile.labels);
  const marks = holdOut?.(each, rows.rows);
  const [others, apart] = [0, 1].map((mark) => marks && partOf({ points: rows, labels: each }, marks, mark));
  return {
    path,
    points: others?.points ?? rows,
    columns: undefined,
    labels: others === undefined ? each : others.labels,
    labelName: fromFile?.name ?? "label",
    unlabeled: unlabeledIn(fromFile && shownName(word ?? ""), fromFile?.labels, (row) => `row ${row + 1}`),
    labelFile: word,
    weights: weights === undefined ? undefined : await fileWeights(weights, context, rows.rows),
    picture: await pictureFiles(path, picture, rows.rows, context.signal),
    preparation: undefined,
    indexBase,
    isLibsvm: true,
    isShort: false,
    kept: nothingKept,
    heldOut: apart,
    notes: [],
    warnings: warnings.map((sentence) => `${shownName(path)}: ${sentence}`),
  };
}

/** The rows with this mark. */
function partOf<M extends FeatureMatrix>(
  { points, labels }: HeldOutRows<M>,
  marks: Uint8Array,
  mark: number,
): HeldOutRows<FeatureMatrix> {
  const rows = Int32Array.from(marks.keys()).filter((row) => marks[row] === mark);
  const part = labels && Array.from(rows, (row) => String(labels[row]));
  return { points: selectRows(points, rows), labels: part && numbersIfAll(part) };
}

async function tableData(
  path: string,
  table: ReadTable,
  use: DataUse,
  context: ReadContext,
  { model, targets, isSquare, takes, weights: weightWord, choose, holdOut, picture = {} }: Wanted,
): Promise<Data> {
  const stated = choose === undefined ? use.preparation : chosenIn(path, table, use.preparation, choose);
  if (model !== undefined && stated.columns !== undefined) throw ofModel();
  if (isSquare !== true && model === undefined && stated.columns === undefined)
    checkPoints(path, table, takes);
  const isLibsvm = table.form.format === "libsvm";
  const source = use.labels === undefined ? undefined : sourceOf(path, table, "labels", use.labels);
  const weighing = weightWord === undefined ? undefined : sourceOf(path, table, "weights", weightWord);
  const index =
    source?.column ??
    (isLibsvm ? 0 : model?.labels === undefined ? undefined : indexIn(table, model.labels, model));
  const labels = index === undefined ? undefined : columnChoices(table)[index];
  // Rows of a model have its columns, kept or not.
  const isOfModel = (choice: ColumnChoice): boolean => {
    const { name } = table.columns[columnIndex(table, choice, "keep")];
    return model?.isNamed === true && model.columns.some((column) => column.name === name);
  };
  const ofWeights = weighing?.column === undefined ? [] : [columnChoices(table)[weighing.column]];
  const shown = pictureSources(path, table, picture, stated.columns);
  const ofPicture = shown.ignored.filter(
    (choice) => columnIndex(table, choice, "names") !== index && !isOfModel(choice),
  );
  const options = {
    ...stated,
    ignore: [...(stated.ignore ?? []), ...ofWeights, ...ofPicture],
    labels,
    areTargets: targets === true && labels !== undefined,
  };
  const aside = (stated.keep ?? []).filter((choice) => !isOfModel(choice));
  const ignored = [...options.ignore, ...aside, ...(labels === undefined ? [] : [labels])];
  const missing = stated.missing === "error" ? undefined : stated.missing;
  const prepared: PreparedRows & { readonly preparation?: Preparation } = inColumns(
    path,
    table,
    model === undefined ? options : undefined,
    () =>
      model === undefined ? prepare(table, options) : applyPreparation(model, table, { missing, ignored }),
  );
  const column = index === undefined ? undefined : table.columns[index];
  const isGapAllowed = model !== undefined && (missing ?? model.missing) !== "error";
  const { points, kept, notes } =
    targets === true && isGapAllowed && column !== undefined ? labeledRows(prepared, column) : prepared;
  const rowsOf = <T>(make: (row: number) => T): T[] =>
    Array.from({ length: points.rows }, (_, i) => make(kept?.[i] ?? i));
  const fromFile =
    source?.file === undefined
      ? undefined
      : await readLabels(source.file, bytesOf(source.file, context.signal), table.rows);
  const texts =
    column !== undefined
      ? rowsOf((row) => textAt(column, row))
      : fromFile && rowsOf((row) => fromFile.labels[row]);
  const labelsOf = (rows: Iterable<number> | undefined): RowLabels | undefined =>
    texts && numbersIfAll(rows === undefined ? texts : Array.from(rows, (row) => texts[row]));
  const marks = holdOut?.(labelsOf(undefined), points.rows);
  const parts =
    marks && inColumns(path, table, undefined, () => parted(table, options, ignored, marks, kept));
  const beside = (stated.keep ?? []).map((choice) => table.columns[columnIndex(table, choice, "keep")]);
  return {
    path,
    points: parts?.points ?? points,
    columns: table.isNamed ? (parts ?? prepared).columns : undefined,
    labels: labelsOf(parts?.others),
    labelName: column === undefined ? (fromFile?.name ?? "") : column.name,
    unlabeled:
      column === undefined
        ? unlabeledIn(source?.file, texts, (i) => `row ${(kept?.[i] ?? i) + 1}`)
        : unlabeledIn(JSON.stringify(column.name), texts, (i) => placeOf(table, kept?.[i] ?? i)),
    labelFile: source?.file,
    weights: weighing && (await weightsOf(path, table, weighing, context, rowsOf)),
    picture: await pictureColumns(table, shown, context.signal, rowsOf),
    preparation: (parts ?? prepared).preparation,
    heldOut: parts && { points: parts.apartPoints, labels: labelsOf(parts.apart) },
    indexBase: undefined,
    isLibsvm,
    isShort: kept !== undefined,
    kept:
      beside.length === 0
        ? nothingKept
        : {
            names: beside.map(({ name }) => name),
            rows: rowsOf((row) => beside.map((each) => textAt(each, row))),
          },
    notes: [
      ...[...table.notes, ...(source?.notes ?? []), ...(weighing?.notes ?? []), ...shown.notes, ...notes],
      ...(parts?.notes ?? []),
    ].map((note) => `${shownName(path)}: ${note}`),
    warnings:
      options.areTargets && options.labels !== undefined && prepared.preparation !== undefined
        ? leakWarnings(path, table, options.labels, prepared.preparation, stated.ignore)
        : [],
  };
}

const ofModel = (): CurvatureError =>
  new CurvatureError(
    "ERR_OPTION",
    `${optionName("columns")}: the model says which columns it takes, and finds them in the file. Leave it out.`,
    { path: "columns" },
  );

/** The columns that the table decides; one of them need not be kept beside the results. */
function chosenIn(
  path: string,
  table: ReadTable,
  preparation: DataUse["preparation"],
  choose: (table: ReadTable) => readonly ColumnChoice[],
): DataUse["preparation"] {
  const columns = inColumns(path, table, undefined, () => choose(table));
  const used = new Set(columns.map((choice) => columnIndex(table, choice, "columns")));
  const keep = preparation.keep?.filter((choice) => !used.has(columnIndex(table, choice, "keep")));
  return { ...preparation, columns, keep };
}

/** @throws CurvatureError ERR_PARSE for rows that are no points, unless their columns are named as if they were */
function checkPoints(path: string, { kind, columns }: ReadTable, takes: Wanted["takes"]): void {
  if (kind === "table") return;
  const withInput = (word: string): string =>
    `${commandLine(withFlags(process.argv.slice(2), [["--input", word]]))} takes them as they are`;
  const [what, remedy] =
    kind === "distances"
      ? [
          "a matrix of distances",
          takes !== undefined
            ? withInput(takes.distances)
            : `${commandLine(["disentangle", path, "--input", "distances"])} takes them`,
        ]
      : [
          "a list of edges",
          takes !== undefined
            ? withInput(takes.edges)
            : `${commandLine(["embed", path, "--input", "neighbors"])} takes them`,
        ];
  throw new CurvatureError(
    "ERR_PARSE",
    `${shownName(path)} looks like ${what}, and this command takes points with coordinates; ${remedy}. If its columns are coordinates, say so: ${optionName("columns", `0-${columns.length - 1}`)}.`,
    { path },
  );
}

/** Of columns that a model learns from and that tell what it is to learn. */
function leakWarnings(
  path: string,
  table: ReadTable,
  labels: ColumnChoice,
  { columns }: Preparation,
  ignored: readonly ColumnChoice[] = [],
): string[] {
  const used = new Set(columns.map(({ name }) => name));
  const leaks = leakingColumns(table, labels).filter((j) => used.has(table.columns[j].name));
  if (leaks.length === 0) return [];
  const called = leaks.map((j) => (table.isNamed ? JSON.stringify(table.columns[j].name) : `column ${j}`));
  const [tells, it] = leaks.length === 1 ? ["tells", "it"] : ["tell", "them"];
  const ignore = typedList(table, [...ignored, ...leaks.map((j) => columnChoices(table)[j])]);
  const command = commandLine(withFlags(process.argv.slice(2), [["--ignore", ignore]]));
  return [
    `${shownName(path)}: ${called.join(" and ")} ${tells} the label: a model that sees ${it} learns nothing else. To leave ${it} out: ${command}`,
  ];
}

export const nothingKept: KeptCells = { names: [], rows: [] };

// Labels: a column of the table comes before a file.

/** The files among a command's flags that are read, as far as can be told before the data are. */
export const labelFilesOf = ({
  labels,
  weights,
  names,
  color,
}: {
  readonly labels?: string | undefined;
  readonly weights?: string | undefined;
} & PictureWords): readonly string[] =>
  [labels, weights, names, color].flatMap((word) => (word !== undefined && isFile(word) ? [word] : []));

/** Without names, a table of as many columns as that of the fit has the labels where that had them. */
const indexIn = (
  table: ReadTable,
  name: string,
  { isNamed, columns, others }: Preparation,
): number | undefined => {
  const all = new Set([...columns.map((each) => each.name), ...others, name]);
  const isAlike = table.isNamed || (!isNamed && all.size === table.columns.length);
  const index = isAlike ? table.columns.findIndex((each) => each.name === name) : -1;
  return index < 0 ? undefined : index;
};

// Weights.

async function weightsOf(
  path: string,
  table: ReadTable,
  { column, file = "" }: Source,
  context: ReadContext,
  rowsOf: <T>(make: (row: number) => T) => T[],
): Promise<Float64Array> {
  if (column === undefined) {
    const all = await fileWeights(file, context, table.rows);
    return Float64Array.from(rowsOf((row) => all[row]));
  }
  const each = table.columns[column];
  const texts = rowsOf((row) => textAt(each, row));
  return checkedWeights(shownName(path), texts, (i) => `${JSON.stringify(each.name)} in row ${i + 1}`);
}

async function fileWeights(file: string, context: ReadContext, rows: number): Promise<Float64Array> {
  const { labels } = await readLabels(file, bytesOf(file, context.signal), rows);
  return checkedWeights(shownName(file), labels, (i) => `weight ${i + 1}`, file);
}

// What is wrong with columns, with the command that takes it.

/** @param options - under which the matrix is made; undefined for rows of a model, which has its own */
function inColumns<T>(
  path: string,
  table: ReadTable,
  options: PreparationOptions | undefined,
  make: () => T,
): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    if (error.code === "ERR_OPTION")
      throw new CurvatureError("ERR_OPTION", `${inFlags(error)} (In ${shownName(path)}.)`, {
        path: error.path,
      });
    const command =
      error.path === "columns" && options !== undefined ? commandFor(table, options) : undefined;
    const sentence = command === undefined ? error.sentence : `${error.sentence} As in: ${command}`;
    const { code, path: place, expected, received } = error;
    throw inFile(path, new CurvatureError(code, sentence, { path: place, expected, received }));
  }
}

/** This command line with what the table needs; undefined where that is nothing. */
function commandFor(table: ReadTable, options: PreparationOptions): string | undefined {
  const { ignore = [], words = "error", missing = "error" } = suggestedPreparation(table, options);
  const flags = [
    ...(ignore.length > (options.ignore?.length ?? 0)
      ? [["--ignore", typedList(table, ignore)] as const]
      : []),
    ...(words !== (options.words ?? "error") ? [["--words", words] as const] : []),
    ...(missing !== (options.missing ?? "error") ? [["--missing", missing] as const] : []),
  ];
  return flags.length === 0 ? undefined : commandLine(withFlags(process.argv.slice(2), flags));
}

const typedList = (table: ReadTable, choices: readonly ColumnChoice[]): string =>
  choices.map((choice) => typedChoice(table, columnIndex(table, choice, "ignore"))).join(",");

/** A column by its name, where a list on a command line can have it: by its index otherwise. */
export function typedChoice(table: ReadTable, index: number): string {
  const choice = columnChoices(table)[index];
  const isTyped =
    typeof choice === "string" &&
    /^[^-,\s]([^,]*[^,\s])?$/.test(choice) &&
    !/^\d+-\d+$/.test(choice) &&
    printable(choice) === choice;
  return isTyped ? choice : String(index);
}
