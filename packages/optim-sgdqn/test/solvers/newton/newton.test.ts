import { norm2 } from "@curvature/linalg";
import {
  type LinearLossName,
  type LinearProblem,
  linearLoss,
  linearObjective,
  parameterCount,
  primalCost,
  type Rows,
} from "@curvature/objectives/linear";
import { maxIterations, runSync } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SharedRows } from "../../../src/multiclass/shared-rows.js";
import { Newton } from "../../../src/solvers/newton/newton.js";
import type { NewtonOptions } from "../../../src/solvers/newton/options.js";
import { noisyHalves, sparseOf } from "../../helpers/rows.js";

const forever = maxIterations(Number.POSITIVE_INFINITY);
const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
const methods = ["explicit", "sampled", "diagonal"] as const;
const lossNames = [
  "squared-hinge",
  "smoothed-hinge",
  "logistic",
  "modified-huber",
  "squared-error",
  "huber",
] as const;

function solve(problem: LinearProblem, options: NewtonOptions = {}) {
  return runSync(new Newton(problem, options), { stop: forever, history: true });
}

function problemOf(
  name: LinearLossName,
  { n = 80, d = 6, lambda = 0.01, bias = "none", seed = 1, density = 1 }: ProblemOptions = {},
): LinearProblem {
  const { rows, targets, scores } = noisyHalves(n, d, { seed, density });
  const loss = linearLoss(name, { width: 0.7 });
  return { rows, targets: loss.task === "regression" ? scores : targets, loss, lambda, bias };
}

type ProblemOptions = Partial<Pick<LinearProblem, "lambda" | "bias">> & {
  readonly n?: number;
  readonly d?: number;
  readonly seed?: number;
  readonly density?: number;
};

function gradientNorm(problem: LinearProblem, w: Float64Array): number {
  const gradient = new Float64Array(parameterCount(problem));
  linearObjective(problem).evaluate(w, gradient);
  return norm2(gradient);
}

function denseData({ rows }: LinearProblem): Float64Array | Float32Array {
  if (!("data" in rows)) throw new Error("dense rows expected");
  return rows.data;
}

describe("conforms", () => {
  const long = problemOf("squared-hinge", { n: 6000, d: 100, lambda: 1e-3, bias: "regularized" });
  const short = problemOf("logistic", { n: 400, d: 20, lambda: 1e-3, bias: "free" });
  const cases: Readonly<Record<string, (seed: number) => Newton>> = {
    "explicit, an iteration in several steps": (seed) =>
      new Newton(long, {
        tolerance: 1e-6,
        method: "explicit",
        initial: new Float64Array(101).fill(0.1 * seed),
      }),
    "sampled preconditioner": (seed) =>
      new Newton(short, {
        tolerance: 1e-12,
        method: "sampled",
        initial: new Float64Array(21).fill(0.1 * seed),
      }),
    "diagonal preconditioner, sparse": (seed) => {
      const { rows, ...rest } = noisyHalves(400, 300, { density: 0.05 });
      const loss = linearLoss("squared-hinge");
      return new Newton(
        { ...rest, rows: sparseOf(rows), loss, lambda: 1e-3, bias: "none" },
        { tolerance: 1e-6, method: "diagonal", initial: new Float64Array(300).fill(0.1 * seed) },
      );
    },
  };
  for (const [name, create] of Object.entries(cases)) {
    const checks = solverConformance({
      name,
      create,
      createTiny: () => new Newton(problemOf("logistic", { d: 1 })),
      longSteps: 10,
      hasFaults: false,
      bytesInUse,
    });
    for (const { name: what, check } of checks) test(`${name}: ${what}`, check);
  }

  test("an iteration that is split has steps with names of their own", () => {
    const solver = cases["explicit, an iteration in several steps"](1);
    const phases = new Set(Array.from({ length: 12 }, () => solver.step().phase));
    expect(phases).toContain("hessian");
    expect(phases).toContain("iteration");
  });
});

describe("the optimum", () => {
  for (const name of lossNames)
    for (const bias of ["none", "regularized", "free"] as const)
      test(`of the ${name} loss, bias ${bias}, is a zero of the gradient, whatever the method`, () => {
        const problem = problemOf(name, { bias });
        for (const method of methods) {
          const { x, status, value } = solve(problem, { tolerance: 1e-15, method });
          expect(status).toBe("converged");
          expect(value).toBeCloseTo(primalCost(problem, x), 13);
          // the decrement ½ g·H⁻¹g is below 1e-15 P with H ≤ (λ + 10) I: ‖g‖ < 1e-7
          expect(gradientNorm(problem, x)).toBeLessThan(1e-7);
        }
      });

  test("of four storages is one", () => {
    const base = problemOf("squared-hinge", { n: 300, d: 12, density: 0.5 });
    const single = Float32Array.from(denseData(base));
    const rounded = Float64Array.from(single);
    const sparse = sparseOf({ rows: 300, columns: 12, data: rounded });
    const storages: readonly Rows[] = [
      { rows: 300, columns: 12, data: rounded },
      { rows: 300, columns: 12, data: single },
      sparse,
      { ...sparse, values: Float32Array.from(sparse.values) },
    ];
    for (const bias of ["none", "regularized"] as const)
      for (const method of methods) {
        const [first, ...others] = storages.map(
          (rows) => solve({ ...base, rows, bias }, { tolerance: 1e-14, method }).x,
        );
        for (const x of others) x.forEach((w, j) => void expect(w).toBeCloseTo(first[j], 8));
      }
  });

  test("with importances is that of rows repeated", () => {
    const whole = problemOf("logistic", { n: 30, d: 3, bias: "free" });
    const times = Array.from({ length: 30 }, (_, i) => i % 3);
    const kept = times.flatMap((c, i) => Array.from({ length: c }, () => i));
    expect(kept).toHaveLength(30); // so that the mean is over as many
    const entries = denseData(whole);
    const data = Float64Array.from(kept.flatMap((i) => Array.from(entries.slice(3 * i, 3 * i + 3))));
    const repeated = {
      ...whole,
      rows: { rows: 30, columns: 3, data },
      targets: Float64Array.from(kept, (i) => whole.targets[i]),
    };
    const weighted = { ...whole, importances: Float64Array.from(times) };
    for (const method of methods) {
      const [a, b] = [weighted, repeated].map((p) => solve(p, { tolerance: 1e-14, method }).x);
      a.forEach((w, j) => void expect(w).toBeCloseTo(b[j], 6));
    }
  });

  test("from a given first point is the same", () => {
    const problem = problemOf("squared-hinge", { bias: "free" });
    const initial = Float64Array.from({ length: 7 }, (_, j) => 10 * (j - 3));
    const [a, b] = [{}, { initial }].map((o) => solve(problem, { tolerance: 1e-15, ...o }).x);
    a.forEach((w, j) => void expect(w).toBeCloseTo(b[j], 7));
    expect(initial[0]).toBe(-30);
  });
});

describe("the certificate", () => {
  test("is at least the true gap once it is small, whatever the data", () => {
    fc.assert(
      fc.property(
        fc.record({
          name: fc.constantFrom(...lossNames),
          seed: fc.integer({ min: 0, max: 1e6 }),
          n: fc.integer({ min: 2, max: 60 }),
          d: fc.integer({ min: 1, max: 8 }),
          lambda: fc.constantFrom(1e-4, 1e-2, 1),
          density: fc.constantFrom(0.3, 1),
          method: fc.constantFrom(...methods),
        }),
        ({ name, method, ...shape }) => {
          const problem = problemOf(name, shape);
          const optimum = solve(problem, { tolerance: 1e-15, method: "explicit" }).value ?? Number.NaN;
          const { value = Number.NaN, status } = solve(problem, { tolerance: 1e-3, method });
          expect(status).toBe("converged");
          // rounding of the two values aside
          expect(value - optimum).toBeLessThanOrEqual(1e-3 * value + 1e-14);
        },
      ),
      {
        numRuns: 150,
        // four rows on eight columns: a tenth of the residual hides most of the decrement
        examples: [
          [
            {
              name: "squared-error",
              seed: 773348,
              n: 4,
              d: 8,
              lambda: 1e-4,
              density: 1,
              method: "diagonal",
            },
          ],
        ],
      },
    );
  });

  test("is told with its name, and P falls in every iteration", () => {
    const { history } = solve(problemOf("squared-hinge", { n: 500 }), { tolerance: 1e-10 });
    const done = history.filter(({ phase }) => phase === "iteration");
    expect(done.length).toBeGreaterThan(2);
    for (const [k, { details, value = Number.NaN }] of done.entries()) {
      expect(details.certificate).toBe("newton-decrement");
      expect(value).toBeLessThanOrEqual(done[Math.max(0, k - 1)].value ?? Number.NaN);
    }
  });

  test("of too few passes is in the message", () => {
    const { status, message } = solve(problemOf("squared-hinge", { n: 500 }), {
      maxPasses: 2,
      tolerance: 1e-12,
    });
    expect(status).toBe("max-evaluations");
    expect(message).toContain("decrement");
  });
});

describe("hostile data", () => {
  const reaches = (problem: LinearProblem): void => {
    for (const method of ["explicit", "sampled"] as const) {
      const { value = Number.NaN, status } = solve(problem, { tolerance: 1e-4, method });
      const best =
        solve(problem, { tolerance: 1e-13, method: "explicit", maxPasses: 1e5 }).value ?? Number.NaN;
      expect(status).toBe("converged");
      expect(value).toBeLessThanOrEqual(best * (1 + 1e-4));
    }
  };

  test("separable rows and a tiny λ", () => {
    const { rows } = noisyHalves(200, 5);
    const targets = Float64Array.from({ length: 200 }, (_, i) => (rows.data[5 * i] > 0 ? 1 : -1));
    for (const name of ["squared-hinge", "logistic", "smoothed-hinge"] as const)
      reaches({ rows, targets, loss: linearLoss(name), lambda: 1e-8, bias: "none" });
  });

  test("constant, empty and repeated columns, empty rows", () => {
    const { rows, targets } = noisyHalves(200, 3);
    const data = new Float64Array(200 * 8);
    for (let i = 20; i < 200; i++) {
      for (let j = 0; j < 3; j++) for (const k of [j, j + 3]) data[8 * i + k] = rows.data[3 * i + j];
      data[8 * i + 6] = 5;
    }
    for (const name of ["squared-hinge", "logistic", "huber"] as const)
      for (const bias of ["none", "regularized", "free"] as const)
        reaches({
          rows: { rows: 200, columns: 8, data },
          targets,
          loss: linearLoss(name),
          lambda: 1e-6,
          bias,
        });
  });

  test("columns of very different size", () => {
    const base = problemOf("squared-hinge", { n: 400, d: 8, lambda: 1e-3 });
    const sizes = Float64Array.from([1e-6, 1e-4, 1e-2, 1, 1e2, 1e4, 1e6, 1e8]);
    const data = Float64Array.from(denseData(base), (entry, k) => entry * sizes[k % 8]);
    for (const name of ["squared-hinge", "logistic"] as const)
      reaches({ ...base, loss: linearLoss(name), rows: { rows: 400, columns: 8, data } });
  });

  test("one class only, with a free bias", () => {
    const base = problemOf("squared-hinge", { bias: "free" });
    const { x, status, value } = solve({ ...base, targets: new Float64Array(80).fill(1) });
    expect([status, value]).toEqual(["converged", expect.closeTo(0, 12)]);
    expect(x.at(-1)).toBeCloseTo(1, 6);
  });

  test("no row that counts", () => {
    const base = problemOf("logistic");
    expect(solve({ ...base, importances: new Float64Array(80) })).toMatchObject({
      status: "converged",
      value: 0,
    });
  });

  test("entries too large for their squares end in diverged or a lower P, never in NaN", () => {
    for (const name of lossNames)
      for (const size of [1e120, 1e160, 1e300])
        for (const method of methods) {
          const base = problemOf(name);
          const data = Float64Array.from(denseData(base), (entry) => entry * size);
          const { x, status, usable } = solve(
            { ...base, rows: { rows: 80, columns: 6, data } },
            { method, maxPasses: 200 },
          );
          expect(x.every(Number.isFinite)).toBe(true);
          expect(usable || status === "diverged").toBe(true);
        }
  });
});

describe("one class against the rest", () => {
  test("with a shared Hessian gives the same bits as alone", () => {
    const base = problemOf("squared-hinge", { n: 400, d: 5, bias: "regularized" });
    const classes = [0, 1, 2].map((k) => base.targets.map((_, i) => (i % 3 === k ? 1 : -1)));
    const shared = new SharedRows(base);
    for (const targets of classes) {
      const problem = { ...base, targets };
      const together = solve(problem, { shared, method: "explicit", tolerance: 1e-9 });
      const alone = solve(problem, { method: "explicit", tolerance: 1e-9 });
      expect(together.x).toEqual(alone.x);
      expect(together.passes).toBeLessThanOrEqual(alone.passes);
    }
  });
});

describe("refuses", () => {
  const problem = problemOf("logistic");
  const cases: readonly [string, () => unknown, string][] = [
    ["the hinge", () => new Newton(problemOf("hinge")), "ERR_OPTION"],
    ["λ = 0", () => new Newton({ ...problem, lambda: 0 }), "ERR_OPTION"],
    ["a tolerance of NaN", () => new Newton(problem, { tolerance: Number.NaN }), "ERR_OPTION"],
    ["no passes", () => new Newton(problem, { maxPasses: 0 }), "ERR_OPTION"],
    [
      "a first point of another length",
      () => new Newton(problem, { initial: new Float64Array(3) }),
      "ERR_SHAPE",
    ],
    [
      "a first point with NaN",
      () => new Newton(problem, { initial: new Float64Array(6).fill(Number.NaN) }),
      "ERR_NON_FINITE",
    ],
    [
      "other rows than the shared ones",
      () => new Newton(problem, { shared: new SharedRows(problemOf("logistic")) }),
      "ERR_OPTION",
    ],
  ];
  test.each(cases)("%s", (_, make, code) => {
    expect(make).toThrowError(expect.objectContaining({ name: "CurvatureError", code }));
  });

  test("a snapshot of another problem, and goes on as before", () => {
    const solver = new Newton(problem);
    solver.step();
    const before = solver.save();
    const other = new Newton(problemOf("logistic", { n: 81 }));
    expect(() => solver.restore(other.save())).toThrowError(
      expect.objectContaining({ code: "ERR_SNAPSHOT" }),
    );
    expect(solver.save()).toEqual(before);
  });
});
