/**
 * What `curvature embed` reads in place of points: matrices of distances or similarities, with or without the objects' names, and
 * lists of pairs (from, to, distance), which are graphs of neighbours.
 */
import { readMatrixMarket, readTable } from "@curvature/datasets";
import { CurvatureError, type DenseMatrix, shown, zeros } from "@curvature/linalg";
import { type Column, numberAt, textAt } from "@curvature/linalg/tables";
import type { GivenInput } from "@curvature/optim-spectral";
import { readDistanceFile } from "./answers.js";
import { type Data, type DataUse, labelFilesOf, type ReadContext, readData } from "./data.js";
import { bytesOf, inFile, shownName } from "./file.js";
import { readLabels } from "./labels.js";
import { type PictureColumns, type PictureWords, pictureFiles } from "./picture-columns.js";

/** The words of `--input`. */
export const embedInputs = ["points", "distances", "similarities", "neighbors"] as const;
export type EmbedInputKind = (typeof embedInputs)[number];

/** What a map is made of where there are no points, and all else that is read with it; `points` has rows and no columns then. */
export interface GivenData extends Data<DenseMatrix> {
  readonly given: GivenInput;
}

/** What a map is made of: points, or what is given in their place. */
export type EmbedData = Data & { readonly given?: GivenInput };

/** Of files whose rows are no lines of cells. */
const otherForms = /\.(json|jsonl|ndjson|idx|mtx|parquet|arrow|feather|arff)(\.gz)?$/i;

/**
 * @param path - a file, or - for standard input
 * @throws CurvatureError ERR_IO, ERR_PARSE, ERR_NON_FINITE, ERR_SHAPE, ERR_OPTION; an AbortError if `signal` is
 */
export async function readGiven(
  path: string,
  kind: Exclude<EmbedInputKind, "points">,
  use: DataUse,
  context: ReadContext,
  picture: PictureWords = {},
): Promise<GivenData> {
  const { given, names, rows, warnings } =
    kind === "neighbors" ? await readGraph(path, use, context) : await readMatrix(path, kind, use, context);
  const [labelFile] = labelFilesOf(use);
  const fromFile =
    labelFile === undefined
      ? undefined
      : await readLabels(labelFile, bytesOf(labelFile, context.signal), rows);
  return {
    given,
    path,
    points: zeros(rows, 0),
    columns: undefined,
    labels: fromFile?.labels,
    labelName: fromFile?.name ?? "",
    labelFile,
    unlabeled: undefined,
    weights: undefined,
    picture: {
      names: names && { name: "name", values: names },
      ...definedOf(await pictureFiles(path, picture, rows, context.signal)),
    },
    preparation: undefined,
    indexBase: undefined,
    isLibsvm: false,
    isShort: false,
    kept:
      names === undefined ? { names: [], rows: [] } : { names: ["name"], rows: names.map((name) => [name]) },
    heldOut: undefined,
    notes: [],
    warnings,
  };
}

/** What there is of it. */
const definedOf = ({ names, color }: PictureColumns): PictureColumns => ({
  ...(names === undefined ? {} : { names }),
  ...(color === undefined ? {} : { color }),
});

interface ReadGiven {
  readonly given: GivenInput;
  readonly names: readonly string[] | undefined;
  readonly rows: number;
  readonly warnings: readonly string[];
}

async function readMatrix(
  path: string,
  kind: "distances" | "similarities",
  use: DataUse,
  context: ReadContext,
): Promise<ReadGiven> {
  const { matrix, names } = otherForms.test(path)
    ? {
        matrix: (await readData(path, { ...use, labels: undefined }, context, { isSquare: true })).points,
        names: undefined,
      }
    : await namedMatrix(path, kind, context);
  const given = kind === "distances" ? { distances: matrix } : { similarities: matrix };
  if (kind === "distances" && /\.mtx(\.gz)?$/i.test(path)) checkComplete(path, matrix);
  return { given, names, rows: matrix.rows, warnings: [] };
}

/** What a sparse matrix of distances does not store is not near: it is not known. */
function checkComplete(path: string, { rows: N, data }: DenseMatrix): void {
  const at = data.findIndex((distance, p) => distance === 0 && p % (N + 1) !== 0);
  if (at < 0) return;
  throw new CurvatureError(
    "ERR_PARSE",
    `${shownName(path)} has no distance at row ${Math.floor(at / N) + 1}, column ${(at % N) + 1}. Give all of them, or take those that are there for a graph of neighbours: --input neighbors.`,
    { path },
  );
}

async function namedMatrix(path: string, kind: "distances" | "similarities", { signal }: ReadContext) {
  try {
    const { distances, names } = await readDistanceFile(path, signal, { values: kind });
    return { matrix: distances, names };
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    if (kind === "distances" && / to itself is /.test(error.message))
      throw new CurvatureError(error.code, `${error.message} Similarities are --input similarities.`, {
        path,
        cause: error,
      });
    const asymmetric = /^.* but back it is \S+\. /.exec(error.message)?.[0];
    if (asymmetric !== undefined)
      throw new CurvatureError(
        error.code,
        `${asymmetric}A map takes one value for each pair: give the means of both, or a list of pairs (--input neighbors).`,
        { path, expected: error.expected ?? "a symmetric matrix", received: error.received, cause: error },
      );
    if (error.code !== "ERR_SHAPE") throw error;
    throw new CurvatureError(
      "ERR_SHAPE",
      `${error.message} A list of pairs, one per line (from, to, distance), is --input neighbors.`,
      { path, expected: error.expected ?? "a square matrix", received: error.received, cause: error },
    );
  }
}

/** A sparse matrix, whose stored entries are distances. Each joins both of its ends; a pair may differ by direction. */
async function readSparseGraph(path: string, { signal }: ReadContext): Promise<ReadGiven> {
  const { rows, columns, rowPointers, columnIndices, values } = await readMatrixMarket(
    bytesOf(path, signal),
  ).catch((error: unknown) => {
    throw inFile(path, error);
  });
  const edges = new Edges(path);
  if (rows !== columns)
    throw edges.bad(`has ${rows} rows and ${columns} columns. Give a square matrix.`, "ERR_SHAPE");
  for (let i = 1; i <= rows; i++) edges.indexOf(String(i));
  for (let i = 1; i <= rows; i++)
    for (let p = rowPointers[i - 1]; p < rowPointers[i]; p++) {
      const j = columnIndices[p] + 1;
      edges.add(String(i), String(j), values[p], `row ${i}, column ${j}`);
    }
  return edges.finish();
}

/** Lines of from, to, distance, or a sparse matrix. Each joins both of its ends; a pair may differ by direction. */
async function readGraph(path: string, use: DataUse, context: ReadContext): Promise<ReadGiven> {
  const { signal } = context;
  if (use.reading.format === "matrix-market" || /\.mtx(\.(gz|zst))?$/i.test(path))
    return readSparseGraph(path, context);
  const table = await readTable(bytesOf(path, signal), { ...use.reading, name: path }).catch(
    (error: unknown) => {
      throw inFile(path, error);
    },
  );
  const { columns, rows } = table;
  const edges = new Edges(path);
  if (table.form.format === "matrix-market")
    throw edges.bad("is a Matrix Market file: say so by its name, .mtx, or by --format matrix-market.");
  if (columns.length !== 3)
    throw edges.bad(
      `has ${columns.length} columns. A list of neighbours has three: from, to, distance, one pair per line. A square matrix is --input distances.`,
      "ERR_SHAPE",
    );
  const [from, to, distances] = inOrder(columns);
  for (const end of [from, to]) {
    const i = fraction(end, rows);
    if (i >= 0)
      throw edges.bad(
        `has ${shown(textAt(end, i))} as an end of pair ${i + 1}. The ends of a pair are whole numbers or words: from, to, distance. A square matrix is --input distances.`,
      );
  }
  for (let i = 0; i < rows; i++)
    edges.add(textAt(from, i), textAt(to, i), distanceAt(distances, i), `pair ${i + 1}`);
  return edges.finish();
}

/** By their names, where the header has these; else as they come. */
function inOrder(columns: readonly Column[]): readonly Column[] {
  const named = ["from", "to", "distance"].map((word) =>
    columns.find(({ name }) => name?.trim().toLowerCase() === word),
  );
  return named.every((column) => column !== undefined) ? named : columns;
}

/** The first row with a number that is not whole, in a column of numbers, or −1. */
function fraction({ numbers }: Column, rows: number): number {
  for (let i = 0; i < rows && numbers !== undefined; i++)
    if (!Number.isInteger(numberAt(numbers, i)) && !Number.isNaN(numberAt(numbers, i))) return i;
  return -1;
}

const distanceAt = ({ numbers }: Column, row: number): number =>
  numbers === undefined ? Number.NaN : numberAt(numbers, row);

/** Pairs by the names of their ends. */
class Edges {
  private readonly indices = new Map<string, number>();
  private readonly near: Map<number, number>[] = [];
  /** The first pair that comes twice with two distances. */
  private repeated: string | undefined;

  constructor(private readonly path: string) {}

  indexOf(name: string): number {
    const known = this.indices.get(name);
    if (known !== undefined) return known;
    this.near.push(new Map());
    this.indices.set(name, this.near.length - 1);
    return this.near.length - 1;
  }

  /** @throws CurvatureError ERR_PARSE, ERR_NON_FINITE for what is no distance */
  add(from: string, to: string, distance: number, where: string): void {
    const pair = `${where} (${shown(from)}, ${shown(to)})`;
    if (from === "" || to === "") throw this.bad(`has no name for one end of ${pair}. Name both.`);
    if (!Number.isFinite(distance))
      throw this.bad(
        `has no finite number as the distance of ${pair}. Give one, or leave the pair out.`,
        "ERR_NON_FINITE",
      );
    if (distance < 0)
      throw this.bad(`has the distance ${distance} for ${pair}. Give distances of at least 0.`);
    const [a, b] = [this.indexOf(from), this.indexOf(to)];
    if (a === b) return;
    const before = this.near[a].get(b);
    if (before !== undefined && before !== distance)
      this.repeated ??= `${pair} has ${before} and ${distance}`;
    this.near[a].set(b, Math.min(distance, before ?? distance));
  }

  /** Whole numbers in their order, other names as they came. */
  finish(): ReadGiven {
    const given = [...this.indices.keys()];
    const listed = this.near.map((row) => [...row]);
    for (const [a, row] of listed.entries())
      for (const [b, distance] of row) if (!this.near[b].has(a)) this.near[b].set(a, distance);
    const areNumbers = given.every((name) => /^\d{1,15}$/.test(name));
    const names = areNumbers ? given.toSorted((a, b) => Number(a) - Number(b)) : given;
    const place = new Int32Array(given.length);
    for (const [k, name] of names.entries()) place[this.indexOf(name)] = k;
    const indices: number[][] = [];
    const distances: number[][] = [];
    for (const name of names) {
      const row = this.near[this.indexOf(name)];
      if (row.size === 0)
        throw this.bad(`has no pair of ${shown(name)} with another. Give it one, or leave it out.`);
      indices.push([...row.keys()].map((each) => place[each]));
      distances.push([...row.values()]);
    }
    return {
      given: { neighbors: { indices, distances } },
      names,
      rows: names.length,
      warnings:
        this.repeated === undefined
          ? []
          : [
              `${shownName(this.path)} has pairs that come twice with two distances (${this.repeated}): the shorter one counts.`,
            ],
    };
  }

  bad(what: string, code: "ERR_PARSE" | "ERR_SHAPE" | "ERR_NON_FINITE" = "ERR_PARSE"): CurvatureError {
    return new CurvatureError(code, `${shownName(this.path)} ${what}`, { path: this.path });
  }
}
