/** An inner loop that ends in numbers that are not finite: the stage tries again, and is not taken to have settled. */
import { ordinalObjective } from "@curvature/objectives/ordinal";
import type { Solver } from "@curvature/optim-core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Plan, StagedFit } from "../../src/fit/staged-fit.js";
import { Svrg, tripletsFromPoints } from "../../src/index.js";
import { ComparisonInnerLoop } from "../../src/svrg/comparison-loop.js";

const points = Array.from({ length: 14 }, (_, n) => [Math.sin(n), Math.cos(2 * n)]);
const objective = ordinalObjective(tripletsFromPoints(points, { count: 200 }).train, "ste", 2);
const start = Float64Array.from({ length: 28 }, (_, k) => 0.1 * Math.sin(k * k));
const measured = (): Svrg => new Svrg(objective.sum, start, { stepRule: "measured", batchSize: 1 });

function staged(): Solver {
  const limits = { maxIterations: Number.POSITIVE_INFINITY, maxPasses: Number.POSITIVE_INFINITY };
  const unlimited = { ...limits, share: 1, slowest: 0 };
  const plan: Plan = {
    ...{
      opening: [],
      starts: 1,
      path: [],
      isBegunAnew: false,
      ridge: 0,
      validationPasses: 0,
      mostErrors: 0,
      anew: undefined,
    },
    limits: { path: unlimited, fit: unlimited },
    initial: () => start,
    objective: () => objective,
    solver: measured,
    validate: () => Number.NaN,
    errorShare: () => Number.NaN,
  };
  const settings = { name: "auto", dimension: 28, fingerprint: "test", options: {} };
  return new StagedFit(plan, { ...settings, tolerance: 1e-6, testError: undefined });
}

const step = (solver: Solver) => {
  const iteration = solver.step();
  if (iteration instanceof Promise) throw new Error("The solver returned a promise.");
  return iteration;
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each([
  ["are not finite", Number.NaN, 3],
  ["have no finite cost", 1e200, 4],
])("after a loop that ends in numbers that %s", (_, size, steps) => {
  const blowUp = (): void => {
    vi.spyOn(ComparisonInnerLoop.prototype, "run").mockImplementationOnce((_batches, x) => {
      for (let k = 0; k < x.length; k++) x[k] = k % 3 === 0 ? size : -size;
    });
  };

  test("the stage goes on from the best snapshot with a tenth of the step, and ends lower", () => {
    blowUp();
    const fit = staged();
    const iterations = [step(fit)];
    while (iterations.at(-1)?.outcome === undefined) iterations.push(step(fit));
    const values = iterations.flatMap(({ value }) => value ?? []);
    expect(values.length).toBeGreaterThan(5);
    expect(values[1]).not.toBe(values[0]);
    expect(fit.best.value).toBeLessThan(0.5 * values[0]);
    const lengths = iterations.flatMap(({ stepLength }) => stepLength ?? []);
    expect(lengths.find((length) => length !== lengths[0])).toBeCloseTo(lengths[0] / 10, 12);
  });

  test("a snapshot taken before the best is measured anew goes on alike", () => {
    blowUp();
    const solver = measured();
    for (let k = 0; k < steps; k++) step(solver);
    const saved = solver.save();
    expect(saved.state).toMatchObject({ isBack: true });
    const other = measured();
    other.restore(saved);
    for (let k = 0; k < 10; k++) expect(step(other)).toEqual(step(solver));
    const fields = Object.entries(saved.state ?? {}).filter(([name]) => name !== "isBack");
    expect(() => measured().restore({ ...saved, state: Object.fromEntries(fields) })).toThrow(
      expect.objectContaining({ code: "ERR_SNAPSHOT" }),
    );
  });
});
