/** One search for nearest neighbours in its own process: a turn is a search among so many of the first points. */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import { disableSimd } from "@curvature/linalg/simd";
import { neighborSearch } from "@curvature/objectives/embedding";
import { HNSW } from "@saehrimnir/druidjs";
import { makeNNDescent } from "umap-js/dist/nn_descent.js";
import { makeForest, makeLeafArray } from "umap-js/dist/tree.js";
import { takeTurns } from "../../contestants/own-process.ts";
import { cpuSeconds } from "../../processor.ts";
import type { SearchFound, SearchTask } from "./neighbors.ts";

/** Lists of points by their rows; the point itself may be in its own. */
type Lists = (row: number) => Iterable<number>;
type Search = (points: DenseMatrix, k: number) => Lists;

const ours =
  (search: "auto" | "exact" | "approximate"): Search =>
  (points, k) => {
    const steps = neighborSearch(points, k, { search });
    let next = steps.next();
    while (next.done !== true) next = steps.next();
    const { indices } = next.value;
    return (row) => indices.subarray(row * k, (row + 1) * k);
  };

const rowsOf = ({ rows, columns, data }: DenseMatrix): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * columns, (i + 1) * columns)));

function euclidean(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return Math.sqrt(sum);
}

/** As its UMAP calls it: trees and rounds by the number of points. */
const nnDescent: Search = (points, k) => {
  const random = new RandomGenerator(0);
  const data = rowsOf(points);
  const uniform = (): number => random.uniform();
  const trees = 5 + Math.floor(Math.round(Math.sqrt(points.rows) / 20));
  const rounds = Math.max(5, Math.round(Math.log2(points.rows)));
  const leaves = makeLeafArray(makeForest(data, k + 1, trees, uniform));
  const { indices } = makeNNDescent(euclidean, uniform)(data, leaves, k + 1, rounds);
  return (row) => indices[row];
};

const hnsw: Search = (points, k) => {
  const data = rowsOf(points);
  const index = new HNSW(data, { ef: 2 * k, ef_construction: 200, m: 16, seed: 0 });
  const found = data.map((point) => index.search(point, k + 1).map((entry) => entry.index));
  return (row) => found[row];
};

const searches: Readonly<Record<SearchTask["search"], Search>> = {
  exact: ours("exact"),
  approximate: ours("approximate"),
  auto: ours("auto"),
  nnDescent,
  hnsw,
};

takeTurns(async ({ search, isSimd, points, k, sampled }: SearchTask) => {
  if (!isSimd) disableSimd();
  return (rows: number): SearchFound => {
    const { columns, data } = points;
    const some = { rows, columns, data: data.subarray(0, rows * columns) };
    const before = cpuSeconds();
    const lists = searches[search](some, k);
    const seconds = cpuSeconds() - before;
    const chosen = sampled.filter((row) => row < rows);
    return { seconds, lists: chosen.map((row) => [...lists(row)].filter((m) => m !== row).slice(0, k)) };
  };
});
