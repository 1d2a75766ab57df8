/** Small random comparisons to make objectives from. */
import type { RandomGenerator } from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";

/** Triplets, or quadruplets of which some share an object in any place. */
export function randomComparisons(
  random: RandomGenerator,
  objects: number,
  count: number,
  form: "triplets" | "quadruplets",
): Comparisons {
  const quadruplets = new Int32Array(4 * count);
  for (let q = 0; q < count; ) {
    const [i, j, l, k] = Array.from({ length: 4 }, () => random.integer(objects));
    const row = form === "triplets" ? [i, j, i, k] : [i, j, l, k];
    const isSame = (row[0] === row[2] && row[1] === row[3]) || (row[0] === row[3] && row[1] === row[2]);
    if (row[0] === row[1] || row[2] === row[3] || isSame) continue;
    quadruplets.set(row, 4 * q++);
  }
  return { objects, quadruplets };
}

export function randomPoint(random: RandomGenerator, length: number, size = 1): Float64Array {
  return Float64Array.from({ length }, () => size * (2 * random.uniform() - 1));
}
