/** The solvers of ordinal embedding by name. */
import { RandomGenerator } from "@curvature/linalg";
import { errorShare, ordinalObjective } from "@curvature/objectives/ordinal";
import { maxPasses, run } from "@curvature/optim-core";
import { createOrdinalSolver, modularSvrg, ordinalSolverNames, Svrg } from "@curvature/optim-svrg";
import { describe, expect, test } from "vitest";
import { errorsAfter } from "./errors-after.js";
import { eurodist } from "./fixtures.js";

test.each(ordinalSolverNames)(
  "%s, with its defaults, satisfies most answers that it has not seen",
  { tags: ["full"] },
  async (solver) => {
    const data = eurodist();
    const objective = ordinalObjective(data.train, "ste", 2);
    const { x, status } = await run(createOrdinalSolver(objective, data.starts[0], { solver }), {
      stop: maxPasses(150),
    });
    expect(status).not.toBe("diverged");
    // Steps that are not stabilised may go uphill, and then only the best snapshot is of use.
    expect(errorShare(data.test, x)).toBeLessThan(solver === "svrg-bb" ? 0.3 : 0.06);
  },
);

test("a fixed step is the one that was given, and first steps of the others at most 1/ε", async () => {
  const data = eurodist();
  const objective = ordinalObjective(data.train, "ste", 2);
  const stepOf = async (solver: "svrg" | "svrg-sbb", initialStep: number) =>
    (await createOrdinalSolver(objective, data.starts[0], { solver, initialStep }).step()).stepLength;
  expect(await stepOf("svrg", 5000)).toBe(5000);
  expect(await stepOf("svrg-sbb", 5000)).toBeCloseTo(210, 10);
  expect(await stepOf("svrg-sbb", 5)).toBe(5);
});

test("modules forget the secant, and come to the same place", () => {
  const data = eurodist();
  const { sum } = ordinalObjective(data.train, "ste", 2);
  const solver = modularSvrg(sum, data.starts[0], { epochsPerModule: 4 }, { epsilon: 0.01 });
  const [error] = errorsAfter(solver, data, [40]);
  expect(error).toBeLessThan(0.05);
  expect(solver.options.restartEvery).toBe(4);
  expect(() => modularSvrg(sum, data.starts[0], { epochsPerModule: 0 })).toThrow(/epochsPerModule/);
});

test("one object more than answers, one coordinate, objects without an answer: nothing breaks", async () => {
  for (const [objects, p] of [
    [3, 1],
    [5, 2],
    [40, 3],
  ] as const) {
    const comparisons = { objects, quadruplets: Int32Array.of(0, 1, 0, 2) };
    const random = new RandomGenerator(1);
    const X = Float64Array.from({ length: objects * p }, () => random.uniform());
    for (const solver of ordinalSolverNames) {
      const objective = ordinalObjective(comparisons, "soe", p, { ridge: 1e-3 });
      const { x } = await run(createOrdinalSolver(objective, X, { solver }), { stop: maxPasses(200) });
      expect(x.every(Number.isFinite)).toBe(true);
      expect(errorShare(comparisons, x), solver).toBe(0);
    }
  }
});

test("the same seed gives the same bits, and another seed others", () => {
  const data = eurodist();
  const { sum } = ordinalObjective(data.train, "tste", 2);
  const end = (seed: number): string => {
    const solver = new Svrg(sum, data.starts[0], { seed });
    errorsAfter(solver, data, [3]);
    return solver.best.x.join();
  };
  expect(end(4)).toBe(end(4));
  expect(end(4)).not.toBe(end(5));
});

describe("bad input ends in a CurvatureError", () => {
  const data = eurodist();
  const objective = ordinalObjective(data.train, "ste", 2);
  const cases: readonly (readonly [string, readonly unknown[], RegExp])[] = [
    ["no objective", [null, data.starts[0]], /objective/],
    ["another objective", [{ dimension: 42, evaluate: () => 0 }, data.starts[0]], /objective/],
    ["a start of another length", [objective, new Float64Array(3)], /length 42/],
    ["a start with NaN", [objective, new Float64Array(42).fill(Number.NaN)], /NaN at 0/],
    ["no start", [objective, undefined], /Float64Array/],
    ["an unknown solver", [objective, data.starts[0], { solver: "sbb" }], /one of "svrg-sbb"/],
    ["an unknown option", [objective, data.starts[0], { epsilom: 1 }], /Did you mean "epsilon"/],
    ["a negative step", [objective, data.starts[0], { initialStep: -1 }], /initialStep/],
    ["options of a wrong kind", [objective, data.starts[0], 7], /options/],
  ];
  test.each(cases)("%s", (_, given, message: RegExp) => {
    const error: unknown = (() => {
      try {
        return Reflect.apply(createOrdinalSolver, undefined, [...given]);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ name: "CurvatureError", message: expect.stringMatching(message) });
  });

  test("all points in one place stay there, and are no success", async () => {
    for (const solver of ordinalSolverNames) {
      const { x } = await run(createOrdinalSolver(objective, new Float64Array(42), { solver }), {
        stop: maxPasses(10),
      });
      expect(x.every(Number.isFinite)).toBe(true);
      expect(errorShare(data.test, x)).toBe(1);
    }
  });
});
