/**
 * Maps from a graph of neighbours that is given: `embed({ neighbors })` beside umap-js from the same lists, and beside DruidJS's
 * t-SNE from the full matrix of distances, which is the form in which it takes them. Each run in a process of its own
 * (`neighbor-graph-process.ts`), cold, contestants in turn.
 *
 * Usage: node neighbor-graph-peers.ts [--quick] [--tables folder] [--sets pendigits,letter,tree] [--sizes 1000]
 *          [--contestants curvature-15,umap-js-15,curvature-90,umap-js-90,druid] [--repeats 3] [--name neighbor-graph-peers]
 *
 * The numbers behind the names are of neighbours, the point itself included: 15 are umap-js's default, 90 ours. DruidJS takes part
 * up to 5,000 points.
 */
import type { DenseMatrix } from "@curvature/linalg";
import { nearestNeighbors } from "@curvature/objectives/embedding";
import { mapQuality } from "@curvature/optim-spectral";
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
import { decimals, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { packageVersion } from "../../versions.ts";
import { mediansOf, verdict } from "../../words.ts";
import { clusterTree, type PointSet, table } from "./sets.ts";

export interface GraphTask {
  readonly contestant: "curvature" | "umap-js" | "druid";
  readonly points: DenseMatrix;
  /** Row by row: the nearest others and their distances, as many as the longest lists need. */
  readonly lists: { readonly indices: Int32Array; readonly distances: Float64Array };
  /** Neighbours of a point, itself included. */
  readonly count: number;
}

export interface MapMade {
  /** Of the processor. */
  readonly seconds: number;
  readonly map: Float64Array;
}

interface Contestant extends Pick<GraphTask, "contestant" | "count"> {
  readonly title: string;
  readonly most: number;
}

const contestants = {
  "curvature-15": { contestant: "curvature", count: 15, title: "curvature, 15", most: Infinity },
  "umap-js-15": { contestant: "umap-js", count: 15, title: "umap-js, 15", most: Infinity },
  "curvature-90": { contestant: "curvature", count: 90, title: "curvature, 90", most: Infinity },
  "umap-js-90": { contestant: "umap-js", count: 90, title: "umap-js, 90", most: Infinity },
  druid: { contestant: "druid", count: 90, title: "DruidJS, all pairs", most: 5000 },
} as const satisfies Readonly<Record<string, Contestant>>;
type Key = keyof typeof contestants;
/** Of each, ours of the same lists; of all pairs, ours of the usual ones. */
const rivals: readonly (readonly [Key, Key])[] = [
  ["curvature-15", "umap-js-15"],
  ["curvature-90", "umap-js-90"],
  ["curvature-90", "druid"],
];

const values = experimentArguments({
  tables: string(""),
  sets: string("pendigits,letter,tree", "tree"),
  sizes: string("1000", "300"),
  contestants: string(Object.keys(contestants).join(",")),
  repeats: whole(3, 1),
  name: string("neighbor-graph-peers"),
});
const { isQuick, repeats, tables } = values;
const makers: Readonly<Record<string, (N: number) => PointSet | Promise<PointSet>>> = {
  pendigits: (N) => table(tables, "pendigits", N),
  letter: (N) => table(tables, "letter", N),
  tree: (N) => clusterTree(N),
};
const setNames = namesOf("sets", values.sets, Object.keys(makers));
if (tables === "" && setNames.some((name) => name !== "tree"))
  refuse("--sets: pendigits and letter need --tables, a folder");
const sizes = values.sizes.split(",").map((size) => wholeNumber("sizes", size, 300));
const keys = namesOf("contestants", values.contestants, Object.keys(contestants).filter(isKey));

function isKey(word: string): word is Key {
  return word in contestants;
}

/** Points whose neighbourhoods are compared with all others. */
const COMPARED = 2000;
const measures = ["seconds", "trust", "kept5", "kept10", "kept200"] as const;
type Figures = Readonly<Record<(typeof measures)[number], number>>;

interface Found {
  readonly set: string;
  readonly key: Key;
  readonly spread: Readonly<Record<keyof Figures, Spread>>;
}

const script = new URL("./neighbor-graph-process.ts", import.meta.url);

async function figuresOf(task: GraphTask, seed: number): Promise<Figures> {
  const start = () => ownProcess<GraphTask, number, MapMade>(task.contestant, script, task);
  const { seconds, map } = await withProcesses([start], ([process]) => process.turn(seed));
  const { points } = task;
  const embedding = { rows: points.rows, columns: 2, data: map };
  const quality = (neighbors: number) => mapQuality(points, embedding, { neighbors, maxRows: COMPARED });
  const near = quality(10);
  return {
    seconds,
    trust: near.trustworthiness ?? 0,
    kept5: quality(5).knnPreservation ?? 0,
    kept10: near.knnPreservation ?? 0,
    kept200: quality(200).knnPreservation ?? 0,
  };
}

async function contest({ name, points }: PointSet): Promise<Found[]> {
  const taking = keys.filter((key) => points.rows <= contestants[key].most);
  const width = Math.max(...taking.map((key) => contestants[key].count)) - 1;
  const { indices, distances } = nearestNeighbors(points, width);
  const lists = { indices, distances: distances.map(Math.sqrt) };
  const all = new Map<Key, Figures[]>(taking.map((key) => [key, []]));
  for (let seed = 0; seed < repeats; seed++)
    for (const key of taking) {
      const { contestant, count } = contestants[key];
      const figures = await figuresOf({ contestant, count, points, lists }, seed);
      all.get(key)?.push(figures);
      note(`${name} ${key} seed ${seed}: ${measures.map((m) => figures[m].toFixed(4)).join(" ")}`);
    }
  return [...all].map(([key, runs]) => {
    const over = (measure: keyof Figures): Spread => spreadOf(runs.map((run) => run[measure]));
    const spread = {
      seconds: over("seconds"),
      trust: over("trust"),
      kept5: over("kept5"),
      kept10: over("kept10"),
      kept200: over("kept200"),
    };
    return { set: name, key, spread };
  });
}

const found: Found[] = [];
const descriptions: string[] = [];
for (const size of sizes)
  for (const name of setNames) {
    const set = await makers[name](size);
    descriptions.push(`${set.name}: ${set.description}`);
    found.push(...(await contest(set)));
  }

const shown: Readonly<Record<keyof Figures, string>> = {
  seconds: "time",
  trust: "trustworthiness",
  kept5: "the 5 nearest kept",
  kept10: "the 10 nearest kept",
  kept200: "the 200 nearest kept",
};

/** Where the other is ahead of ours, or as far. */
const pairs = found.flatMap((other) =>
  rivals
    .filter(([, key]) => key === other.key)
    .flatMap(([key]) => found.filter((ours) => ours.set === other.set && ours.key === key))
    .map((ours) => ({ ours, other })),
);
const isHeld = (measure: keyof Figures, { ours, other }: (typeof pairs)[number]): boolean => {
  const [own, theirs] = [ours.spread[measure].median, other.spread[measure].median];
  return measure === "seconds" ? own < theirs : own >= theirs;
};
const losses = pairs.flatMap((pair) => {
  const lost = measures.filter((measure) => !isHeld(measure, pair));
  const { title } = contestants[pair.other.key];
  return lost.length === 0 ? [] : [`${title} on ${pair.other.set} (${lost.map((m) => shown[m]).join(", ")})`];
});

writeReport(
  {
    paper: "spectral",
    name: values.name,
    title: "Maps from a given graph of neighbours",
    claim:
      "From a given graph of neighbours `embed` is faster than umap-js, and than DruidJS's t-SNE from all distances, and keeps neighbourhoods no worse.",
    data: `${descriptions.join("; ")}. The tables are of the UCI repository, the tree is drawn.`,
    method: `The exact nearest neighbours are found before, for all contestants the same; the number behind the name is of a point's neighbours, itself included. Ours: embed({ neighbors }) with its defaults (100 evaluations, perplexity half of the neighbours), one thread; ${packageVersion("umap-js")} by setPrecomputedKNN, with its defaults; ${packageVersion("@saehrimnir/druidjs")}, TSNE of the matrix of all distances, perplexity 30, 500 iterations (its default). Each run in a fresh process, from lists or matrix in memory to the map. Neighbour preservation at 5, 10 and 200, trustworthiness at 10, of ${COMPARED} points drawn at random where there are more.`,
    repeats: `${mediansOf(repeats)}.`,
    clock: "processor",
    findings: [
      pairs.length === 0
        ? "No package of npm took part."
        : verdict(
            Object.fromEntries(measures.map((m) => [shown[m], pairs.every((pair) => isHeld(m, pair))])),
          ),
      losses.length === 0
        ? "No contestant is ahead of `embed` of the same lists in anything."
        : `Ahead of \`embed\` of the same lists in something: **${losses.join("; ")}**.`,
    ],
    tables: [
      {
        columns: [
          "data",
          "contestant, neighbours",
          "seconds",
          "trustworthiness",
          "kept of 5",
          "kept of 10",
          "kept of 200",
        ],
        rows: found.map(({ set, key, spread }): Cell[] => [
          set,
          contestants[key].title,
          spreadText(spread.seconds, decimals(2)),
          ...measures.slice(1).map((measure) => spreadText(spread[measure], decimals(4))),
        ]),
      },
    ],
  },
  isQuick,
);
