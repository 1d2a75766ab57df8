/**
 * Which perplexity serves a map of a graph of k neighbours that is given: shares of k, of which a third is the usual one where neighbours
 * are searched, since there three times the perplexity are taken. Here k is all there is.
 *
 * Usage: node graph-perplexity.ts [--quick] [--tables folder] [--points 1000] [--seeds 3] [--neighbors 15,30,60] [--large 10000]
 *
 * Of `--large` rows one draw is mapped from the fewest neighbours, besides; 0 leaves it out.
 */
import { nearestNeighbors } from "@curvature/objectives/embedding";
import { embed, mapQuality } from "@curvature/optim-spectral";
import { experimentArguments, string, whole, wholeNumber } from "../../experiment-arguments.ts";
import { cpuSeconds, mean, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { verdict } from "../../words.ts";
import { type LabelledSet, labelledSets, rowsOf } from "./labelled-sets.ts";

const values = experimentArguments({
  tables: string(),
  points: whole(1000, 450, 450),
  seeds: whole(3, 1),
  neighbors: string("15,30,60", "15"),
  large: whole(10_000, 0, 0),
});
const { isQuick, points: N, seeds, large } = values;
const counts = values.neighbors.split(",").map((word) => wholeNumber("neighbors", word, 5));
/** Of k, the perplexity. */
const shares = [1 / 3, 0.5, 0.65, 0.8, 0.9] as const;
const shareNames = ["a third", "0.5", "0.65", "0.8", "0.9"] as const;

const measures = ["trust", "kept of 5", "kept of 10", "kept of 200", "seconds"] as const;
type Figures = Readonly<Record<(typeof measures)[number], number>>;
const judged = measures.slice(0, 4);
const COMPARED = 2000;

const wanted = ["digits", "tree", "letter", "pendigits"];
const sets: LabelledSet[] = [];
const tables = isQuick ? undefined : values.tables;
for (const [name, read] of labelledSets({ mnist: undefined, tables }))
  if (wanted.includes(name)) sets.push({ ...(await read()), name });

/** Of the maps from one graph, by share. */
async function figuresOf({ points }: LabelledSet, k: number): Promise<Figures[]> {
  const { indices, distances } = nearestNeighbors(points, k);
  const lists = <T extends Int32Array | Float64Array>(all: T): number[][] =>
    Array.from({ length: points.rows }, (_, n) => [...all.subarray(k * n, k * (n + 1))]);
  const neighbors = { indices: lists(indices), distances: lists(distances.map(Math.sqrt)) };
  const found: Figures[] = [];
  for (const share of shares) {
    const begun = cpuSeconds();
    const { embedding } = await embed({ neighbors }, { perplexity: share * k });
    const seconds = cpuSeconds() - begun;
    const quality = (count: number) => mapQuality(points, embedding, { neighbors: count, maxRows: COMPARED });
    const near = quality(10);
    found.push({
      trust: near.trustworthiness ?? 0,
      "kept of 5": quality(5).knnPreservation ?? 0,
      "kept of 10": near.knnPreservation ?? 0,
      "kept of 200": quality(200).knnPreservation ?? 0,
      seconds,
    });
  }
  return found;
}

interface Condition {
  readonly set: string;
  readonly points: number;
  readonly k: number;
  /** By draw and share. */
  readonly runs: readonly (readonly Figures[])[];
}

async function condition(set: LabelledSet, rows: number, k: number, draws: number): Promise<Condition> {
  const runs: Figures[][] = [];
  for (let seed = 0; seed < draws; seed++) runs.push(await figuresOf(rowsOf(set, rows, seed), k));
  note(
    `${set.name} ${rows}, ${k} neighbours: trust ${runs[0].map(({ trust }) => trust.toFixed(4)).join(" ")}`,
  );
  return { set: set.name, points: rows, k, runs };
}

const conditions: Condition[] = [];
for (const k of counts) for (const set of sets) conditions.push(await condition(set, N, k, seeds));
const larger: Condition[] = [];
if (large > 0)
  for (const set of sets.filter(({ points }) => points.rows >= large))
    larger.push(await condition(set, large, Math.min(...counts), 1));

const meanOf = ({ runs }: Condition, share: number, measure: keyof Figures): number =>
  mean(runs.map((run) => run[share][measure]));
const usual = 0;
/** Where it is more than at a third, by the mean over the draws. */
const ahead = (share: number, measure: keyof Figures): number =>
  conditions.filter((one) => meanOf(one, share, measure) > meanOf(one, usual, measure)).length;
const high = shares.indexOf(0.8);

const rowsIn = (list: readonly Condition[]): Cell[][] =>
  list.flatMap((one) =>
    shareNames.map((name, share): Cell[] => [
      one.set,
      one.points,
      one.k,
      name,
      ...measures.map((measure) => meanOf(one, share, measure).toFixed(measure === "seconds" ? 2 : 4)),
    ]),
  );

writeReport(
  {
    paper: "spectral",
    name: "graph-perplexity",
    title: "The perplexity of a graph that is given",
    claim:
      "From a graph of k neighbours, a perplexity of 0.8 k gives more trustworthy maps that keep more of 5, 10 and 200 neighbours than one of k/3, which is the usual one.",
    data: `${sets.map(({ name, description }) => `${name} (${description})`).join("; ")}; ${N} rows drawn of each${larger.length === 0 ? "" : `, and ${large} of those that have so many`}.`,
    method: `embed({ neighbors }, { perplexity }), all else by default, from the exact ${counts.join(", ")} nearest neighbours of each point (itself not counted). Trust: trustworthiness at 10 neighbours; kept: of the 5, 10, 200 nearest in the data; of ${COMPARED} points where there are more. The claim is judged at ${N} rows, and holds for a measure where it does on all sets and graphs.`,
    repeats: `Means of ${seeds === 1 ? "one draw (seed 0)" : `${seeds} draws (seeds 0 to ${seeds - 1})`}, the same for all perplexities${larger.length === 0 ? "" : `; one draw of ${large}`}.`,
    clock: "processor",
    findings: [
      verdict(
        Object.fromEntries(judged.map((measure) => [measure, ahead(high, measure) === conditions.length])),
      ),
      ...shareNames
        .slice(1)
        .map(
          (name, k) =>
            `At ${name} k more than at a third, of ${conditions.length} sets and graphs: ${judged
              .map((measure) => `${measure} ${ahead(k + 1, measure)}`)
              .join(", ")}.`,
        ),
    ],
    tables: [
      {
        columns: ["data", "points", "neighbours", "perplexity / k", ...measures],
        rows: rowsIn(conditions),
      },
      ...(larger.length === 0
        ? []
        : [
            {
              title: `${large} points`,
              columns: ["data", "points", "neighbours", "perplexity / k", ...measures],
              rows: rowsIn(larger),
            },
          ]),
    ],
  },
  isQuick,
);
