/**
 * Curves whose points lie at random places: `separateCurves` with and without the number of curves, single linkage beside it, and the
 * automatic layers of `nomad` on a part of the draws.
 *
 * Usage: node layers-random.ts [--quick] [--draws 20] [--larger 5] [--layers 1] [--first 1000]
 */
import { type DenseMatrix, squaredDistances } from "@curvature/linalg";
import { nomad, separateCurves } from "@curvature/optim-sdp";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { adjustedRand } from "../../quality/partitions.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { randomCurves } from "./random-curves.ts";

const { isQuick, draws, larger, layers, first } = experimentArguments({
  /** Of each set with 200 points. */
  draws: whole(20, 1),
  /** Of each set with 400 points. */
  larger: whole(5, 1),
  /** With automatic layers, of each set with 200 points. */
  layers: whole(1),
  /** The seed of the first draw. */
  first: whole(1000),
});

const RIGHT = 0.95;
/** A cut of so many times its bound is called open. */
const OPEN = 2;

interface Counts {
  right: number;
  rightGiven: number;
  rightLinked: number;
  rightLayers: number;
  seconds: number;
  /** Draws whose certificate is open, and how many of these are wrong. */
  open: number;
  openWrong: number;
  /** Wrong draws, with the number given or not. */
  wrong: number;
}

const sets = isQuick ? randomCurves.slice(0, 2) : randomCurves;
const small = await counted(200, draws, Math.min(layers, draws));
const large = await counted(400, larger, 0);

async function counted(n: number, seeds: number, withLayers: number): Promise<Map<string, Counts>> {
  const table = new Map<string, Counts>();
  for (const { name, draw } of sets) {
    const counts: Counts = {
      ...{
        right: 0,
        rightGiven: 0,
        rightLinked: 0,
        rightLayers: 0,
        seconds: 0,
        open: 0,
        openWrong: 0,
        wrong: 0,
      },
    };
    for (let seed = first; seed < first + seeds; seed++) {
      const { points, labels } = draw(n, seed);
      const K = new Set(labels).size;
      const before = cpuSeconds();
      const found = await separateCurves(points);
      counts.seconds += (cpuSeconds() - before) / seeds;
      const given = await separateCurves(points, { clusters: K });
      for (const result of [found, given]) {
        const isRight = result.clusters === K && adjustedRand(result.labels, labels) >= RIGHT;
        const isOpen = result.warnings.some(({ code }) => code === "cut-not-proved");
        if (isOpen) counts.open++;
        if (isOpen && !isRight) counts.openWrong++;
        if (!isRight) counts.wrong++;
        if (isRight && result === found) counts.right++;
        if (isRight && result === given) counts.rightGiven++;
      }
      if (adjustedRand(singleLinkage(points, K), labels) >= RIGHT) counts.rightLinked++;
      if (seed >= first + withLayers) continue;
      const { components } = await nomad(points, { layers: "auto", maxSeconds: 60 });
      if (components.count === K && adjustedRand(components.labels, labels) >= RIGHT) counts.rightLayers++;
    }
    table.set(name, counts);
    note(
      `${n} ${name}: found ${counts.right}, given ${counts.rightGiven}, linked ${counts.rightLinked}, layers ${counts.rightLayers}, open ${counts.openWrong} of ${counts.open}`,
    );
  }
  return table;
}

/** The K parts that are farthest from each other by their nearest points. */
function singleLinkage(points: DenseMatrix, K: number): Int32Array {
  const { rows: n, data } = squaredDistances(points);
  const pairs: [number, number][] = [];
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) pairs.push([i, j]);
  pairs.sort(([a, b], [c, d]) => data[a * n + b] - data[c * n + d]);
  const root = Int32Array.from({ length: n }, (_, i) => i);
  let parts = n;
  for (const [i, j] of pairs) {
    if (parts === K) break;
    const [a, b] = [root[i], root[j]];
    if (a === b) continue;
    for (let k = 0; k < n; k++) if (root[k] === b) root[k] = a;
    parts--;
  }
  return root;
}

const sum = (table: ReadonlyMap<string, Counts>, field: keyof Counts): number =>
  [...table.values()].reduce((total, counts) => total + counts[field], 0);
const share = (part: number, all: number): string =>
  `${part} of ${all} (${Math.round((100 * part) / all)} %)`;

const [all, allLarge, allLayers] = [draws, larger, layers].map((count) => count * sets.length);
const rows: Cell[][] = sets.map(({ name, draw }) => {
  const [a, b] = [small.get(name), large.get(name)];
  if (a === undefined || b === undefined) throw new Error(`${name} was not counted`);
  return [
    name,
    new Set(draw(200, first).labels).size,
    ...[a.right, a.rightGiven, a.rightLinked, a.rightLayers, b.right, b.rightGiven, b.rightLinked],
    a.seconds.toFixed(2),
  ];
});
const both = [small, large];
const open = both.reduce((total, table) => total + sum(table, "open"), 0);
const openWrong = both.reduce((total, table) => total + sum(table, "openWrong"), 0);
const wrong = both.reduce((total, table) => total + sum(table, "wrong"), 0);

writeReport(
  {
    paper: "sdp",
    name: "layers-random",
    title: "Curves at random places",
    claim:
      "`separateCurves` finds curves whose points lie at random places, and how many there are, where automatic layers, which need even spacing, do not.",
    data: "Rings, moons, spirals, knots, links, lines, arcs and blobs of 200 and 400 points, each at a place drawn uniformly along its curve; noise as a standard deviation.",
    method: `Right: an adjusted Rand index of ${RIGHT} at the least and, where it is found, the number of curves. Single linkage has the number given. Automatic layers: \`nomad\` with \`layers: "auto"\` on the first ${layers} of the draws, 60 s each at the most. A certificate is open where the cut is ${OPEN} times its bound or more ("cut-not-proved").`,
    repeats: `${draws} draws of each set with 200 points, ${larger} with 400, seeds from ${first}; another run gives the same but for its seconds, which are the mean of the draws with the number to be found, certificate included.`,
    clock: "processor",
    findings: [
      `200 points: number found ${share(sum(small, "right"), all)}, number given ${share(sum(small, "rightGiven"), all)}, single linkage ${share(sum(small, "rightLinked"), all)}, automatic layers ${share(sum(small, "rightLayers"), allLayers)}.`,
      `400 points: number found ${share(sum(large, "right"), allLarge)}, number given ${share(sum(large, "rightGiven"), allLarge)}, single linkage ${share(sum(large, "rightLinked"), allLarge)}.`,
      `The certificate is open in ${open} runs, of which ${openWrong} are wrong; it is not open in ${wrong - openWrong} of ${wrong} wrong ones: **it proves the cut, not the truth**.`,
      "Blobs that touch are no curves: `clusterPoints` is for them.",
    ],
    tables: [
      {
        columns: [
          "set",
          "curves",
          ...["found", "given", "single linkage", "layers"].map((word) => `200: ${word}`),
          ...["found", "given", "single linkage"].map((word) => `400: ${word}`),
          "seconds",
        ],
        rows,
      },
    ],
  },
  isQuick,
);
