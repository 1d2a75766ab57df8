import { expect, test } from "vitest";
import { RandomGenerator, symmetricEigen, symmetricEigenvalues } from "../../src/index.js";

function symmetric(n: number, seed: number) {
  const random = new RandomGenerator(seed);
  const A = { rows: n, columns: n, data: new Float64Array(n * n) };
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      const entry = random.uniform() - 0.5;
      A.data[i * n + j] = entry;
      A.data[j * n + i] = entry;
    }
  return A;
}

test.each([1, 2, 3, 17, 60])("are those of the full decomposition, n = %i", (n) => {
  const A = symmetric(n, n);
  const { values } = symmetricEigen(A);
  const alone = symmetricEigenvalues(A);
  for (let i = 0; i < n; i++) expect(Math.abs(alone[i] - values[i])).toBeLessThan(1e-13 * n);
});

test("of nothing are nothing, and a matrix that is not square is refused", () => {
  expect(symmetricEigenvalues({ rows: 0, columns: 0, data: new Float64Array(0) })).toHaveLength(0);
  expect(() => symmetricEigenvalues({ rows: 2, columns: 3, data: new Float64Array(6) })).toThrow(
    "symmetricEigenvalues: A must be square; received 2 x 3.",
  );
});
