/** Contestants' maps of several sets: made in turn, and judged by one quality function. */
import { measureMap } from "../../contestants/measured.ts";
import { median } from "../../machine.ts";
import { note } from "../../processor.ts";
import { type EmbeddingQuality, embeddingQuality } from "../../quality/embedding.ts";
import type { PointSet } from "./sets.ts";

interface Measurement extends EmbeddingQuality {
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

/** One set, and how its contestants did; ours is the first. */
export interface Contest {
  readonly set: PointSet;
  readonly summary: readonly Summary[];
}

/** @param repeats - seeds of each contestant */
export function contestsOf(
  sets: readonly PointSet[],
  contestantsFor: (set: PointSet) => readonly string[],
  repeats: number,
): Contest[] {
  return sets.map((set) => ({ set, summary: measureAll(set, contestantsFor(set), repeats) }));
}

/** Every contestant with every seed, in turn. */
function measureAll(set: PointSet, contestants: readonly string[], repeats: number): Summary[] {
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
