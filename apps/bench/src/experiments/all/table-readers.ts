/** Readers of tables of numbers, ours and those of npm's packages that are most used for it. */
import { readLibsvm, readPoints } from "@curvature/datasets";
import { parse } from "csv-parse/sync";
import { csvParseRows } from "d3-dsv";
import Papa from "papaparse";

/** The sum of all numbers of a text, so that what readers found can be compared. */
export interface Reader {
  /** Of npm; none: the engine's own. */
  readonly package?: string;
  readonly note?: string;
  readonly sum: (text: string, bytes: Uint8Array) => number | Promise<number>;
}

export const ours = "@curvature/datasets";

const PIECE = 65_536;
async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/** What a solver wants of a table: its numbers row by row in one array. */
function flat(rows: readonly ArrayLike<unknown>[]): Float64Array {
  const columns = rows[0].length;
  const data = new Float64Array(rows.length * columns);
  for (const [i, row] of rows.entries())
    for (let j = 0; j < columns; j++) data[i * columns + j] = Number(row[j]);
  return data;
}

export const csvReaders: readonly Reader[] = [
  {
    package: ours,
    sum: async (_text, bytes) => sumOf((await readPoints(pieces(bytes), { header: "no" })).points.data),
  },
  { package: "csv-parse", note: "sync", sum: (text) => sumOf(flat(parse(text))) },
  { package: "papaparse", sum: (text) => sumOf(flat(Papa.parse<string[]>(text.trimEnd()).data)) },
  { package: "d3-dsv", sum: (text) => sumOf(flat(csvParseRows(text))) },
  {
    note: "split by lines and commas",
    sum: (text) => sumOf(flat(linesOf(text).map((line) => line.split(",")))),
  },
];

export const libsvmReaders: readonly Reader[] = [
  {
    package: ours,
    sum: async (_text, bytes) => {
      const { labels, rows } = await readLibsvm(pieces(bytes), { precision: "double" });
      return sumOf(flat([labels])) + sumOf(rows.values);
    },
  },
  {
    note: "split by lines, blanks and colons",
    sum: (text) => {
      const [columns, values]: [number[], number[]] = [[], []];
      let labels = 0;
      for (const line of linesOf(text)) {
        const [label, ...entries] = line.split(" ");
        labels += Number(label);
        for (const entry of entries) {
          const colon = entry.indexOf(":");
          columns.push(Number(entry.slice(0, colon)));
          values.push(Number(entry.slice(colon + 1)));
        }
      }
      return labels + sumOf(values);
    },
  },
];

const linesOf = (text: string): string[] => text.trimEnd().split("\n");
