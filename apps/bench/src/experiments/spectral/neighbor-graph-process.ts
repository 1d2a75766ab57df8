/** One contestant from a given graph of neighbours, or of the matrix of distances, in its own process: a turn is a map. */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import { embed } from "@curvature/optim-spectral";
import { TSNE } from "@saehrimnir/druidjs";
import { UMAP } from "umap-js";
import { takeTurns } from "../../contestants/own-process.ts";
import { cpuSeconds } from "../../processor.ts";
import type { GraphTask, MapMade } from "./neighbor-graph-peers.ts";

interface Lists {
  readonly indices: number[][];
  readonly distances: number[][];
}

type Contestant = (seed: number) => number[][] | DenseMatrix | Promise<DenseMatrix>;

/** Each with its lists as it takes them, which are made before the clock starts. */
const contestants: Readonly<Record<GraphTask["contestant"], (task: GraphTask) => Contestant>> = {
  curvature(task) {
    const neighbors = listsOf(task, false);
    return async (seed) => (await embed({ neighbors }, { seed })).embedding;
  },
  "umap-js"(task) {
    const { indices, distances } = listsOf(task, true);
    const points = rowsOf(task.points);
    return (seed) => {
      const random = new RandomGenerator(seed);
      const umap = new UMAP({ nNeighbors: task.count, random: () => random.uniform() });
      umap.setPrecomputedKNN(indices, distances);
      return umap.fit(points);
    };
  },
  druid({ points }) {
    const rows = rowsOf(points);
    const distances = rows.map((a) => rows.map((b) => Math.hypot(...a.map((value, c) => value - b[c]))));
    return (seed) => new TSNE(distances, { metric: "precomputed", perplexity: 30, seed }).transform();
  },
};

/** @param withItself - each point first among its own, of `count` in all */
function listsOf({ points, lists, count }: GraphTask, withItself: boolean): Lists {
  const own = Number(withItself);
  const width = lists.indices.length / points.rows;
  const ofRow = (all: ArrayLike<number>, i: number): number[] =>
    Array.from({ length: count - 1 }, (_, j) => all[i * width + j]);
  const all = Array.from({ length: points.rows }, (_, i) => i);
  return {
    indices: all.map((i) => [...(own ? [i] : []), ...ofRow(lists.indices, i)]),
    distances: all.map((i) => [...(own ? [0] : []), ...ofRow(lists.distances, i)]),
  };
}

const rowsOf = ({ rows, columns, data }: DenseMatrix): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * columns, (i + 1) * columns)));

takeTurns(async (task: GraphTask) => {
  const contestant = contestants[task.contestant](task);
  return async (seed: number): Promise<MapMade> => {
    const before = cpuSeconds();
    const map = await contestant(seed);
    const seconds = cpuSeconds() - before;
    return { seconds, map: "data" in map ? map.data : Float64Array.from(map.flat()) };
  };
});
