/**
 * Searches for nearest neighbours: ours, exact and approximate, beside NN-descent (umap-js) and HNSW (DruidJS), on MNIST
 * and on data without structure.
 *
 * Usage: node neighbors.ts [--quick] [--mnist folder] [--sizes 20000,41000] [--sets noise] [--neighbors 90]
 *          [--peers no] [--name neighbors]
 *
 * MNIST is among the sets if its folder is given.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type DenseMatrix, fillNormal, RandomGenerator } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { nearestNeighborsOf, neighborSearch } from "@curvature/objectives/embedding";
import { HNSW } from "@saehrimnir/druidjs";
import { makeNNDescent } from "umap-js/dist/nn_descent.js";
import { makeForest, makeLeafArray } from "umap-js/dist/tree.js";
import { type Cell, writeReport } from "../../report.ts";
import { mnist, type PointSet } from "./sets.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    mnist: { type: "string", default: "" },
    sizes: { type: "string" },
    sets: { type: "string" },
    neighbors: { type: "string", default: "90" },
    peers: { type: "string", default: "yes" },
    name: { type: "string", default: "neighbors" },
  },
});
const sizes = (values.sizes ?? (values.quick ? "3000" : "20000,41000")).split(",").map(Number);
const setNames = (values.sets ?? (values.mnist === "" ? "noise" : "mnist,noise")).split(",");
const k = Number(values.neighbors);
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

/** Lists of the sampled points, by their rows. */
type Lists = (row: number) => Iterable<number>;

interface Search {
  readonly name: string;
  readonly most?: number;
  readonly run: (points: DenseMatrix) => Lists;
}

const ours = (name: string, search: "auto" | "exact" | "approximate", simd: boolean): Search => ({
  name,
  run: (points) => {
    if (simd) enableSimd();
    const steps = neighborSearch(points, k, { search });
    let next = steps.next();
    while (next.done !== true) next = steps.next();
    disableSimd();
    const { indices } = next.value;
    return (row) => indices.subarray(row * k, (row + 1) * k);
  },
});

const rowsOf = ({ rows, columns, data }: DenseMatrix): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * columns, (i + 1) * columns)));

function euclidean(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return Math.sqrt(sum);
}

/** As its UMAP calls it: trees and rounds by the number of points; the point itself is among its neighbours. */
const nnDescent: Search = {
  name: "umap-js, NN-descent",
  most: MOST_OF_PEERS,
  run: (points) => {
    const random = new RandomGenerator(0);
    const data = rowsOf(points);
    const uniform = (): number => random.uniform();
    const trees = 5 + Math.floor(Math.round(Math.sqrt(points.rows) / 20));
    const rounds = Math.max(5, Math.round(Math.log2(points.rows)));
    const leaves = makeLeafArray(makeForest(data, k + 1, trees, uniform));
    const { indices } = makeNNDescent(euclidean, uniform)(data, leaves, k + 1, rounds);
    return (row) => indices[row].filter((m) => m !== row).slice(0, k);
  },
};

const hnsw: Search = {
  name: "DruidJS, HNSW",
  most: MOST_OF_PEERS,
  run: (points) => {
    const data = rowsOf(points);
    const index = new HNSW(data, { ef: 2 * k, ef_construction: 200, m: 16, seed: 0 });
    const found = data.map((point) => index.search(point, k + 1).map((entry) => entry.index));
    return (row) => found[row].filter((m) => m !== row).slice(0, k);
  },
};

const makers: Readonly<Record<string, (N: number) => PointSet | Promise<PointSet>>> = {
  mnist: (N) => mnist(values.mnist, N),
  noise,
};

const searches = [
  ours("exact, SIMD", "exact", true),
  ours("approximate, SIMD", "approximate", true),
  ours("auto, SIMD", "auto", true),
  ours("exact", "exact", false),
  ours("approximate", "approximate", false),
  ...(values.peers === "no" ? [] : [nnDescent, hnsw]),
];

/** The share of the listed that are no farther than the true k-th, over some points. */
function recallOf(
  lists: Lists,
  { rows, columns, data }: DenseMatrix,
  limits: ReadonlyMap<number, number>,
): number {
  let found = 0;
  for (const [row, limit] of limits)
    for (const m of lists(row)) {
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

const rows: Cell[][] = [];
const descriptions: string[] = [];
for (const N of sizes)
  for (const name of setNames) {
    const set = await makers[name](N);
    descriptions.push(`${set.name}: ${set.description}`);
    const limits = trueLimits(set.points);
    for (const { name, most = Number.POSITIVE_INFINITY, run } of searches) {
      if (N > most) continue;
      const start = process.cpuUsage();
      const lists = run(set.points);
      const { user, system } = process.cpuUsage(start);
      const recall = recallOf(lists, set.points, limits);
      rows.push([set.name, name, ((user + system) / 1e6).toFixed(1), recall.toFixed(3)]);
      process.stderr.write(`${rows.at(-1)?.join(" ")}\n`);
    }
  }

const secondsOf = (set: string, name: string): number | undefined => {
  const row = rows.find((cells) => cells[0] === set && cells[1] === name);
  return row === undefined ? undefined : Number(row[2]);
};
const findings = [...new Set(rows.map((row) => String(row[0])))].map((set) => {
  const [exact, approximate] = ["exact, SIMD", "approximate, SIMD"].map((name) => secondsOf(set, name) ?? 0);
  return exact <= approximate
    ? `${set}: the approximate search gains nothing, the exact one takes ${exact.toFixed(1)} s against ${approximate.toFixed(1)} s.`
    : `${set}: the approximate search takes ${approximate.toFixed(1)} s, the exact one ${exact.toFixed(1)} s.`;
});

writeReport(
  {
    paper: "spectral",
    name: values.name,
    title: "Searches for nearest neighbours",
    claim:
      "The exact search is fast enough for tens of thousands of points, and lists of near points are the quicker way to most neighbours beyond.",
    data: `${descriptions.join("; ")}.`,
    method: `The ${k} nearest of every point, processor seconds of the whole process, one run; recall over ${SAMPLE} points against exact distances. Ours in TypeScript and with SIMD, "auto" as it chooses by itself (exact up to 4·10¹⁰ multiplications, and beyond where fewer than 95 % are found); umap-js ${version("umap-js", "../package.json")} with the trees and rounds of its UMAP; @saehrimnir/druidjs ${version("@saehrimnir/druidjs", "../package.json")} with m = 16, ef_construction = 200, ef = ${2 * k}. Both up to ${MOST_OF_PEERS} points.`,
    findings,
    tables: [{ columns: ["set", "search", "seconds", "recall"], rows }],
  },
  values.quick,
);
