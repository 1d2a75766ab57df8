import { linearLoss, rowAccess } from "@curvature/objectives/linear";
import { expect, test } from "vitest";
import { sampledProblem } from "../../src/solvers/sampled-problem.js";
import { noisyHalves, sparseOf } from "../helpers/rows.js";

const n = 101;
const d = 3;
const { rows } = noisyHalves(n, d);
const single = { ...rows, data: Float32Array.from(rows.data) };
const sparse = sparseOf(rows);
const storages = {
  rows,
  single,
  sparse,
  sparseSingle: { ...sparse, values: Float32Array.from(sparse.values) },
};
/** Each row's number is its target, so that it can be found again. */
const problemOf = (given: (typeof storages)[keyof typeof storages]) =>
  ({
    rows: given,
    targets: Float64Array.from({ length: n }, (_, i) => i),
    importances: Float64Array.from({ length: n }, (_, i) => 2 * i),
    loss: linearLoss("squared-error"),
    lambda: 0.1,
    bias: "free",
  }) as const;

test.each(Object.entries(storages))("one row of each run, with all that is its own: %s", (_, given) => {
  const problem = problemOf(given);
  for (const count of [1, 7, n]) {
    const sample = sampledProblem(problem, count, 3);
    expect(sample).toMatchObject({ loss: problem.loss, lambda: 0.1, bias: "free" });
    expect(sample.rows.constructor).toBe(problem.rows.constructor);
    const [all, part] = [rowAccess(given), rowAccess(sample.rows)];
    expect([part.rows, sample.targets.length]).toEqual([count, count]);
    const w = Float64Array.of(1, 10, 100);
    for (let k = 0; k < count; k++) {
      const i = sample.targets[k];
      expect(Math.floor((i * count + count - 1) / n)).toBeGreaterThanOrEqual(k);
      expect(i).toBeLessThan(((k + 1) * n) / count);
      expect(sample.importances?.[k]).toBe(2 * i);
      expect(part.dot(k, w)).toBe(all.dot(i, w));
    }
  }
});

test("is that of its seed", () => {
  const problem = problemOf(rows);
  const drawn = (seed: number) => sampledProblem(problem, 10, seed).targets;
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
});
