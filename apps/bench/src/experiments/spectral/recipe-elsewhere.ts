/** The recipe where it was not chosen: from random starts, in space, on neighbour graphs in parts, for other models. */
import {
  type EmbeddingObjective,
  elasticEmbedding,
  nearestNeighbors,
  symmetricSne,
  type Weights,
} from "@curvature/objectives/embedding";
import { mean, note } from "../../processor.ts";
import { affinities, divergence, four, kept, model, type Part, type Setting } from "./recipe-part.ts";
import { runRecipe, startOf } from "./recipe-run.ts";
import { islands } from "./recipe-sets.ts";

/** As `embed` runs them, t-SNE's steps shortened point by point, and with whole steps, as from principal components. */
export function randomStarts({ sets, seed, isQuick }: Setting): Part {
  const seeds = isQuick ? [seed] : [seed, seed + 1, seed + 2];
  const spans = { rows: [] as number[], step: [] as number[] };
  const means = { pca: [] as number[], rows: [] as number[], step: [] as number[] };
  const rows = sets.flatMap((set) => {
    const objective = model(set);
    const fromPca = divergence(objective, runRecipe(objective, startOf(set.points, 2, seed)));
    means.pca.push(fromPca);
    return (["rows", "step"] as const).map((shortening) => {
      const runs = seeds.map((each) =>
        runRecipe(objective, startOf(set.points, 2, each, "random"), { shortening }),
      );
      const found = runs.map((run) => divergence(objective, run));
      means[shortening].push(mean(found));
      spans[shortening].push(...runs.map((run) => run.farthest / run.radius));
      note(`${set.name}, random starts, ${shortening}: ${found.map(four).join(" ")}`);
      return [
        set.name,
        shortening === "rows" ? "long rows" : "whole",
        four(fromPca),
        `${four(Math.min(...found))} to ${four(Math.max(...found))}`,
        four(mean(runs.map((run) => kept(set, run)))),
        mean(runs.map((run) => run.radius)).toFixed(0),
        Math.max(...runs.map((run) => run.farthest)).toFixed(0),
      ];
    });
  });
  const higherThan = (others: readonly number[]): string => {
    const count = means.rows.filter((KL, k) => KL > others[k]).length;
    return count === 0 ? "0" : `**${count}**`;
  };
  const most = (spansOf: readonly number[]): string => Math.max(...spansOf).toFixed(1);
  return {
    findings: [
      `From random starts the farthest point lies at most ${most(spans.rows)} times the root mean square radius from the origin, with whole steps ${most(spans.step)} times.`,
      `As \`embed\` runs them, random starts end at a higher mean divergence than principal components on ${higherThan(means.pca)} of ${sets.length} data sets, and at a higher one than random starts with whole steps on ${higherThan(means.step)}.`,
    ],
    tables: [
      {
        title: "Random starts",
        note: `Steps in which a point would move farther than the map is large are shortened: the rows of such points ("long rows"; so does \`embed\` for t-SNE from random starts), or the step as a whole (so does \`embed\` for other models and from principal components). Random starts: ${seeds.length === 1 ? `seed ${seed}` : `seeds ${seeds[0]} to ${seeds[seeds.length - 1]}`}.`,
        columns: [
          "data",
          "shortened",
          "KL from PCA",
          `KL, random starts: ${seeds.length}`,
          "neighbours kept",
          "rms radius",
          "farthest",
        ],
        rows,
      },
    ],
  };
}

export function space({ sets, seed }: Setting): Part {
  const rows = sets.map((set) => {
    const [plane, cube] = [2, 3].map((dimensions) => {
      const objective = model(set, 30, dimensions);
      const run = runRecipe(objective, startOf(set.points, dimensions, seed));
      return { run, KL: divergence(objective, run), neighbors: kept(set, run) };
    });
    note(`${set.name} in space: ${four(cube.KL)}`);
    return [
      set.name,
      four(plane.KL),
      four(cube.KL),
      four(plane.neighbors),
      four(cube.neighbors),
      cube.run.radius.toFixed(0),
      cube.run.farthest.toFixed(0),
    ];
  });
  return {
    findings: [],
    tables: [
      {
        title: "Space",
        columns: [
          "data",
          "KL, plane",
          "KL, space",
          "kept, plane",
          "kept, space",
          "rms radius, space",
          "farthest, space",
        ],
        rows,
      },
    ],
  };
}

export function graphsInParts({ N, seed, isQuick }: Setting): Part {
  const NEIGHBORS = 5;
  const cases: readonly (readonly [count: number, perplexity: number])[] = isQuick
    ? [[2, 10]]
    : [
        [2, 30],
        [10, 30],
        [20, 30],
        [100, 5],
      ];
  const rows = cases.map(([count, perplexity]) => {
    const set = islands(N, count, seed);
    const objective = model(set, perplexity);
    const run = runRecipe(objective, startOf(set.points, 2, seed));
    const { indices } = nearestNeighbors(run.map, NEIGHBORS);
    const own = indices.reduce(
      (sum, m, k) => sum + Number(m % count === Math.floor(k / NEIGHBORS) % count),
      0,
    );
    note(`${set.name}: ${four(divergence(objective, run))}`);
    return [
      set.name,
      perplexity,
      four(divergence(objective, run)),
      `${((100 * own) / indices.length).toFixed(1)} %`,
      four(kept(set, run)),
      run.radius.toFixed(0),
      run.farthest.toFixed(0),
    ];
  });
  return {
    findings: [],
    tables: [
      {
        title: "Neighbour graphs in parts",
        note: "Clusters thousands apart, so that only repulsion acts between them.",
        columns: [
          "data",
          "perplexity",
          "KL",
          "of 5 neighbours in the map, of the same part",
          "neighbours kept",
          "rms radius",
          "farthest",
        ],
        rows,
      },
    ],
  };
}

/** E at the end, by the first λ; the first column is the recipe's. */
export function otherModels({ sets, seed }: Setting): Part {
  const models = [
    { name: "EE, λ = 100", first: 0.01, others: [1, 0.1, 0.001], make: ee },
    { name: "s-SNE", first: 0.08, others: [1, 0.25, 0.02], make: symmetricSne },
  ];
  const results = models.map(({ name, first, others, make }) => {
    const ends = sets.map((set) => {
      const objective = make(affinities(set));
      const start = startOf(set.points, 2, seed, "pca", 0.1);
      const E = (options: { firstLambda: number; maxEvaluations?: number }): number =>
        Number((runRecipe(objective, start, options).E + objective.entropyConstant).toFixed(5));
      note(`${set.name}: ${name}`);
      return [
        ...[first, ...others].map((firstLambda) => E({ firstLambda })),
        E({ firstLambda: first, maxEvaluations: 200 }),
      ];
    });
    const lower = others.map((_, k) => ends.filter((row) => row[k + 1] < row[0]).length);
    const counts = others.map((share, k) => {
      const isOnAll = lower[k] === sets.length;
      return `${share} on ${isOnAll ? `**all ${sets.length}**` : `${lower[k]} of ${sets.length}`}`;
    });
    return {
      finding: `${name}: lower than with the first λ at ${first} of its target comes ${counts.join(", ")} data sets.`,
      table: {
        title: `${name}, by the first λ`,
        note: "E at the end, by the first λ as a share of its target; 1 is no homotopy.",
        columns: ["data", ...[first, ...others].map((share) => `${share}`), `${first}, 200 evaluations`],
        rows: sets.map((set, k) => [set.name, ...ends[k].map((E) => E.toFixed(5))]),
      },
    };
  });
  return {
    findings: results.map(({ finding }) => finding),
    tables: results.map(({ table }) => table),
  };
}

function ee(P: Weights): EmbeddingObjective {
  return elasticEmbedding({ attraction: P, repulsion: "constant" }, { lambda: 100 });
}
