/**
 * Searches for nearest neighbours: ours, exact and approximate, beside NN-descent (umap-js) and HNSW (DruidJS), on MNIST
 * and on data without structure. Each is in a process of its own (`neighbors-process.ts`).
 *
 * Usage: node neighbors.ts [--quick] [--mnist folder] [--sizes 5000,20000] [--sets noise] [--neighbors 90]
 *          [--peers yes|no] [--name neighbors]
 *
 * MNIST is among the sets if its folder is given.
 */
import { readFileSync } from "node:fs";
import { type DenseMatrix, fillNormal, RandomGenerator } from "@curvature/linalg";
import { nearestNeighborsOf } from "@curvature/objectives/embedding";
import { ownProcess, withProcesses } from "../../contestants/own-process.ts";
import {
  experimentArguments,
  namesOf,
  refuse,
  string,
  whole,
  wholeNumber,
} from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { verdict } from "../../words.ts";
import { mnist, type PointSet } from "./sets.ts";

const values = experimentArguments({
  mnist: string(""),
  sizes: string("5000,20000", "3000"),
  sets: string(),
  neighbors: whole(90),
  peers: string("yes"),
  name: string("neighbors"),
});
const { isQuick, neighbors: k } = values;
const sizes = values.sizes
  .split(",")
  .map((size) => wholeNumber("sizes", size, 500))
  .toSorted((a, b) => a - b);
const setNames = namesOf("sets", values.sets ?? (values.mnist === "" ? "noise" : "mnist,noise"), [
  "mnist",
  "noise",
]);
if (setNames.includes("mnist") && values.mnist === "") refuse("--sets: mnist needs --mnist, a folder");
/** Points of a search that is not counted: the compiler's. */
const WARM_UP = 500;
if (k >= WARM_UP) refuse(`--neighbors must be below ${WARM_UP}, the points of the first search`);
const [peers] = namesOf("peers", values.peers, ["yes", "no"]);
/** The graphs' searches take minutes beyond. */
const MOST_OF_PEERS = 20_000;
/** Points whose lists are compared with the true ones. */
const SAMPLE = 500;

/** 50 independent normal numbers a point. */
function noise(N: number): PointSet {
  const points = { rows: N, columns: 50, data: new Float64Array(N * 50) };
  fillNormal(new RandomGenerator(5), points.data);
  return { name: `noise-${N}`, description: `${N} points of 50 independent normal numbers`, points };
}

/** Lists of the sampled points. */
type Lists = readonly (readonly number[])[];

export interface SearchTask {
  readonly search: "exact" | "approximate" | "auto" | "nnDescent" | "hnsw";
  readonly isSimd: boolean;
  readonly points: DenseMatrix;
  readonly k: number;
  /** Rows of the points whose lists are wanted. */
  readonly sampled: readonly number[];
}

export interface SearchFound {
  readonly seconds: number;
  readonly lists: Lists;
}

interface Search {
  readonly name: string;
  readonly search: SearchTask["search"];
  readonly isSimd: boolean;
  readonly most?: number;
}

const makers: Readonly<Record<string, (N: number) => PointSet | Promise<PointSet>>> = {
  mnist: (N) => mnist(values.mnist, N),
  noise,
};

const ours: readonly Search[] = [
  { name: "exact, SIMD", search: "exact", isSimd: true },
  { name: "approximate, SIMD", search: "approximate", isSimd: true },
  { name: "auto, SIMD", search: "auto", isSimd: true },
  { name: "exact", search: "exact", isSimd: false },
  { name: "approximate", search: "approximate", isSimd: false },
];
const theirs: readonly Search[] = [
  { name: "umap-js, NN-descent", search: "nnDescent", isSimd: false, most: MOST_OF_PEERS },
  { name: "DruidJS, HNSW", search: "hnsw", isSimd: false, most: MOST_OF_PEERS },
];
const searches = peers === "no" ? ours : [...ours, ...theirs];

/** The share of the listed that are no farther than the true k-th, over some points. */
function recallOf(
  lists: Lists,
  { rows, columns, data }: DenseMatrix,
  limits: ReadonlyMap<number, number>,
): number {
  let found = 0;
  for (const [s, [row, limit]] of [...limits].entries())
    for (const m of lists[s]) {
      if (m < 0 || m >= rows) continue;
      let sum = 0;
      for (let j = 0; j < columns; j++) sum += (data[row * columns + j] - data[m * columns + j]) ** 2;
      if (sum <= limit * (1 + 1e-12)) found++;
    }
  return found / (limits.size * k);
}

/** The squared distance of the k-th nearest other point of each of some. */
function trueLimits(points: DenseMatrix): Map<number, number> {
  const { columns } = points;
  const sampled = Array.from({ length: SAMPLE }, (_, s) => Math.floor((s * points.rows) / SAMPLE));
  const rows = sampled.flatMap((row) => [...points.data.subarray(row * columns, (row + 1) * columns)]);
  const queries = { rows: SAMPLE, columns, data: Float64Array.from(rows) };
  const { distances } = nearestNeighborsOf(queries, points, k + 1);
  return new Map(sampled.map((row, s) => [row, distances[s * (k + 1) + k]]));
}

const version = (name: string, file: string): string =>
  JSON.parse(readFileSync(new URL(file, import.meta.resolve(name)), "utf8")).version;

const script = new URL("./neighbors-process.ts", import.meta.url);
const rows: Cell[][] = [];
const descriptions: string[] = [];
for (const N of sizes)
  for (const name of setNames) {
    const set = await makers[name](N);
    descriptions.push(`${set.name}: ${set.description}`);
    const limits = trueLimits(set.points);
    const taking = searches.filter(({ most = N }) => N <= most);
    const sampled = [...limits.keys()];
    const starts = taking.map(({ name: search, most: _, ...one }) => () => {
      const task = { ...one, points: set.points, k, sampled };
      return ownProcess<SearchTask, number, SearchFound>(search, script, task);
    });
    await withProcesses(starts, async (processes) => {
      for (const process of processes) {
        await process.turn(WARM_UP);
        const { seconds, lists } = await process.turn(N);
        const recall = recallOf(lists, set.points, limits);
        rows.push([set.name, process.name, seconds.toFixed(2), recall.toFixed(3)]);
        note(`${rows.at(-1)?.join(" ")}`);
      }
    });
  }

const secondsOf = (set: string, name: string): number | undefined => {
  const row = rows.find((cells) => cells[0] === set && cells[1] === name);
  return row === undefined ? undefined : Number(row[2]);
};
const recallIn = (set: string, name: string): string =>
  `${rows.find((cells) => cells[0] === set && cells[1] === name)?.[3] ?? "-"}`;
const setsFound = [...new Set(rows.map((row) => String(row[0])))];
/** Infinity of those that did not take part. */
const timeOf = (set: string, name: string): number => secondsOf(set, name) ?? Infinity;
const exact = "exact, SIMD";
const besidePeers = setsFound.filter((set) => theirs.some(({ name }) => timeOf(set, name) < Infinity));
const claims = {
  ...Object.fromEntries(
    besidePeers.map((set) => [
      `the exact search on ${set}`,
      theirs.every(({ name }) => timeOf(set, exact) < timeOf(set, name)),
    ]),
  ),
  ...Object.fromEntries(
    setsFound
      .slice(-setNames.length)
      .map((set) => [
        `lists of near points on ${set}`,
        timeOf(set, "approximate, SIMD") < timeOf(set, exact),
      ]),
  ),
};
const findings = setsFound.map((set) => {
  const of = (name: string): string =>
    `${secondsOf(set, name)?.toFixed(2)} s (recall ${recallIn(set, name)})`;
  const peers = theirs.filter(({ name }) => secondsOf(set, name) !== undefined);
  return `${set}: exact with SIMD ${of("exact, SIMD")}, approximate ${of("approximate, SIMD")}${peers.map(({ name }) => `; ${name} ${of(name)}`).join("")}.`;
});

writeReport(
  {
    paper: "spectral",
    name: values.name,
    title: "Searches for nearest neighbours",
    claim:
      "The exact search with SIMD takes less time than the approximate ones of npm's packages; lists of near points are quicker still where there are most points.",
    data: `${descriptions.join("; ")}.`,
    method: `The ${k} nearest of every point, each search in a process of its own, one after the other, warm after the search among ${WARM_UP} points; recall over ${SAMPLE} points against exact distances. Ours in TypeScript and with SIMD, "auto" as it chooses by itself (exact up to 4·10¹⁰ multiplications, and beyond where fewer than 95 % are found); umap-js ${version("umap-js", "../package.json")} with the trees and rounds of its UMAP; @saehrimnir/druidjs ${version("@saehrimnir/druidjs", "../package.json")} with m = 16, ef_construction = 200, ef = ${2 * k}. Both up to ${MOST_OF_PEERS} points.`,
    repeats: "One run of each; the drawn points have seed 5, the approximate searches seed 0.",
    clock: "processor",
    findings: [
      `${verdict(claims)}${besidePeers.length === 0 ? " No package of npm took part." : ""}`,
      ...findings,
    ],
    tables: [{ columns: ["set", "search", "seconds", "recall"], rows }],
  },
  isQuick,
);
