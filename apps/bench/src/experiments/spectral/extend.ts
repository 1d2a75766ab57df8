/**
 * Maps that grow: how far old points move, and how much divergence it costs to hold them.
 *
 * Usage: node extend.ts [--quick] [--mnist folder] [--tables folder] [--images 6000] [--letters 10000] [--batches 5]
 *   [--movements free,0.3,0.1,0.03,0.01]
 *
 * A map of half the rows grows by batches of a tenth of all. MNIST and letter are measured if their folders are given; the digits and a
 * tree of clusters, by which `extendMap` has its defaults, always.
 */
import { type DenseMatrix, RandomGenerator, selectRows, shuffle } from "@curvature/linalg";
import { embed, extendMap } from "@curvature/optim-spectral";
import { procrustes } from "@curvature/optim-svrg";
import { chartSvg } from "../../chart.ts";
import { experimentArguments, positiveNumber, string, whole } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { verdict } from "../../words.ts";
import { clusterTree, digits, mnist, type PointSet, table } from "./sets.ts";

const values = experimentArguments({
  mnist: string(""),
  tables: string(""),
  images: whole(6000, 1000, 100),
  letters: whole(10_000, 1000, 100),
  batches: whole(5, 2),
  movements: string("free,0.3,0.1,0.03,0.01", "free,0.1"),
});
const { isQuick, batches } = values;
type Allowed = "free" | number;
const levels = values.movements
  .split(",")
  .map((word): Allowed => (word === "free" ? word : positiveNumber("movements", word)));

/** Rows first … last − 1. */
const rowsOf = (points: DenseMatrix, first: number, last: number): DenseMatrix =>
  selectRows(
    points,
    Int32Array.from({ length: last - first }, (_, i) => first + i),
  );

/** Mean distance of the first rows of two maps after the best similarity transform, the radius of `before` as unit. */
function meanMovement(before: DenseMatrix, after: DenseMatrix): number {
  const { rows, columns } = before;
  const { aligned } = procrustes(before, rowsOf(after, 0, rows));
  const means = Array.from({ length: columns }, (_, c) => {
    let sum = 0;
    for (let k = c; k < before.data.length; k += columns) sum += before.data[k] / rows;
    return sum;
  });
  let [square, moved] = [0, 0];
  for (let n = 0; n < rows; n++) {
    let own = 0;
    for (let k = n * columns; k < (n + 1) * columns; k++) {
      square += (before.data[k] - means[k % columns]) ** 2;
      own += (before.data[k] - aligned.data[k]) ** 2;
    }
    moved += Math.sqrt(own);
  }
  return moved / rows / Math.sqrt(square / rows);
}

interface Grown {
  readonly allowed: Allowed;
  /** Of each batch. */
  readonly moved: readonly number[];
  /** Of the first map's points, over all batches. */
  readonly overall: number;
  /** Beside a fresh map's. */
  readonly excess: number;
  /** For a batch. */
  readonly seconds: number;
}

async function measured({ name, points: given }: PointSet) {
  const order = Int32Array.from({ length: given.rows }, (_, i) => i);
  shuffle(new RandomGenerator(1), order);
  const points = selectRows(given, order);
  const N = points.rows;
  const first = await embed(rowsOf(points, 0, N >> 1));
  let before = cpuSeconds();
  const fresh = await embed(points);
  const seconds = cpuSeconds() - before;
  const divergence = fresh.klDivergence ?? Number.NaN;
  const runs: Grown[] = [];
  for (const movement of levels) {
    before = cpuSeconds();
    const moved: number[] = [];
    let map: Awaited<ReturnType<typeof embed>> = first;
    for (let b = 0; b < batches; b++) {
      const at = (k: number): number => (N >> 1) + Math.round((k * (N - (N >> 1))) / batches);
      const grown = await extendMap(map, rowsOf(points, at(b), at(b + 1)), { movement });
      moved.push(meanMovement(map.embedding, grown.embedding));
      map = grown;
    }
    runs.push({
      allowed: movement,
      moved,
      overall: meanMovement(first.embedding, map.embedding),
      excess: (map.klDivergence ?? Number.NaN) / divergence - 1,
      seconds: (cpuSeconds() - before) / batches,
    });
    note(`${name}: ${JSON.stringify(runs.at(-1))}`);
  }
  const apart = meanMovement(first.embedding, fresh.embedding);
  return { name, rows: N, divergence, apart, seconds, runs };
}

const sets: PointSet[] = [await digits(isQuick ? 600 : 1797), clusterTree(isQuick ? 600 : 3000)];
if (values.mnist !== "") sets.push(await mnist(values.mnist, values.images));
if (values.tables !== "") sets.push(await table(values.tables, "letter", values.letters));
const found: Awaited<ReturnType<typeof measured>>[] = [];
for (const set of sets) found.push(await measured(set));

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const mean = (all: readonly number[]): number => all.reduce((sum, x) => sum + x, 0) / all.length;
const usual = found.map(({ name, runs }) => ({ name, run: runs.find(({ allowed }) => allowed === 0.1) }));

writeReport(
  {
    paper: "spectral",
    name: "extend",
    title: "Maps that grow",
    claim:
      "Old points move by 10 % of the map's radius at most, on average, and the divergence stays within 3 % of a fresh map's.",
    data: `${found.map(({ name }) => name).join(", ")}, their rows in an order of chance. A map of the first half grows by ${batches} batches of as many rows each, until it has all.`,
    method:
      "extendMap with its defaults but for movement, from what it returned before. Movement: the mean distance of an old point from its place in the map before, after the similarity transform (procrustes of optim-svrg) that brings the new map closest; the unit is the radius of the map before, the root mean square of its points' distances from their mean. Divergence: klDivergence of the last map above that of embed on all rows.",
    repeats: "One run of each (seed 0); the order of the rows is drawn with seed 1.",
    clock: "processor",
    findings: [
      verdict(
        Object.fromEntries(
          usual.map(({ name, run }) => [
            name,
            run !== undefined && Math.max(...run.moved) <= 0.1 && run.excess <= 0.03,
          ]),
        ),
      ),
      `At the default, 0.1, old points move by ${percent(Math.min(...usual.map(({ run }) => mean(run?.moved ?? []))))} to ${percent(Math.max(...usual.map(({ run }) => mean(run?.moved ?? []))))} a batch, and over all batches by up to ${percent(Math.max(...usual.map(({ run }) => run?.overall ?? Number.NaN)))}; the divergence is ${percent(Math.min(...usual.map(({ run }) => run?.excess ?? Number.NaN)))} to ${percent(Math.max(...usual.map(({ run }) => run?.excess ?? Number.NaN)))} above a fresh map's.`,
      `In a fresh map the first half's points lie ${percent(Math.min(...found.map(({ apart }) => apart)))} to ${percent(Math.max(...found.map(({ apart }) => apart)))} of the radius from their places.`,
    ],
    tables: [
      {
        columns: [
          "data",
          "movement allowed",
          "mean movement of a batch",
          "of the batch that moved most",
          "of the first half, over all",
          "KL above a fresh map's",
          "seconds of a batch",
        ],
        rows: found.flatMap(({ name, divergence, apart, seconds, runs }): Cell[][] => [
          ...runs.map((run): Cell[] => [
            name,
            run.allowed,
            percent(mean(run.moved)),
            percent(Math.max(...run.moved)),
            percent(run.overall),
            percent(run.excess),
            run.seconds.toFixed(1),
          ]),
          [
            name,
            "a fresh map",
            null,
            null,
            percent(apart),
            `0 (${divergence.toFixed(4)})`,
            seconds.toFixed(1),
          ],
        ]),
      },
    ],
    figures: [
      {
        name: "extend",
        caption:
          "Divergence above a fresh map's against the movement of old points, a mark for each movement allowed.",
        svg: chartSvg("Maps that grow", [
          {
            title: `After ${batches} batches`,
            xTitle: "mean movement of a batch, % of the radius",
            yTitle: "KL above a fresh map's, %",
            series: found.map(({ name, runs }) => ({
              name,
              points: runs
                .map((run) => [100 * mean(run.moved), 100 * run.excess] as const)
                .toSorted(([a], [b]) => a - b),
            })),
          },
        ]),
      },
    ],
  },
  isQuick,
);
