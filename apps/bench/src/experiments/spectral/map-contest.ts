/** Contestants' maps of several sets: made in turn, and judged by one quality function. */
import { contestants } from "../../contestants/index.ts";
import { measureMap } from "../../contestants/measured.ts";
import { namesOf, refuse } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { type EmbeddingQuality, embeddingQuality } from "../../quality/embedding.ts";
import { type Spread, spreadOf } from "../../spread.ts";
import type { PointSet } from "./sets.ts";

interface Contestant {
  readonly contestant: string;
  readonly name: string;
  readonly description: string;
  readonly kind: "t-SNE" | "other";
  readonly hasNoSeed?: true;
  readonly megabytes?: number;
}

interface Measurement extends Contestant, EmbeddingQuality {
  readonly seconds: number;
}

/** Over the seeds. */
export interface Summary extends Contestant, Readonly<Record<keyof EmbeddingQuality | "seconds", Spread>> {}

/** One set, and how its contestants did; ours is the first. */
export interface Contest {
  readonly set: PointSet;
  readonly summary: readonly Summary[];
}

/** Who takes part by the words of `--contestants`: ours first, by which the others are judged. */
export function takingPart(words: string, programs: readonly string[] = []): string[] {
  const named = new Set(namesOf("contestants", words, [...Object.keys(contestants), ...programs]));
  if (!named.delete("curvature") || named.size === 0)
    refuse("--contestants must name curvature and at least one other");
  return ["curvature", ...named];
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
    const over = (key: keyof EmbeddingQuality | "seconds"): Spread => spreadOf(runs.map((run) => run[key]));
    return {
      ...runs[0],
      seconds: over("seconds"),
      klDivergence: over("klDivergence"),
      klDivergenceBestSize: over("klDivergenceBestSize"),
      knnPreservation: over("knnPreservation"),
      trustworthiness: over("trustworthiness"),
    };
  });
}
