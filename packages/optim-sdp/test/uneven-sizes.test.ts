/** Components and labels of clusters that are well apart and of very different sizes, each a whole run. */
import { fillNormal, RandomGenerator } from "@curvature/linalg";
import { clusterPoints } from "@curvature/optim-sdp";
import { expect, test } from "vitest";
import { agreement } from "./helpers/mixtures.js";

/** Normal clusters of standard deviation 1 on a line of random direction, so far apart, in random order. */
function drawn(sizes: readonly number[], d: number, apart: number, seed: number) {
  const random = new RandomGenerator(seed);
  const normal = (): Float64Array => {
    const x = new Float64Array(d);
    fillNormal(random, x);
    return x;
  };
  const direction = normal();
  const length = Math.hypot(...direction);
  const rows = sizes.flatMap((size, c) =>
    Array.from({ length: size }, () => ({
      c,
      x: [...normal()].map((x, j) => x + (apart * c * direction[j]) / length),
    })),
  );
  for (let i = rows.length - 1; i > 0; i--) {
    const j = Math.floor((i + 1) * random.uniform());
    [rows[i], rows[j]] = [rows[j], rows[i]];
  }
  return { points: rows.map(({ x }) => x), truth: rows.map(({ c }) => c) };
}

// so far apart that no clustering is cheaper than the true one, which a half of the large cluster would be otherwise
const sizes = [
  [10_000, 1],
  [10_000, 4],
  [10_000, 50],
  [10_000, 50, 1],
  [500, 4],
  [500, 4, 4],
];
test.each(sizes.map((each) => [each] as const))("sizes %j: every drawn set", async (of) => {
  for (const d of [2, 10])
    for (const apart of [120, 400]) {
      const { points, truth } = drawn(of, d, apart, 6_400_000 + apart + d + of.length);
      const { components, labels } = await clusterPoints(points, {
        clusters: of.length,
        certify: false,
        maxIterations: 1,
      });
      const what = `${d} dimensions, ${apart} apart`;
      expect(components.count, what).toBe(of.length);
      expect(agreement(truth, [...components.labels]), what).toBe(1);
      expect(agreement(truth, [...labels]), what).toBe(1);
    }
});
