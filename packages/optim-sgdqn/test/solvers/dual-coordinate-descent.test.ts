import { DenseCholesky, gram, RandomGenerator } from "@curvature/linalg";
import {
  type LinearProblem,
  linearLoss,
  linearObjective,
  parameterCount,
  primalCost,
} from "@curvature/objectives/linear";
import { gradientNormBelow, Lbfgs, maxIterations, runSync } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DualCoordinateDescent } from "../../src/solvers/dual/dual-coordinate-descent.js";
import { fixture, noisyHalves, sparseOf } from "../helpers/rows.js";
import { forever, problemOf, solve } from "./dual-problems.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

const lossNames = [
  "hinge",
  "squared-hinge",
  "smoothed-hinge",
  "modified-huber",
  "squared-error",
  "huber",
] as const;

describe("conforms", () => {
  const tall = noisyHalves(20_000, 3, { density: 0.7 });
  const wide = noisyHalves(300, 2500, { density: 0.01 });
  const [tallRows, wideRows] = [sparseOf(tall.rows), sparseOf(wide.rows)];
  const cases = {
    "one row at a time, a sweep in several steps": (seed: number) =>
      new DualCoordinateDescent(
        { ...tall, rows: tallRows, loss: linearLoss("hinge"), lambda: 1e-3, bias: "regularized" },
        { seed, tolerance: 1e-9 },
      ),
    "blocks of rows": (seed: number) =>
      new DualCoordinateDescent(
        { ...wide, rows: wideRows, loss: linearLoss("squared-hinge"), lambda: 1e-3, bias: "none" },
        { seed, tolerance: 1e-9 },
      ),
    "dense single precision, regression, warm": (seed: number) => {
      const problem = problemOf("huber", { n: 500 });
      const single = Float32Array.from(noisyHalves(500, 5).rows.data);
      return new DualCoordinateDescent(
        { ...problem, rows: { rows: 500, columns: 5, data: single } },
        { seed, tolerance: 1e-9, initialDual: new Float64Array(500).fill(0.1) },
      );
    },
  };
  // Of V8 on x64: any engine's.
  const bits: Readonly<Record<string, string>> = {
    "one row at a time, a sweep in several steps": "e09f9787cb46733265bd6354f126a588",
    "blocks of rows": "5ba2753042c8f0d2dda9510bbe2030e1",
  };
  for (const [name, create] of Object.entries(cases)) {
    const checks = solverConformance({
      name,
      create,
      createTiny: (seed) => new DualCoordinateDescent(problemOf("hinge", { d: 1 }), { seed }),
      longSteps: 100,
      hasFaults: false,
      bytesInUse,
      ...(bits[name] === undefined ? {} : { bits: bits[name] }),
    });
    for (const { name: what, check } of checks) test(what, check);
  }
});

describe("the optimum", () => {
  test("of the squared error is that of ridge regression", () => {
    const problem = problemOf("squared-error", { n: 80, d: 6 });
    const { rows, targets, lambda } = problem;
    if (!("data" in rows) || !(rows.data instanceof Float64Array)) throw new Error("dense rows expected");
    const A = gram({ rows: 80, columns: 6, data: rows.data });
    for (let j = 0; j < 6; j++) A.data[7 * j] += 80 * lambda;
    const expected = new Float64Array(6);
    for (let i = 0; i < 80; i++) for (let j = 0; j < 6; j++) expected[j] += rows.data[6 * i + j] * targets[i];
    new DenseCholesky(A).solve(expected);
    const { x } = solve(problem, { tolerance: 1e-15 });
    for (let j = 0; j < 6; j++) expect(x[j]).toBeCloseTo(expected[j], 7);
  });

  for (const name of lossNames.filter((loss) => loss !== "hinge"))
    for (const bias of ["none", "regularized"] as const)
      test(`of the ${name} loss, bias ${bias}, is L-BFGS's`, () => {
        const problem = problemOf(name, { bias, lambda: 0.003 });
        const solver = new Lbfgs(linearObjective(problem), new Float64Array(parameterCount(problem)));
        const primal = runSync(solver, { stop: [gradientNormBelow(1e-10), maxIterations(2000)] });
        const dual = solve(problem, { tolerance: 1e-10 });
        expect(dual.status).toBe("converged");
        // 1e-10 is the gap allowed; L-BFGS's own is ‖∇P‖²/(2 λ P) < 1e-17
        expect(Math.abs(primalCost(problem, dual.x) / (primal.value ?? 0) - 1)).toBeLessThan(1.1e-10);
      });

  // The least costs that several solvers reached in runs of their own, with 10 digits.
  test.each([
    ["a9a", 1e-4, 0.2112397258],
    ["spam", 1e-3, 0.133765177],
  ] as const)("of %s is the recorded one", { tags: ["full"] }, (name, lambda, optimum) => {
    const { rows, labels } = fixture(name, "train");
    const problem: LinearProblem = {
      rows,
      targets: labels,
      loss: linearLoss("squared-hinge"),
      lambda,
      bias: "none",
    };
    const { x, status } = solve(problem, { tolerance: 1e-5 });
    expect(status).toBe("converged");
    const excess = primalCost(problem, x) / optimum - 1;
    expect(excess).toBeLessThan(1e-5);
    expect(excess).toBeGreaterThan(-1e-8);
  });
});

describe("the certificate", () => {
  test("is never below the true gap, and D never falls, whatever the data", () => {
    fc.assert(
      fc.property(
        fc.record({
          name: fc.constantFrom(...lossNames),
          seed: fc.integer({ min: 0, max: 1e6 }),
          n: fc.integer({ min: 1, max: 40 }),
          d: fc.integer({ min: 1, max: 8 }),
          lambda: fc.constantFrom(1e-2, 0.1, 1, 100),
          bias: fc.constantFrom("none", "regularized"),
          density: fc.constantFrom(0, 0.3, 1),
          isWeighted: fc.boolean(),
        }),
        ({ name, seed, n, d, lambda, bias, density, isWeighted }) => {
          const { rows, targets, scores } = noisyHalves(n, d, { seed, density });
          const random = new RandomGenerator(seed);
          const loss = linearLoss(name);
          const problem: LinearProblem = {
            rows: seed % 2 === 0 ? rows : sparseOf(rows),
            targets: loss.task === "regression" ? scores : targets,
            loss,
            lambda,
            bias,
            ...(isWeighted ? { importances: Float64Array.from({ length: n }, () => random.integer(3)) } : {}),
          };
          const best = solve(problem, { tolerance: 1e-11, maxPasses: 20_000, seed });
          const run = solve(problem, { tolerance: 1e-3, seed: seed + 1 });
          const optimum = best.value ?? Number.NaN;
          let D = Number.NEGATIVE_INFINITY;
          for (const { value, details } of run.history) {
            if (value === undefined || details.gap === undefined) continue;
            const rounding = 1e-13 * Math.max(value, 1e-300);
            expect(details.gap * value).toBeGreaterThanOrEqual(value - optimum - rounding);
            expect(value * (1 - details.gap)).toBeGreaterThanOrEqual(D - rounding);
            D = value * (1 - details.gap);
          }
          // few rows under the hinge and a small λ may take more passes than are allowed
          expect(["converged", "stalled", "max-iterations"]).toContain(run.status);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("counts its reads apart", () => {
    const { history } = solve(problemOf("hinge"));
    const [sweep, certificate] = history;
    expect([sweep.phase, certificate.phase]).toEqual(["pass", "certificate"]);
    expect([sweep.evaluations, sweep.monitoringEvaluations, sweep.passes]).toEqual([60, 0, 1]);
    expect([certificate.evaluations, certificate.monitoringEvaluations]).toEqual([60, 60]);
    expect(certificate.details.certificate).toBe("duality-gap");
    expect(sweep.details.gap).toBeUndefined();
  });

  test("ends a run of too few passes, too", () => {
    const { status, value, passes, message } = solve(problemOf("hinge"), { maxPasses: 3, tolerance: 1e-9 });
    expect(status).toBe("max-iterations");
    expect(passes).toBeLessThan(4);
    expect(value).toBeGreaterThan(0);
    expect(message).toContain("duality gap");
  });

  test("of a problem with nothing left to do stalls where the tolerance is 0", () => {
    const rows = { rows: 1, columns: 1, data: Float64Array.of(3) };
    const problem: LinearProblem = { ...problemOf("squared-hinge"), rows, targets: Float64Array.of(1) };
    expect(["stalled", "converged"]).toContain(solve(problem, { tolerance: 0 }).status);
  });
});

describe("the order", () => {
  // In blocks to the end it takes more than 600 passes, in random order 51.
  test("becomes wholly random where blocks make no headway: few columns that count among many", () => {
    const { rows, labels } = fixture("spam", "train");
    const problem: LinearProblem = {
      rows: { ...rows, columns: 3000 },
      targets: labels,
      loss: linearLoss("squared-hinge"),
      lambda: 1e-3,
      bias: "none",
    };
    expect(solve(problem, { tolerance: 1e-4, maxPasses: 150 }).status).toBe("converged");
  });

  test("does not need rows that are mixed: all of one class first", () => {
    const { rows, targets } = noisyHalves(400, 2500, { density: 0.01 });
    const byClass = Array.from(targets.keys()).sort((i, j) => targets[i] - targets[j]);
    const sorted = Float64Array.from(
      byClass.flatMap((i) => Array.from(rows.data.subarray(2500 * i, 2500 * (i + 1)))),
    );
    const problem: LinearProblem = {
      rows: sparseOf({ ...rows, data: sorted }),
      targets: Float64Array.from(byClass, (i) => targets[i]),
      loss: linearLoss("hinge"),
      lambda: 1e-2,
      bias: "none",
    };
    const { passes, status } = solve(problem);
    expect(status).toBe("converged");
    expect(passes).toBeLessThan(2 * solve({ ...problem, rows: sparseOf(rows), targets }).passes);
  });
});

describe("a warm start", () => {
  test("at the optimum needs one sweep, and none grows", () => {
    const problem = problemOf("hinge", { n: 200 });
    const first = new DualCoordinateDescent(problem, { tolerance: 1e-8 });
    runSync(first, { stop: forever });
    const again = solve(problem, { tolerance: 1e-6, initialDual: first.dual });
    expect(again.passes).toBe(1);
  });

  test("from another λ gives the same optimum in fewer passes", () => {
    const { rows, labels } = fixture("spam", "train");
    const base = { rows, targets: labels, loss: linearLoss("squared-hinge"), bias: "none" } as const;
    const before = new DualCoordinateDescent({ ...base, lambda: 2e-2 }, { tolerance: 1e-3 });
    runSync(before, { stop: forever });
    const problem = { ...base, lambda: 1e-2 };
    const cold = solve(problem, { tolerance: 1e-5 });
    const warm = solve(problem, { tolerance: 1e-5, initialDual: before.dual });
    expect(warm.passes).toBeLessThan(cold.passes);
    expect(Math.abs((warm.value ?? 0) / (cold.value ?? 0) - 1)).toBeLessThan(1e-5);
  });

  test("with dual variables out of their bounds brings them in", () => {
    const { value } = solve(problemOf("hinge"), { tolerance: 1e-9 });
    const start = Float64Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 1e9 : -5));
    const again = solve(problemOf("hinge"), { tolerance: 1e-9, initialDual: start });
    expect(again.value).toBeCloseTo(value ?? 0, 8);
  });
});
