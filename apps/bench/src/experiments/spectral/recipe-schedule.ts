/** The recipe's schedule with one of its numbers changed: the size penalty, the first λ, the stop by tolerance. */

import { mean, note } from "../../processor.ts";
import { embeddingQuality } from "../../quality/embedding.ts";
import { median } from "../../spread.ts";
import { divergence, four, kept, model, type Part, type Setting, signed } from "./recipe-part.ts";
import { runRecipe, startOf } from "./recipe-run.ts";

/** What a change of the recipe does to divergence and neighbours: mean difference and extremes. */
interface Difference {
  readonly KL: number;
  readonly neighbors: number;
}
const summary = (differences: readonly Difference[]): string => {
  const of = (key: keyof Difference): string => {
    const all = differences.map((each) => each[key]);
    return `${signed(mean(all))} (${signed(Math.min(...all))} to ${signed(Math.max(...all))})`;
  };
  return `divergence ${of("KL")}, neighbours kept ${of("neighbors")}`;
};
const isBetter = (differences: readonly Difference[]): boolean =>
  differences.every(({ KL, neighbors }) => KL < 0 && neighbors > 0);

/** r once λ is at its target; the first is the recipe's. */
export function sizePenalty({ sets, seed, isQuick }: Setting): Part {
  const perplexities = isQuick ? [10, 30] : [5, 30, 100];
  const penalties = [4e-6, 2e-5, 1e-6, 0];
  const changes = new Map<number, Difference[]>(penalties.map((r) => [r, []]));
  const rows = sets.flatMap((set) => {
    const quality = embeddingQuality(set.points);
    return perplexities.flatMap((perplexity) => {
      const objective = model(set, perplexity);
      const start = startOf(set.points, 2, seed);
      let own: Difference | undefined;
      return penalties.map((r) => {
        const run = runRecipe(objective, start, { sizePenalty: r });
        const KL = divergence(objective, run);
        const judged = quality(run.map);
        const neighbors = judged.knnPreservation;
        own ??= { KL, neighbors };
        changes.get(r)?.push({ KL: KL - own.KL, neighbors: neighbors - own.neighbors });
        note(`${set.name}, perplexity ${perplexity}, r = ${r}: ${four(KL)}`);
        return [
          set.name,
          perplexity,
          r,
          four(KL),
          perplexity === 30 ? four(judged.klDivergenceBestSize) : null,
          four(neighbors),
          four(judged.trustworthiness),
          run.radius.toFixed(0),
          run.farthest.toFixed(0),
        ];
      });
    });
  });
  return {
    better: penalties
      .slice(1)
      .filter((r) => isBetter(changes.get(r) ?? []))
      .map((r) => `last size penalty ${r}`),
    findings: penalties
      .slice(1)
      .map((r) => `Last size penalty ${r} in place of 4e-6: ${summary(changes.get(r) ?? [])}.`),
    tables: [
      {
        title: "The size penalty, by perplexity",
        note: "r of r/(2N) ‖X‖² once λ is at its target (1e-4 before). KL on the affinities of the row's perplexity; for perplexity 30 also at the map's best size.",
        columns: [
          "data",
          "perplexity",
          "r",
          "KL",
          "KL, best size",
          "neighbours kept",
          "trust",
          "rms radius",
          "farthest",
        ],
        rows,
      },
    ],
  };
}

/** φ; the first is the recipe's. */
export function firstLambda({ sets, seed }: Setting): Part {
  const firsts = [1 / 12, 1, 1 / 4, 1 / 6, 1 / 20];
  const changes = new Map<number, Difference[]>(firsts.map((first) => [first, []]));
  const rows = sets.flatMap((set) => {
    const objective = model(set);
    const start = startOf(set.points, 2, seed);
    let own: Difference | undefined;
    return firsts.map((first) => {
      const run = runRecipe(objective, start, { firstLambda: first });
      const [KL, neighbors] = [divergence(objective, run), kept(set, run)];
      own ??= { KL, neighbors };
      changes.get(first)?.push({ KL: KL - own.KL, neighbors: neighbors - own.neighbors });
      note(`${set.name}, first lambda 1/${Math.round(1 / first)}: ${four(KL)}`);
      return [set.name, `1/${Math.round(1 / first)}`, four(KL), four(neighbors)];
    });
  });
  return {
    better: firsts
      .slice(1)
      .filter((first) => isBetter(changes.get(first) ?? []))
      .map((first) => `first λ 1/${Math.round(1 / first)}`),
    findings: firsts
      .slice(1)
      .map(
        (first) =>
          `First λ 1/${Math.round(1 / first)} in place of 1/12: ${summary(changes.get(first) ?? [])}.`,
      ),
    tables: [{ title: "The first λ", columns: ["data", "first λ", "KL", "neighbours kept"], rows }],
  };
}

/** Where a tolerance would have ended the schedule, and what was still to come. */
export function tolerance({ sets, seed }: Setting): Part {
  const tolerances = [1e-3, 3e-4, 1e-4, 1e-5];
  const stops: number[] = [];
  const rows = sets.flatMap((set) => {
    const objective = model(set);
    return [100, 200].map((T) => {
      const { moments, E } = runRecipe(objective, startOf(set.points, 2, seed), { maxEvaluations: T });
      note(`${set.name}, ${T} evaluations: ${four(E + objective.entropyConstant)}`);
      return [
        set.name,
        T,
        ...tolerances.map((t) => {
          const stop = moments.find((m) => m.share === 1 && m.changeOfE <= t && m.changeOfX <= t);
          if (stop === undefined) return null;
          stops.push(T - stop.evaluations);
          return `${stop.evaluations}: ${signed(stop.E - E)}`;
        }),
      ];
    });
  });
  const saved = stops.length === 0 ? 0 : median(stops);
  return {
    findings: [
      `A tolerance would have ended ${stops.length} of ${2 * sets.length * tolerances.length} schedules before their end, by ${saved} evaluations in the median.`,
    ],
    tables: [
      {
        title: "Stopping by tolerance",
        note: "The evaluation at which E and X would have changed by no more than t, with λ at its target, and how much higher KL was there than at the schedule's end; - where that never happens.",
        columns: ["data", "evaluations", ...tolerances.map((t) => `t = ${t}`)],
        rows,
      },
    ],
  };
}
