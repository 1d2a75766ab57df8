/**
 * Whether the regional trust of points finds those that lie among strangers on manifolds that are known, and whether shuffled copies of data
 * are known from the data.
 *
 * Usage: node trust.ts [--quick] [--tables folder] [--points 600] [--draws 5] [--restarts 20] [--noise 0.02,0.05] [--copies 100] [--rows 300]
 *
 * Letter and pendigits are among the data that are shuffled if their folder is given.
 */
import { loadDigits } from "@curvature/datasets/digits";
import {
  type DenseMatrix,
  RandomGenerator,
  sampleWithoutReplacement,
  selectRows,
  shuffle,
} from "@curvature/linalg";
import { nearestNeighbors } from "@curvature/objectives/embedding";
import { embed, mapAgreement, mapTrust, shuffledColumns } from "@curvature/optim-spectral";
import {
  areaUnderCurve,
  falsePlaces,
  type ManifoldName,
  manifold,
  manifoldNames,
} from "../../data/manifolds.ts";
import { experimentArguments, positiveNumber, string, whole } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, median, spreadOf, spreadText } from "../../spread.ts";
import { verdict } from "../../words.ts";
import { table } from "./sets.ts";

const values = experimentArguments({
  tables: string(""),
  points: whole(600, 300, 100),
  draws: whole(5, 1),
  restarts: whole(20, 2),
  noise: string("0.02,0.05", "0.05"),
  copies: whole(100, 10),
  rows: whole(300, 100, 50),
});
const { isQuick, points: N, draws, restarts, copies, rows } = values;
const levels = values.noise.split(",").map((word) => positiveNumber("noise", word));
const most = Math.max(...levels);

const measures = ["regional", "trust", "kept", "kept, regional", "agreement", "distortion"] as const;
type Areas = Readonly<Record<(typeof measures)[number], number>>;
interface Draw {
  readonly areas: Areas;
  /** Share of points among strangers. */
  readonly share: number;
  /** For the other maps. */
  readonly seconds: number;
}

async function draw(name: ManifoldName, noise: number, seed: number): Promise<Draw> {
  const drawn = manifold(name, N, noise, seed);
  const { embedding } = await embed(drawn.points);
  const before = cpuSeconds();
  const others: DenseMatrix[] = [];
  for (let r = 1; r <= restarts; r++)
    others.push((await embed(drawn.points, { initialization: "random", seed: r })).embedding);
  const seconds = cpuSeconds() - before;
  const isFalse = falsePlaces(drawn, embedding);
  const { kept, trust, regional, distortion, k } = mapTrust(drawn.points, embedding);
  const area = (scores: Float64Array): number => areaUnderCurve(scores, isFalse) ?? 0;
  const { indices } = nearestNeighbors(embedding, k);
  /** As `regional` is made of `trust`. */
  const keptAround = kept.map((own, i) => {
    const near = indices.subarray(i * k, (i + 1) * k);
    return (own + near.reduce((sum, j) => sum + kept[j], 0) / k) / 2;
  });
  const areas = {
    regional: area(regional),
    trust: area(trust),
    kept: area(kept),
    "kept, regional": area(keptAround),
    agreement: area(mapAgreement(embedding, others)),
    distortion: area(distortion.map((value) => -value)),
  };
  return { areas, share: isFalse.filter(Boolean).length / N, seconds };
}

const found: { readonly name: ManifoldName; readonly noise: number; readonly runs: Draw[] }[] = [];
for (const noise of levels)
  for (const name of manifoldNames) {
    const runs: Draw[] = [];
    for (let seed = 0; seed < draws; seed++) {
      runs.push(await draw(name, noise, 9000 + seed));
      note(`${name}, noise ${noise}, ${seed}: ${JSON.stringify(runs.at(-1))}`);
    }
    found.push({ name, noise, runs });
  }

/** Rows of a set, drawn anew. */
type Rows = (seed: number) => DenseMatrix;
const someOf =
  (all: DenseMatrix): Rows =>
  (seed) =>
    selectRows(all, sampleWithoutReplacement(new RandomGenerator(seed), rows, all.rows));

function columnsShuffled({ rows, columns, data }: DenseMatrix, seed: number): DenseMatrix {
  const random = new RandomGenerator(seed);
  const out = data.slice();
  for (let c = 0; c < columns; c++) {
    const column = Float64Array.from({ length: rows }, (_, i) => data[i * columns + c]);
    shuffle(random, column);
    for (let i = 0; i < rows; i++) out[i * columns + c] = column[i];
  }
  return { rows, columns, data: out };
}

const sets = new Map<string, Rows>([
  ...manifoldNames.map((name): [string, Rows] => [name, (seed) => manifold(name, rows, most, seed).points]),
  ["digits", someOf((await loadDigits()).points)],
]);
if (values.tables !== "")
  for (const name of ["letter", "pendigits"])
    sets.set(name, someOf((await table(values.tables, name, Infinity)).points));

const flags = [...sets].map(([name, rowsOf]) => {
  let [ofData, ofCopies] = [0, 0];
  for (let seed = 0; seed < copies; seed++) {
    const points = rowsOf(20_000 + seed);
    const copy = columnsShuffled(points, 30_000 + seed);
    ofData += Number(shuffledColumns(points, { seed }).isBeyond === false);
    ofCopies += Number(shuffledColumns(copy, { seed }).isBeyond === false);
  }
  note(`${name}: ${ofData} of the data, ${ofCopies} of copies`);
  return { name, ofData, ofCopies };
});

const all = found.flatMap(({ runs }) => runs);
const pooled = (flagged: (one: (typeof flags)[number]) => number): number =>
  flags.reduce((sum, one) => sum + flagged(one), 0) / flags.length / copies;
const [ofData, ofCopies] = [pooled((one) => one.ofData), pooled((one) => one.ofCopies)];
const rivals = ["trust", "kept", "kept, regional"] as const;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

writeReport(
  {
    paper: "spectral",
    name: "trust",
    title: "Where a map can be believed",
    claim:
      "The regional trust of points finds those that lie among strangers with an area under the curve of 0.9 or more, better than the share of neighbours kept; copies with shuffled columns are known in 95 of 100 draws, and data taken for copies in 5 at most.",
    data: `${N} points of each of three manifolds that no plane holds, with normal noise of deviation ${levels.join(" and ")} in each of ten dimensions: turns of space (rotations), a circle of discs (ring), seven pages that share an edge (book). For the shuffled copies ${rows} points of these with noise of ${most}, and ${rows} rows drawn from ${[...sets.keys()].slice(manifoldNames.length).join(", ")}.`,
    method: `embed with its defaults. A point lies among strangers if at least two of its ten nearest in the map are not among its fifty nearest on the manifold, without noise. The area under the curve is the probability that such a point has a lower score than one of the others: regional, trust, kept and −distortion of mapTrust with ten neighbours, kept averaged as regional is (half the point, half its ten nearest in the map), agreement with ${restarts} maps from random starts. Copies: shuffledColumns with its defaults (39 copies), flagged where the data are not beyond them.`,
    repeats: `Medians of ${draws} draws (seeds 9000 to ${8999 + draws}), in brackets the least and the most; ${copies} draws for the copies.`,
    clock: "processor",
    findings: [
      verdict({
        ...Object.fromEntries(
          found.map(({ name, noise, runs }) => [
            `an area of 0.9 on ${name} with noise of ${noise}`,
            median(runs.map(({ areas }) => areas.regional)) >= 0.9,
          ]),
        ),
        "more than neighbours kept in every draw": all.every(({ areas }) => areas.regional > areas.kept),
        "shuffled copies": ofCopies >= 0.95,
        "data as they are": ofData <= 0.05,
      }),
      `Least area in any draw: ${measures.map((one) => `${one} ${Math.min(...all.map(({ areas }) => areas[one])).toFixed(3)}`).join("; ")}.`,
      `Regional trust has the larger area than ${rivals.map((rival) => `${rival} in ${all.filter(({ areas }) => areas.regional > areas[rival]).length}`).join(", ")} of ${all.length} draws.`,
      `Over all sets, ${percent(ofCopies)} of the copies are flagged and ${percent(ofData)} of the data; fewest copies of one set: ${Math.min(...flags.map((one) => one.ofCopies))} of ${copies} (97.5 % are expected).`,
    ],
    tables: [
      {
        title: "Points among strangers",
        columns: ["manifold", "noise", "share of points", ...measures, `seconds of ${restarts} maps`],
        rows: found.map(({ name, noise, runs }): Cell[] => [
          name,
          noise,
          spreadText(spreadOf(runs.map(({ share }) => share)), percent),
          ...measures.map((one) => spreadText(spreadOf(runs.map(({ areas }) => areas[one])), decimals(3))),
          spreadText(spreadOf(runs.map(({ seconds }) => seconds)), decimals(1)),
        ]),
      },
      {
        title: "Taken for shuffled",
        columns: ["data", `of ${copies} copies`, `of ${copies} draws of the data`],
        rows: flags.map(({ name, ofCopies, ofData }): Cell[] => [name, ofCopies, ofData]),
      },
    ],
  },
  isQuick,
);
