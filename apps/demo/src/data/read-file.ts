/** The visitor's file: any format that the packages read, its labels chosen or guessed. */
import { readCells, readPoints, type Table } from "@curvature/datasets";
import { CurvatureError, RandomGenerator, sampleWithoutReplacement, selectRows } from "@curvature/linalg";
import { baseName } from "../export/save.js";
import type { DataRequest, Dataset } from "./dataset.js";

const headBytes = 1 << 16;
const usualLabelNames = /^(labels?|class(es)?|target|digit|species|category|group|cluster|type)$/i;

export async function readFile({
  file,
  labels,
  mostBytes,
  mostRows,
}: Extract<DataRequest, { kind: "file" }>): Promise<Dataset> {
  const choices = await namedColumns(file);
  const chosen = labels ?? choices.guess;
  const leftOut = choices.ofWords.filter(({ name }) => name === "" || name !== chosen);
  const table = await readPoints(file.stream(), {
    name: file.name,
    maxBytes: mostBytes,
    ignore: leftOut.map(({ index }) => index),
    labels: chosen === "" ? undefined : chosen,
  });
  const { rows } = table.points;
  return {
    name: baseName(file.name) || "data",
    ...(rows > mostRows ? sampled(table, mostRows) : { points: table.points, labels: table.labels }),
    columns: table.columns,
    labelName: table.labels === undefined ? undefined : (chosen ?? "label"),
    image: undefined,
    choices: choices.names.filter((name) => name !== ""),
    leftOut,
    fileName: file.name,
    takenFrom: rows > mostRows ? rows : undefined,
  };
}

/** So many rows at random, in the file's order. */
function sampled({ points, labels }: Table, most: number): Pick<Dataset, "points" | "labels"> {
  const chosen = sampleWithoutReplacement(new RandomGenerator(0), most, points.rows).sort();
  return {
    points: selectRows(points, chosen),
    labels: labels === undefined ? undefined : Array.from(chosen, (row) => labels[row]),
  };
}

interface Columns {
  readonly names: readonly string[];
  readonly ofWords: Dataset["leftOut"];
  readonly guess: string | undefined;
}

const none: Columns = { names: [], ofWords: [], guess: undefined };

/**
 * The header of a table of text, its columns of words, and the column that holds labels: named like one, or the only one of words, or a y that
 * is not the other coordinate of an x.
 */
async function namedColumns(file: File): Promise<Columns> {
  if (!/\.(csv|tsv|tab|txt|dat)(\.gz)?$/i.test(file.name)) return none;
  let rows: readonly (readonly string[])[];
  try {
    rows = (await readCells(await headOf(file), { delimiter: file.name.includes(".tsv") ? "\t" : undefined }))
      .cells;
  } catch (error) {
    if (error instanceof CurvatureError) return none; // the reader of points says what is wrong, and where
    throw error;
  }
  const [names, ...body] = rows;
  if (names === undefined || body.length === 0 || names.some(isNumber)) return none; // the first row of data
  if (new Set(names).size !== names.length) return none;
  const ofWords = Array.from(names, (name, index) => ({ index, name })).filter(({ index }) =>
    isOfWords(body.map((row) => row[index] ?? "")),
  );
  const calledLike = (pattern: RegExp): string | undefined => names.find((name) => pattern.test(name.trim()));
  const lone = calledLike(/^x$/i) === undefined ? calledLike(/^y$/i) : undefined;
  const loneWords = ofWords.length === 1 && ofWords[0].name !== "" ? ofWords[0].name : undefined;
  return { names, ofWords, guess: calledLike(usualLabelNames) ?? loneWords ?? lone };
}

const noWord = /^(nan|[+-]?inf(inity)?|na|n\/a|null|none|\?|-)?$/i;

/** Whether most cells are words: neither numbers nor what stands in place of one. */
function isOfWords(cells: readonly string[]): boolean {
  const words = cells.filter((cell) => !isNumber(cell) && !noWord.test(cell.trim()));
  return words.length > cells.length / 2;
}

const isNumber = (cell: string): boolean => cell.trim() !== "" && Number.isFinite(Number(cell));

/** The file's first lines as text, unpacked; the last one, which may be cut, is left out. */
async function headOf(file: File): Promise<string> {
  const isGzip = new Uint8Array(await file.slice(0, 2).arrayBuffer())[0] === 0x1f;
  const stream = isGzip ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let isWhole = false;
  while (text.length < headBytes && !isWhole) {
    const next = await reader.read().catch(() => ({ done: true, value: undefined }));
    isWhole = next.done;
    if (next.value !== undefined) text += decoder.decode(next.value, { stream: true });
  }
  void reader.cancel().catch(() => undefined);
  return isWhole ? text : text.slice(0, text.lastIndexOf("\n") + 1);
}
