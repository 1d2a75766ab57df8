import { norm2 } from "@curvature/linalg";
import {
  type LinearProblem,
  linearLoss,
  linearObjective,
  parameterCount,
  primalCost,
  type Rows,
} from "@curvature/objectives/linear";
import { solverConformance } from "@curvature/optim-core/conformance";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SharedRows } from "../../../src/multiclass/shared-rows.js";
import { Newton } from "../../../src/solvers/newton/newton.js";
import { exactRisk, fraction, ratio } from "../../helpers/fractions.js";
import { noisyHalves, sparseOf } from "../../helpers/rows.js";
import { denseData, lossNames, methods, problemOf, solve } from "./newton-problems.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

function gradientNorm(problem: LinearProblem, w: Float64Array): number {
  const gradient = new Float64Array(parameterCount(problem));
  linearObjective(problem).evaluate(w, gradient);
  return norm2(gradient);
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
    "sampled preconditioner, the diagonal until it pays": (seed) =>
      new Newton(problemOf("logistic", { n: 120, d: 90, lambda: 1e-5, bias: "free" }), {
        tolerance: 1e-9,
        method: "sampled",
        initial: new Float64Array(91).fill(0.1 * seed),
      }),
    "hinge, a free bias": (seed) =>
      new Newton(problemOf("hinge", { n: 200, bias: "free", lambda: 1e-3 }), {
        tolerance: 1e-5,
        initial: new Float64Array(7).fill(0.1 * seed),
      }),
    "separable rows, a small λ": (seed) => {
      const { rows } = noisyHalves(150, 6, { seed: 3 });
      const targets = Float64Array.from({ length: 150 }, (_, i) => (rows.data[6 * i] > 0 ? 1 : -1));
      const loss = linearLoss("smoothed-hinge", { width: 0.1 });
      const initial = new Float64Array(6).fill(0.1 * seed);
      return new Newton({ rows, targets, loss, lambda: 1e-6, bias: "none" }, { tolerance: 1e-6, initial });
    },
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
    for (const { name: what, check } of checks) test(`${name}: ${what}`, { tags: ["full"] }, check);
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
          const { x, status, value, history } = solve(problem, { tolerance: 1e-15, method });
          // as near as doubles can say, which is not 1e-15
          expect(status).toBe("stalled");
          expect(history.at(-1)?.details.gap).toBeLessThan(1e-12);
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
    const tolerance = 1e-14;
    for (const bias of ["none", "regularized"] as const)
      for (const method of methods) {
        const [first, ...others] = storages.map((rows) =>
          solve({ ...base, rows, bias }, { tolerance, method }),
        );
        // P − P* ≤ tolerance · P of either, and P − P* ≥ λ/2 ‖w − w*‖²
        const cost = first.value ?? Number.NaN;
        const distance = 2 * Math.sqrt((2 * tolerance * cost) / base.lambda);
        for (const { x, value } of others) {
          expect(value).toBeCloseTo(cost, 13);
          x.forEach((w, j) => void expect(Math.abs(w - first.x[j])).toBeLessThan(distance));
        }
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

  test("is reported with its name, and P falls in every iteration", () => {
    const { history } = solve(problemOf("squared-hinge", { n: 500 }), { tolerance: 1e-10 });
    const done = history.filter(({ phase }) => phase === "iteration");
    expect(done.length).toBeGreaterThan(2);
    for (const [k, { details, value = Number.NaN }] of done.entries()) {
      if (details.gap !== undefined) expect(details.certificate).toBe("duality-gap");
      expect(value).toBeLessThanOrEqual(done[Math.max(0, k - 1)].value ?? Number.NaN);
    }
  });

  test("stands beside a value that is P at the parameters, also where rounding piled up in the margins", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { rows, targets } = noisyHalves(14, 15, { seed, density: 0.7 });
      const data = rows.data.map((x, k) => x * 10 ** ((((7 * k) % 15) * seed) % 9));
      const problem = {
        rows: { ...rows, data },
        targets,
        loss: linearLoss("hinge"),
        lambda: 100,
        bias: "regularized" as const,
      };
      const { x, value = Number.NaN } = solve(problem, { tolerance: 1e-9, maxPasses: 24 + (seed % 12) });
      // in fractions: `primalCost` has the rounding of scores of entries up to 1e8
      const P = ratio(exactRisk(problem, x), fraction(problem.rows.rows));
      expect(Math.abs(value - P), `seed ${seed}: ${value}, ${P}`).toBeLessThanOrEqual(1e-9 * P);
    }
  });

  test("of too few passes is in the message", () => {
    const { status, message } = solve(problemOf("squared-hinge", { n: 500 }), {
      maxPasses: 2,
      tolerance: 1e-12,
    });
    expect(status).toBe("max-iterations");
    expect(message).toMatch(/^The limit of 2 passes is reached: the duality gap is 0\.\d+ of P\.$/);
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
