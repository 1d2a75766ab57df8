/** The table that every experiment with contestants' maps prints. */
import { measureMap } from "../../contestants/measured.ts";
import { median } from "../../machine.ts";
import { note } from "../../processor.ts";
import { type EmbeddingQuality, embeddingQuality } from "../../quality/embedding.ts";
import type { Cell } from "../../report.ts";
import type { PointSet } from "./sets.ts";

export interface Measurement extends EmbeddingQuality {
  readonly contestant: string;
  readonly name: string;
  readonly description: string;
  readonly kind: "t-SNE" | "other";
  readonly seconds: number;
  readonly megabytes?: number;
}

/** Medians over the seeds. */
export interface Summary extends Measurement {
  readonly range: readonly [number, number];
}

/** Every contestant with every seed, in turn. */
export function measureAll(set: PointSet, contestants: readonly string[], repeats: number): Summary[] {
  const quality = embeddingQuality(set.points);
  const measurements: Measurement[] = [];
  for (let seed = 0; seed < repeats; seed++)
    for (const contestant of contestants) {
      const { map, ...run } = measureMap(contestant, set.points, seed);
      const measured = { contestant, ...run, ...quality(map) };
      measurements.push(measured);
      note(
        `${set.name} ${contestant} seed ${seed}: ${run.seconds.toFixed(2)} s, KL ${measured.klDivergence.toFixed(4)}`,
      );
    }
  return contestants.map((contestant) => {
    const runs = measurements.filter((m) => m.contestant === contestant);
    const of = (key: keyof EmbeddingQuality | "seconds"): number => median(runs.map((run) => run[key]));
    const seconds = runs.map((run) => run.seconds);
    return {
      ...runs[0],
      seconds: of("seconds"),
      range: [Math.min(...seconds), Math.max(...seconds)],
      klDivergence: of("klDivergence"),
      klDivergenceBestSize: of("klDivergenceBestSize"),
      knnPreservation: of("knnPreservation"),
      trustworthiness: of("trustworthiness"),
    };
  });
}

export const columns = [
  "data",
  "contestant",
  "seconds (min-max)",
  "time / ours",
  "KL",
  "KL, best size",
  "neighbour preservation",
  "trustworthiness",
  "MB",
];

/**
 * How many times as fast as scikit-learn's t-SNE openTSNE was (its defaults, one thread, on one machine), by N. openTSNE
 * is in neither Debian nor npm, so that its time stands beside what is measured as an estimate.
 */
const openTsneSpeedup: Readonly<Record<number, number>> = { 2000: 1.6, 5000: 1.5, 20000: 3.9 };

/** Seconds that openTSNE would take, by scikit-learn's in the same run. Undefined where its share was not recorded. */
function openTsneSeconds(summary: readonly Summary[], N: number): number | undefined {
  const theirs = summary.find(({ contestant }) => contestant === "scikit-learn");
  const speedup = openTsneSpeedup[N];
  return theirs === undefined || speedup === undefined ? undefined : theirs.seconds / speedup;
}

/** Our seconds as a share of openTSNE's estimated ones, in words, where both are known. */
export function besideOpenTsne(set: string, summary: readonly Summary[], N: number): string[] {
  const theirs = openTsneSeconds(summary, N);
  return theirs === undefined ? [] : [`${(summary[0].seconds / theirs).toFixed(2)} on ${set}`];
}

/** Rows of the table; the first contestant is ours. */
export function rowsOf(set: string, summary: readonly Summary[], N: number): Cell[][] {
  const [ours] = summary;
  const estimate = openTsneSeconds(summary, N);
  const estimated: Cell[][] =
    estimate === undefined
      ? []
      : [
          [
            set,
            "openTSNE (estimated)",
            estimate.toFixed(2),
            (estimate / ours.seconds).toFixed(1),
            "",
            "",
            "",
            "",
            "",
          ],
        ];
  const measured = summary.map((s): Cell[] => [
    set,
    s.name,
    `${s.seconds.toFixed(2)} (${s.range.map((r) => r.toFixed(2)).join("-")})`,
    (s.seconds / ours.seconds).toFixed(1),
    s.klDivergence.toFixed(4),
    s.klDivergenceBestSize.toFixed(4),
    s.knnPreservation.toFixed(4),
    s.trustworthiness.toFixed(4),
    s.megabytes?.toFixed(0) ?? "",
  ]);
  return [...measured, ...estimated];
}

/** In which of KL, neighbour preservation, trustworthiness and time others are ahead of the first contestant, ours. */
export function aheadOf(set: string, [ours, ...others]: readonly Summary[]): string[] {
  return others.flatMap((one) => {
    const ahead = [
      ...(one.seconds < ours.seconds ? ["time"] : []),
      ...(one.kind === "t-SNE" && one.klDivergence < ours.klDivergence ? ["KL"] : []),
      ...(one.knnPreservation > ours.knnPreservation ? ["neighbour preservation"] : []),
      ...(one.trustworthiness > ours.trustworthiness ? ["trustworthiness"] : []),
    ];
    return ahead.length === 0 ? [] : [`${one.name} on ${set} (${ahead.join(", ")})`];
  });
}

/** What was measured, a line for each contestant. */
export function descriptions(summary: readonly Summary[]): string {
  const lines = new Map(summary.map((s) => [s.name, `${s.name}: ${s.description}`]));
  return [...lines.values()].join("; ");
}

export const runs = (repeats: number): string =>
  repeats === 1 ? "One run each (seed 0)" : `Medians of ${repeats} runs (seeds 0 to ${repeats - 1})`;

export const METHOD =
  "contestants in turn, each run in a fresh process on one thread, from data to map (loading the library is not " +
  "timed). KL divergence on common affinities (perplexity 30, 90 exact neighbours), as the map is and at its best " +
  "rescaling; neighbour preservation and trustworthiness at 10 neighbours (of 5,000 points where there are more).";
