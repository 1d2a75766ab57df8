/** Sparse points: their principal components are mapped, and no zero is stored. */
import { CurvatureError, type DenseMatrix, RandomGenerator, toSparse, zeros } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { type EmbedOptions, embed } from "../src/index.js";
import { allFinite } from "./helpers/small.js";

/** Counts of words in three kinds of documents, each of which likes a third of the words. */
function documents(rows: number, columns: number, seed: number): DenseMatrix {
  const random = new RandomGenerator(seed);
  const counts = zeros(rows, columns);
  for (let n = 0; n < rows; n++)
    for (let word = 0; word < 25; word++) {
      const any = random.integer(columns);
      const liked = 3 * Math.floor(any / 3) + (n % 3);
      counts.data[n * columns + Math.min(columns - 1, random.uniform() < 0.8 ? liked : any)] += 1;
    }
  return counts;
}

const quick = { pca: 6, perplexity: 8, maxEvaluations: 60 } as const;

describe("sparse points", () => {
  const dense = documents(90, 240, 1);
  const sparse = toSparse(dense);

  test("the map is that of the dense points, up to the rounding of their components", async () => {
    const expected = await embed(dense, quick);
    const found = await embed(sparse, quick);
    expect(allFinite(found.embedding)).toBe(true);
    expect(found.warnings).toEqual(expected.warnings);
    expect(Math.abs(Number(found.klDivergence) - Number(expected.klDivergence))).toBeLessThan(
      1e-3 * Number(expected.klDivergence),
    );
  });

  test("new points are placed, sparse or dense, at the same places", async () => {
    const { transform } = await embed(sparse, quick);
    const more = documents(7, 240, 2);
    const [{ embedding: fromSparse }, { embedding: fromDense }] = [
      await transform(toSparse(more)),
      await transform(more),
    ];
    for (let k = 0; k < fromDense.data.length; k++)
      expect(Math.abs(fromSparse.data[k] - fromDense.data[k])).toBeLessThan(1e-6);
    await expect(transform(toSparse(documents(2, 239, 3)))).rejects.toThrow("239 columns");
  });

  test("large means without spread cost no digits, and an entry that is missing is a zero", async () => {
    const withFull = (counts: DenseMatrix): DenseMatrix => {
      const data = counts.data.map((value, k) => {
        const column = k % counts.columns;
        return column === 0 ? 1e12 + value : column === 1 ? 3 + value : value;
      });
      return { ...counts, data };
    };
    const { transform } = await embed(toSparse(withFull(dense)), quick);
    const more = withFull(documents(7, 240, 2));
    more.data[240 + 1] = 0; // of a column that had no zero
    const [{ embedding: fromSparse }, { embedding: fromDense }] = [
      await transform(toSparse(more)),
      await transform(more),
    ];
    for (let k = 0; k < fromDense.data.length; k++)
      expect(Math.abs(fromSparse.data[k] - fromDense.data[k])).toBeLessThan(1e-6);
  });

  test.each<[string, EmbedOptions, string]>([
    ["by a metric that fills their zeros", { metric: "manhattan" }, "metric must be euclidean, cosine"],
    ["with more components than points", { pca: 91 }, "pca must be at most 90"],
  ])("%s they are refused", async (_, options, words) => {
    await expect(embed(sparse, options)).rejects.toThrowError(words);
    await expect(embed(sparse, options)).rejects.toThrowError(CurvatureError);
  });

  test("without components they stay sparse: the map is that of the dense points", async () => {
    const { embedding: initialization } = await embed(dense, { maxEvaluations: 1 });
    const few = { perplexity: 8, maxEvaluations: 12, initialization };
    for (const more of [{}, { neighbors: "all" }] as const) {
      const expected = await embed(dense, { ...few, ...more });
      const found = await embed(sparse, { ...few, ...more });
      expect(Math.abs(Number(found.klDivergence) / Number(expected.klDivergence) - 1)).toBeLessThan(1e-6);
      expect(found.warnings).toEqual(expected.warnings);
      expect(found.model).toBeUndefined();
    }
    await expect((await embed(sparse, few)).transform(sparse)).rejects.toThrow("places no new points");
  });

  test("a broken sparse matrix is refused, and so are sparse new points of a map without pca", async () => {
    const broken = { ...sparse, values: sparse.values.with(3, Number.NaN) };
    await expect(embed(broken, quick)).rejects.toThrowError("points has NaN");
    const { transform } = await embed(documents(20, 8, 4), { maxEvaluations: 5 });
    await expect(transform(toSparse(documents(2, 8, 5)))).rejects.toThrow("give newPoints as a dense matrix");
  });

  test("all points one: equal weights, as of dense points", async () => {
    const same = toSparse(Array.from({ length: 12 }, () => [0, 2, 0, 1]));
    const result = await embed(same, { method: "ee", pca: 2, perplexity: 3, maxEvaluations: 5 });
    expect(result.options).toMatchObject({ repulsion: "constant" });
    expect(allFinite(result.embedding)).toBe(true);
  });
});
