/**
 * What a command reads: points from a file or standard input in any format of `@curvature/datasets`, and labels
 * from one of its columns or from a file of their own.
 */
import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { readCsv, type Table } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";
import { fileError, isSystemError } from "./failure.js";

export interface Input {
  readonly table: Table;
  /** What the labels are called; "" without labels. */
  readonly labelName: string;
}

/** Where the labels are: in a column of the points' file (by name, or index counted from 0), or in a file. */
export type LabelSource =
  | { readonly kind: "none" }
  | { readonly kind: "column"; readonly column: string | number }
  | { readonly kind: "file"; readonly path: string };

/** A whole number is a column's index; what names an existing file, or has a path's form, is a file; else a column's name. */
export function labelSource(choice: string | undefined): LabelSource {
  if (choice === undefined) return { kind: "none" };
  if (/^\d{1,9}$/.test(choice)) return { kind: "column", column: Number(choice) };
  if (/[\\/]/.test(choice) || isFile(choice)) return { kind: "file", path: choice };
  return { kind: "column", column: choice };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/**
 * @param path - a file, or - for standard input
 * @throws CurvatureError ERR_IO, ERR_PARSE, ERR_NON_FINITE, ERR_SHAPE, ERR_OPTION; an AbortError if `signal` is
 */
export async function readInput(path: string, labels: LabelSource, signal: AbortSignal): Promise<Input> {
  const column = labels.kind === "column" ? labels.column : undefined;
  const table = await readPoints(path, column, signal);
  if (labels.kind === "none") return { table, labelName: "" };
  if (labels.kind === "column") {
    return { table, labelName: typeof column === "string" ? column : `column ${Number(column) + 1}` };
  }
  const read = await readLabels(labels.path, table.points.rows, signal);
  return { table: { ...table, labels: read.labels }, labelName: read.name };
}

async function readPoints(
  path: string,
  labels: string | number | undefined,
  signal: AbortSignal,
): Promise<Table> {
  return named(path, () => readCsv(bytesOf(path, signal), { labels }));
}

/** A map to start from. */
export async function readMatrix(path: string, signal: AbortSignal): Promise<Table["points"]> {
  return (await readPoints(path, undefined, signal)).points;
}

async function readLabels(
  path: string,
  rows: number,
  signal: AbortSignal,
): Promise<{ labels: readonly string[]; name: string }> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytesOf(path, signal)) pieces.push(piece);
  const text = new TextDecoder().decode(Buffer.concat(pieces));
  const lines = text.split(/\r\n|\n|\r/).map(unquoted);
  if (lines.at(-1) === "") lines.pop();
  const hasHeader = lines.length === rows + 1;
  const labels = hasHeader ? lines.slice(1) : lines;
  if (labels.length !== rows) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${path} has ${lines.length} labels, but there are ${rows} points. Give one label per line, in the order of the points.`,
      { path, expected: `${rows} labels`, received: lines.length },
    );
  }
  return { labels, name: hasHeader ? lines[0] : basename(path).replace(/\.[^.]*$/, "") };
}

function unquoted(line: string): string {
  const cell = line.trim();
  return cell.length >= 2 && cell.startsWith('"') && cell.endsWith('"')
    ? cell.slice(1, -1).replaceAll('""', '"')
    : cell;
}

async function* bytesOf(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stream = path === "-" ? process.stdin : createReadStream(path);
  const stop = (): unknown => stream.destroy(signal.reason);
  signal.addEventListener("abort", stop);
  try {
    signal.throwIfAborted();
    for await (const piece of stream) yield piece;
  } catch (error) {
    if (isSystemError(error)) throw fileError("read", shownName(path), error);
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Adds the file's name to what a reader says about its content. */
async function named<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const aboutContent = ["ERR_PARSE", "ERR_NON_FINITE", "ERR_SHAPE", "ERR_MEMORY"];
    if (!(error instanceof CurvatureError) || !aboutContent.includes(error.code)) throw error;
    throw new CurvatureError(error.code, `${shownName(path)}: ${error.message}`, {
      path: shownName(path),
      received: error.received,
      cause: error,
    });
  }
}

export function shownName(path: string): string {
  return path === "-" ? "standard input" : path;
}
