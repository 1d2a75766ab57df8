/** A matrix of distances as comparisons: of any two pairs with a common object, which is nearer. */
import { CurvatureError } from "@curvature/linalg";
import type { ComparisonTable } from "./comparison-table.js";
import type { DistanceTable } from "./distances.js";
import { IntegerStore } from "./integer-store.js";

/** As many as fit into an array. */
const mostAnswers = 2 ** 26;

/** @throws CurvatureError ERR_SHAPE for fewer than three objects, or more than can be compared; ERR_PARSE for no difference */
export function comparisonsOfMatrix(
  { distances, names, gaps, seemsTurned }: DistanceTable,
  kind: "distances" | "similarities",
): ComparisonTable {
  const { rows: n, data } = distances;
  const all = (n * (n - 1) * (n - 2)) / 2;
  if (n < 3 || all > mostAnswers)
    throw new CurvatureError(
      "ERR_SHAPE",
      `There are ${n} objects, and ${all} comparisons of them. Give a matrix of 3 objects at least, and of so few that ${mostAnswers} comparisons suffice; of more, tripletsFromDistances draws some.`,
      { expected: "3 to 512 objects", received: n },
    );
  const quadruplets = new IntegerStore();
  const lines = new IntegerStore();
  let ties = 0;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      for (let k = j + 1; k < n; k++) {
        const difference = data[i * n + j] - data[i * n + k];
        if (i === j || i === k || Number.isNaN(difference)) continue;
        if (difference === 0) {
          ties++;
          continue;
        }
        for (const object of difference < 0 ? [i, j, i, k] : [i, k, i, j]) quadruplets.append(object);
        lines.append(i + 1);
      }
  if (lines.length === 0)
    throw new CurvatureError(
      "ERR_PARSE",
      `No two entries of a row differ, or all are empty, so that nothing is nearer. Give ${kind} that differ.`,
      { path: "input" },
    );
  const none = { trial: undefined, participant: undefined, participants: undefined, held: undefined };
  return {
    comparisons: { objects: n, quadruplets: quadruplets.finish(), weights: undefined },
    ...{ kind, ...none, names, lines: lines.finish(), ties },
    ...{ duplicates: 0, contradictions: 0, dropped: 0, excluded: [], ignored: [] },
    notes: gaps === 0 ? [] : [`${gaps} pairs without an entry are not compared.`],
    warnings: seemsTurned
      ? [
          `The entries look like similarities: objects with small ones are unlike in their other entries. If a high one means near, read them as similarities.`,
        ]
      : [],
  };
}
