/**
 * How many manifolds there are: `layers: "auto"` on sets whose manifolds are known, over several draws of each; and on some of them
 * with their points at random places, for which `separateCurves` is (see `layers-random.ts`).
 *
 * Usage: node automatic-layers.ts [--quick] [--draws 5]
 */
import { doubleSwissRoll, type Groups, gaussianBlobs, moons, ring, twoRings } from "@curvature/datasets";
import { nomad } from "@curvature/optim-sdp";
import { experimentArguments, string, wholeNumber } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { verdict } from "../../words.ts";

const values = experimentArguments({
  draws: string("5"),
});
const { isQuick } = values;
const draws = isQuick ? 1 : wholeNumber("draws", values.draws);

const oneRing = (noise: number, seed: number, spacing: "even" | "random" = "even"): Groups => {
  const { points } = ring({ noise, seed, spacing });
  return { points, labels: new Uint32Array(points.rows) };
};

interface Case {
  readonly name: string;
  readonly draw: (seed: number) => Groups;
}

/** Sets of 200 points. */
const cases: readonly Case[] = [
  ...[0, 0.03, 0.05, 0.08].map((noise) => ({
    name: `two rings, radii 1 and 1/2, noise ${noise}`,
    draw: (seed: number) => twoRings({ noise, seed }),
  })),
  ...[0.05, 0.08, 0.1].map((noise) => ({
    name: `moons, noise ${noise}`,
    draw: (seed: number) => moons({ noise, seed }),
  })),
  ...[0, 0.3].map((noise) => ({
    name: `double Swiss roll, noise ${noise}`,
    draw: (seed: number) => doubleSwissRoll({ noise, seed }),
  })),
  {
    name: "four Gaussian clusters",
    draw: (seed) => gaussianBlobs({ groups: 4, pointsPerGroup: 50, seed }),
  },
  { name: "one ring, noise 0.05", draw: (seed) => oneRing(0.05, seed) },
];

const spacing = "random";
const casesAtRandom: readonly Case[] = [
  { name: "two rings, radii 1 and 1/2, noise 0", draw: (seed) => twoRings({ noise: 0, seed, spacing }) },
  {
    name: "two rings, radii 1 and 1/2, noise 0.05",
    draw: (seed) => twoRings({ noise: 0.05, seed, spacing }),
  },
  { name: "moons, noise 0.05", draw: (seed) => moons({ noise: 0.05, seed, spacing }) },
  { name: "double Swiss roll, noise 0", draw: (seed) => doubleSwissRoll({ seed, spacing }) },
  { name: "one ring, noise 0.05", draw: (seed) => oneRing(0.05, seed, spacing) },
];

/** Whether two labellings are the same up to the labels' names. */
function isSamePartition(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const [there, back] = [new Map<number, number>(), new Map<number, number>()];
  for (let i = 0; i < a.length; i++) {
    if ((there.get(a[i]) ?? b[i]) !== b[i] || (back.get(b[i]) ?? a[i]) !== a[i]) return false;
    there.set(a[i], b[i]);
    back.set(b[i], a[i]);
  }
  return true;
}

interface Measured {
  readonly rows: Cell[][];
  rightInAll: number;
  drawsInAll: number;
  readonly wrongSets: string[];
}

async function measured(sets: readonly Case[]): Promise<Measured> {
  const all: Measured = { rows: [], rightInAll: 0, drawsInAll: 0, wrongSets: [] };
  for (const set of isQuick ? sets.slice(0, 3) : sets) await measure(set, all);
  return all;
}

async function measure({ name, draw }: Case, all: Measured): Promise<void> {
  const before = cpuSeconds();
  const found: number[] = [];
  let [right, unsettled] = [0, 0];
  for (let seed = 0; seed < draws; seed++) {
    const { points, labels } = draw(seed);
    const { components, layers } = await nomad(points, { layers: "auto" });
    found.push(components.count);
    if (isSamePartition(components.labels, labels)) right++;
    if (layers.length < 2) unsettled++;
  }
  const seconds = (cpuSeconds() - before) / draws;
  note(`${name}: ${right} of ${draws}, ${found.join(" ")}`);
  const manifolds = new Set(draw(0).labels).size;
  all.rows.push([name, manifolds, `${right} of ${draws}`, found.join(", "), unsettled, seconds.toFixed(1)]);
  all.rightInAll += right;
  all.drawsInAll += draws;
  if (right < draws) all.wrongSets.push(`${name} (${draws - right} wrong)`);
}

const { rows, rightInAll, drawsInAll, wrongSets } = await measured(cases);
const atRandom = await measured(casesAtRandom);

const columns = ["set", "manifolds", "draws that are right", "components found", "not settled", "seconds"];
writeReport(
  {
    paper: "sdp",
    name: "automatic-layers",
    title: "Automatic layers",
    claim: '`layers: "auto"` finds how many manifolds there are, without being told K.',
    data: "Sets of 200 points whose manifolds are known.",
    method:
      "Right: the components are the manifolds, point by point. Not settled: one layer of K = 0.09 n, and a warning.",
    repeats: `${draws === 1 ? "One draw of each set (seed 0)" : `${draws} draws of each set (seeds 0 to ${draws - 1})`}, \`auto\` with seed 0, all in one process: another run gives the same but for its seconds, which are the mean of the draws.`,
    clock: "processor",
    findings: [
      `${verdict({ "every draw": rightInAll === drawsInAll })} Right on ${rightInAll} of ${drawsInAll} draws${wrongSets.length === 0 ? "" : `; **not always** on ${wrongSets.join(", ")}`}.`,
      `With points at random places, not evenly spaced: right on ${atRandom.rightInAll} of ${atRandom.drawsInAll} draws. \`separateCurves\` is for these ([layers-random](layers-random.md)).`,
    ],
    tables: [
      { columns, rows },
      { title: "Points at random places", columns, rows: atRandom.rows },
    ],
  },
  isQuick,
);
