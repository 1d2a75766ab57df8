/** What E does not see: the numbers of the rows. (Where a given first map lies, and its unit: `given-maps.test.ts`.) */
import { expect, test } from "vitest";
import { embed } from "../src/index.js";

test("equally far points: no row has a special place", async () => {
  const N = 300;
  const data = Float64Array.from({ length: N * N }, (_, p) => Number(p % (N + 1) === 0));
  const { embedding } = await embed({ rows: N, columns: N, data }, { perplexity: 10 });
  const radii = Array.from({ length: N }, (_, n) =>
    Math.hypot(embedding.data[2 * n], embedding.data[2 * n + 1]),
  );
  const mean = radii.reduce((sum, r) => sum + r, 0) / N;
  let [product, squares] = [0, 0];
  for (const [n, r] of radii.entries()) {
    product += (n - (N - 1) / 2) * (r - mean);
    squares += (r - mean) ** 2;
  }
  expect(Math.abs(product / Math.sqrt((squares * N * (N * N - 1)) / 12))).toBeLessThan(4 / Math.sqrt(N));
});
