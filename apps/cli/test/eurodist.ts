/** Files made from the road distances of Europe, for tests of the ordinal commands. */
import { loadEurodist } from "@curvature/datasets/eurodist";

export const { distances, names, positions } = loadEurodist();
const n = names.length;

/** The distances with the cities' names in the first line and column. */
export function distancesCsv(): string {
  const lines = names.map((name, i) => [name, ...distances.data.subarray(i * n, (i + 1) * n)].join(","));
  return `${["", ...names].join(",")}\n${lines.join("\n")}\n`;
}

/** Every `step`-th of all answers "i is nearer to j than to k", from the `first` on, as i, j, k. */
export function answers(step: number, first = 0): [i: number, j: number, k: number][] {
  const all: [number, number, number][] = [];
  const distance = (i: number, j: number): number => distances.data[i * n + j];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < j; k++) {
        if (i === j || i === k || distance(i, j) === distance(i, k)) continue;
        all.push(distance(i, j) < distance(i, k) ? [i, j, k] : [i, k, j]);
      }
    }
  }
  return all.filter((_, a) => a % step === first);
}

export function answersCsv(rows: readonly (readonly number[])[], named = true): string {
  const lines = rows.map((row) => row.map((object) => (named ? names[object] : object)).join(","));
  return `i,j,k\n${lines.join("\n")}\n`;
}

/** Of a map as CSV, the header, and the cells of each row; no name has a comma or a quote in it. */
export function rowsOf(csv: string): { header: string; rows: string[][] } {
  const [header, ...lines] = csv.trimEnd().split("\n");
  return { header, rows: lines.map((line) => line.split(",").map((cell) => cell.replaceAll('"', ""))) };
}
