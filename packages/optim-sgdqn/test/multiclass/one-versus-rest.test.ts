import { linearLoss, primalCost } from "@curvature/objectives/linear";
import { maxIterations, runSync } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import {
  binaryProblem,
  classScores,
  largestScore,
  type MulticlassProblem,
} from "../../src/multiclass/problem.js";
import { oneVersusRestSolver, trainOneVersusRest } from "../../src/multiclass/train.js";
import { DualCoordinateDescent } from "../../src/solvers/dual/dual-coordinate-descent.js";
import { Newton } from "../../src/solvers/newton/newton.js";
import { benchmark, errorPercent, liblinearErrors } from "../helpers/letters.js";
import { noisyHalves } from "../helpers/rows.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

/** Three classes by the scores' thirds. */
function thirds(n = 90, seed = 1): MulticlassProblem {
  const { rows, scores } = noisyHalves(n, 4, { seed });
  const labels = Int32Array.from(scores, (s) => (s < -1 ? 0 : s < 1 ? 1 : 2));
  return { rows, labels, classes: 3, loss: linearLoss("squared-hinge"), lambda: 1e-2, bias: "regularized" };
}

describe("conforms", () => {
  const checks = solverConformance({
    name: "three classes by dual coordinate descent",
    create: (seed) =>
      oneVersusRestSolver(
        thirds(),
        (problem, { shared }) => new DualCoordinateDescent(problem, { shared, seed }),
      ),
    longSteps: 100,
    hasFaults: false,
    bytesInUse,
  });
  for (const { name, check } of checks) test(name, check);
});

describe("training", () => {
  test("under a loss that gives NaN has no values, and is of no use", async () => {
    const problem = thirds();
    const loss = { ...problem.loss, value: () => Number.NaN };
    const { classes, result } = await trainOneVersusRest(
      { ...problem, loss },
      (binary, { shared }) => new DualCoordinateDescent(binary, { maxPasses: 3, shared }),
    );
    for (const { value, gap } of classes) expect([value, gap]).toEqual([undefined, undefined]);
    expect(result.usable).toBe(false);
  });

  test("gives each class the optimum of its own problem", async () => {
    const problem = thirds();
    const { parameters, classes, result } = await trainOneVersusRest(
      problem,
      (binary, { shared }) => new DualCoordinateDescent(binary, { tolerance: 1e-9, shared }),
    );
    expect([parameters.rows, parameters.columns]).toEqual([3, 5]);
    expect(result.status).toBe("converged");
    for (let k = 0; k < 3; k++) {
      const alone = runSync(new Newton(binaryProblem(problem, k), { tolerance: 1e-12 }));
      const P = primalCost(binaryProblem(problem, k), parameters.data.slice(5 * k, 5 * k + 5));
      expect(Math.abs(P / (alone.value ?? 0) - 1)).toBeLessThan(1.1e-9);
      expect(classes[k]).toMatchObject({ status: "converged", certificate: "duality-gap" });
      expect(classes[k].value).toBeCloseTo(P, 14);
    }
    const sum = classes.reduce((total, { value = Number.NaN }) => total + value, 0);
    expect(result.value).toBeCloseTo(sum, 12);
  });

  test("is the same with and without shared norms, and with any labels of the rest", async () => {
    const problem = thirds();
    const run = (isShared: boolean) =>
      trainOneVersusRest(
        problem,
        (binary, { shared }) => new DualCoordinateDescent(binary, isShared ? { shared } : {}),
      );
    expect((await run(true)).parameters.data).toEqual((await run(false)).parameters.data);
  });

  test("in turns of a pass: stopped early, every class has had as many", async () => {
    const { classes, result } = await trainOneVersusRest(
      thirds(),
      (binary) => new DualCoordinateDescent(binary, { tolerance: 1e-12 }),
      { stop: maxIterations(9) },
    );
    expect(result.status).toBe("max-iterations");
    expect(classes.map(({ passes }) => passes)).toEqual([2, 2, 2]);
    expect(classes.map(({ status }) => status)).toEqual(Array(3).fill("max-iterations"));
  });

  test("a class without rows scores below the others", async () => {
    const problem = { ...thirds(), classes: 4 };
    const { parameters } = await trainOneVersusRest(problem, (binary) => new DualCoordinateDescent(binary));
    const { data } = classScores(problem.rows, parameters, problem.bias);
    for (let i = 0; i < 90; i++) expect(largestScore(data, 4 * i, 4)).toBeLessThan(3);
  });

  test("can be aborted", async () => {
    const controller = new AbortController();
    const { result, parameters } = await trainOneVersusRest(
      thirds(),
      (binary) => new DualCoordinateDescent(binary, { tolerance: 1e-12 }),
      { signal: controller.signal, onIteration: ({ index }) => void (index === 4 && controller.abort()) },
    );
    expect(result.status).toBe("aborted");
    expect(parameters.data.every(Number.isFinite)).toBe(true);
  });

  test("a worse outcome of one class is that of all", async () => {
    const { result, classes } = await trainOneVersusRest(
      thirds(),
      (binary, { classIndex }) =>
        new DualCoordinateDescent(binary, classIndex === 1 ? { maxPasses: 1, tolerance: 1e-9 } : {}),
    );
    expect(result.status).toBe("max-iterations");
    expect(result.message).toContain("class 1");
    expect(classes.map(({ status }) => status)).toEqual(["converged", "max-iterations", "converged"]);
  });
});

// By Newton's method; dual coordinate descent is in `reference-letter.test.ts`.
describe("the test error is LIBLINEAR's, within 0.2 points", () => {
  test.each(["letter", "pendigits"] as const)("%s", { tags: ["full"] }, async (name) => {
    const { parameters } = await trainOneVersusRest(
      benchmark(name, "train"),
      (binary, { shared }) => new Newton(binary, { tolerance: 1e-4, shared }),
    );
    const error = errorPercent(benchmark(name, "test"), parameters);
    expect(error).toBeLessThan(liblinearErrors[name] + 0.2);
  });
});

describe("refuses", () => {
  const good = thirds();
  const bad: readonly [string, MulticlassProblem, string][] = [
    ["one class", { ...good, classes: 1 }, "ERR_OPTION"],
    ["a label that is no class", { ...good, classes: 2 }, "ERR_ARGUMENT"],
    ["a negative label", { ...good, labels: good.labels.map((y) => y - 1) }, "ERR_ARGUMENT"],
    ["too few labels", { ...good, labels: new Int32Array(3) }, "ERR_SHAPE"],
    ["a loss of regression", { ...good, loss: linearLoss("huber") }, "ERR_OPTION"],
    ["λ = 0", { ...good, lambda: 0 }, "ERR_OPTION"],
    [
      "NaN in the rows",
      { ...good, rows: { rows: 90, columns: 4, data: new Float64Array(360).fill(Number.NaN) } },
      "ERR_NON_FINITE",
    ],
  ];
  test.each(bad)("%s", async (_, problem, code) => {
    const training = trainOneVersusRest(problem, (binary) => new DualCoordinateDescent(binary));
    await expect(training).rejects.toThrowError(expect.objectContaining({ name: "CurvatureError", code }));
  });
});

test("refuses what is no problem, no solver maker, and solvers of different problems", async () => {
  const nothing: unknown = undefined;
  const expectCode = async (given: readonly unknown[], code: string) =>
    expect(Promise.resolve(Reflect.apply(trainOneVersusRest, undefined, given))).rejects.toThrowError(
      expect.objectContaining({ name: "CurvatureError", code }),
    );
  await expectCode([nothing, () => nothing], "ERR_ARGUMENT");
  await expectCode([thirds()], "ERR_OPTION");
  await expectCode([thirds(), () => nothing], "ERR_ARGUMENT");
});

test("of equal scores the lower class's counts", () => {
  expect(largestScore(Float64Array.of(1, 3, 3, 2))).toBe(1);
  expect(largestScore(Float64Array.of(0, 0, 9, 5, 5, 1), 3, 3)).toBe(0);
});
