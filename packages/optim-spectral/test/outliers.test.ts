/** A few points that lie far off must not decide the map of all others. */
import { type DenseMatrix, fillNormal, norm2, principalComponents, RandomGenerator } from "@curvature/linalg";
import { expect, test } from "vitest";
import { type EmbedOptions, embed, knnPreservation } from "../src/index.js";

const N = 2200;
const D = 6;

/** Ten clouds. */
function clouds(seed: number): Float64Array<ArrayBuffer> {
  const random = new RandomGenerator(seed);
  const centers = new Float64Array(10 * D);
  fillNormal(random, centers);
  const data = new Float64Array(N * D);
  fillNormal(random, data);
  return data.map((value, k) => value + 4 * centers[(Math.floor(k / D) % 10) * D + (k % D)]);
}

/** The same, with a few entries of so much. */
function withOutliers(seed: number, size: number): DenseMatrix {
  const data = clouds(seed);
  for (let i = 0; i < 3; i++) data[i * 97 * D + (i % D)] = size * (1 + 0.37 * i) * (i % 2 === 0 ? 1 : -1);
  return { rows: N, columns: D, data };
}

const kept = async (points: DenseMatrix, options: EmbedOptions): Promise<number> => {
  const { embedding } = await embed(points, { maxEvaluations: 50, ...options });
  return knnPreservation(points, embedding).value ?? Number.NaN;
};

const keptNearly = "at %d, with %j: neighbours are kept nearly as without them";

async function keepsNearly(size: number, options: EmbedOptions): Promise<void> {
  const without = await kept({ rows: N, columns: D, data: clouds(1) }, options);
  expect(await kept(withOutliers(1, size), options)).toBeGreaterThan(0.9 * without);
}

test.each<[number, EmbedOptions]>([[1e5, {}]])(keptNearly, keepsNearly);

test.each<[number, EmbedOptions]>([
  [1e3, { gradient: "fft" }],
  [1e6, {}],
  [1e7, { gradient: "exact" }],
  [1e6, { method: "ssne" }],
])(keptNearly, { tags: ["full"] }, keepsNearly);

test("components that are lost beside outliers make a warning", { tags: ["full"] }, async () => {
  const points = withOutliers(1, 1e17);
  const { variances } = principalComponents(points, { count: D });
  const lost = variances.filter((variance) => variance === 0).length;
  expect(lost).toBeGreaterThan(0);
  const { warnings } = await embed(points, { pca: D, maxEvaluations: 10 });
  expect(warnings.map(({ message }) => message).join(" ")).toContain(
    `${lost} of the ${D} principal components vary not at all, or by so little beside the first`,
  );
  const fine = await embed({ rows: N, columns: D, data: clouds(1) }, { pca: D, maxEvaluations: 10 });
  expect(fine.warnings.map(({ message }) => message).join("")).not.toContain("principal components");
});

test("outliers of two sizes, each along an axis: no axis of the first map is wider than its size", async () => {
  const data = clouds(1);
  data[0] = 1e6;
  data[97 * D + 1] = 1e3;
  const points = { rows: N, columns: D, data };
  const { embedding } = await embed(points, { maxEvaluations: 1, homotopy: false });
  for (let i = 0; i < 2; i++) {
    const axis = Float64Array.from({ length: N }, (_, n) => embedding.data[2 * n + i]);
    expect(norm2(axis) / Math.sqrt(N)).toBeLessThan(3);
  }
});
