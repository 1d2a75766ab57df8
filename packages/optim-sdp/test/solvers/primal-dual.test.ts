import { maxIterations, runSync } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { factoredDense, factoredValue } from "../../src/bounds/factored-point.js";
import { upperBounds } from "../../src/bounds/upper.js";
import { gramOfMatrix, gramOfPoints } from "../../src/gram.js";
import { solveRing } from "../../src/ring.js";
import {
  PrimalDual,
  type PrimalDualPhase,
  primalDualBytes,
  primalDualPhases,
} from "../../src/solvers/primal-dual.js";
import { clusteringPoint, randomGram, randomPoints, ringPoints } from "../helpers/small.js";
import { independentBounds, worstViolation } from "../helpers/verify.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
const create = (seed: number) =>
  new PrimalDual({ gram: randomGram(60, 2, 2), clusters: 3.5 }, { rank: 6, seed });

describe("auto conforms", () => {
  const checks = solverConformance({
    name: "auto",
    create,
    createTiny: () => new PrimalDual({ gram: gramOfPoints([[1]]), clusters: 1 }),
    sense: "maximize",
    hasFaults: false, // nothing of the user's is evaluated
    steps: 700, // to its end, through all phases
    longSteps: 100,
    bytesInUse,
  });
  for (const { name, check } of checks) test(name, { tags: ["full"] }, check);

  test("cut in any phase, it goes on bit for bit", { tags: ["full"] }, () => {
    const whole = create(1);
    const seen = new Map<PrimalDualPhase, number>();
    for (let ended = false; !ended; ) {
      const { details, outcome } = whole.step();
      const { phase } = details;
      ended = outcome !== undefined;
      const times = (seen.get(phase) ?? 0) + 1;
      seen.set(phase, times);
      if (times !== 1 && times !== 4) continue;
      const resumed = create(2);
      resumed.restore(structuredClone(whole.save()));
      const twin = create(1);
      twin.restore(whole.save());
      for (let step = 0; step < 30; step++) expect(resumed.step()).toEqual(twin.step());
      expect(resumed.best.x).toEqual(twin.best.x);
    }
    expect([...seen.keys()].sort()).toEqual([...primalDualPhases].sort());
  });
});

describe("the certified gap is true", () => {
  test("rings, against the linear programme", () => {
    for (const [n, K] of [
      [24, 1.5],
      [24, 4],
      [24, 13],
      [31, 5.5],
    ]) {
      const problem = { gram: gramOfPoints(ringPoints(n), { scale: "none" }), clusters: K };
      const solver = new PrimalDual(problem, { tolerance: 1e-4 });
      const { value, status, history } = runSync(solver, { stop: maxIterations(6000), history: 1 });
      const { gap, upper, lower } = history[0].details;
      expect([n, K, status]).toEqual([n, K, "converged"]);
      expect(gap).toBeLessThanOrEqual(1e-4);
      expect(value).toBe(lower);
      const right = solveRing(n, K).value;
      expect(lower).toBeLessThanOrEqual(right * (1 + 1e-12));
      expect(upper).toBeGreaterThanOrEqual(right * (1 - 1e-12));
      expect(worstViolation({ rows: n, columns: n, data: solver.best.x }, K)).toBeLessThan(1e-12);
    }
  });

  test("with all eigenpairs and with few, ml-matrix finds the same bound from the multiplier, and the value and feasibility of the point", {
    tags: ["full"],
  }, () => {
    for (const [n, d, K, seed] of [
      [40, 3, 5, 3],
      [150, 2, 6.25, 4],
    ]) {
      const problem = { gram: randomGram(n, d, seed), clusters: K };
      const solver = new PrimalDual(problem);
      const { details } = runSync(solver, { stop: maxIterations(6000), history: 1 }).history[0];
      const S = solver.multiplier();
      if (S === undefined) throw new Error("there must be a multiplier");
      const theirs = independentBounds(problem.gram.dense(), S, K).fantope;
      expect(Math.abs(details.upper / theirs - 1)).toBeLessThan(1e-9);
      expect(upperBounds(problem, S).fantope).toBe(details.upper);
      const Q = { rows: n, columns: n, data: solver.best.x };
      const D = problem.gram.dense().data;
      expect(Q.data.reduce((sum, q, k) => sum + q * D[k], 0)).toBeCloseTo(details.lower, 9);
      expect(worstViolation(Q, K)).toBeLessThan(1e-12);
      expect((theirs - details.lower) / theirs).toBeLessThanOrEqual(1e-3 * (1 + 1e-6));
      expect(factoredValue(problem.gram, solver.bestPoint)).toBeCloseTo(details.lower, 10);
    }
  });

  test("far blobs become their clustering", () => {
    const labels = Array.from({ length: 40 }, (_, i) => i % 4);
    const X = randomPoints(40, 2, 2);
    labels.forEach((label, i) => {
      X.data[2 * i] += 40 * (label % 2);
      X.data[2 * i + 1] += 40 * (label >> 1);
    });
    const solver = new PrimalDual({ gram: gramOfPoints(X), clusters: 4 }, { tolerance: 1e-6 });
    expect(runSync(solver, { stop: maxIterations(6000) }).status).toBe("converged");
    const Q = clusteringPoint(labels);
    for (let k = 0; k < 1600; k++) expect(Math.abs(solver.best.x[k] - Q.data[k])).toBeLessThan(1e-3);
  });

  test("a Gram matrix with negative eigenvalues and an offset ends with a certificate too", () => {
    const A = randomPoints(50, 50, 4);
    const G = { ...A, data: A.data.map((a, k) => 1 + a + A.data[(k % 50) * 50 + Math.floor(k / 50)]) };
    const problem = { gram: gramOfMatrix(G), clusters: 6 };
    const solver = new PrimalDual(problem);
    const { status, history } = runSync(solver, { stop: maxIterations(8000), history: 1 });
    const { lower, upper } = history[0].details;
    expect(status).toBe("converged");
    const Q = factoredDense(solver.bestPoint).data;
    expect(Q.reduce((sum, q, k) => sum + q * G.data[k], 0)).toBeCloseTo(lower, 9);
    expect(upper).toBeGreaterThanOrEqual(lower);
  });
});

describe("at the ends", () => {
  test("K = 1 and K = n are exact at once but for the rounding of Tr D, also on data that are all 0", () => {
    for (const gram of [randomGram(6, 2, 1), gramOfPoints([[2], [2], [2]]), gramOfPoints([[5]])])
      for (const K of [1, gram.n]) {
        const solver = new PrimalDual({ gram, clusters: K });
        const { outcome, details } = solver.step();
        expect(outcome?.status).toBe("converged");
        expect(details.gap).toBeLessThan(K === 1 || gram.trace === 0 ? Number.MIN_VALUE : 1e-14);
        expect(worstViolation({ rows: gram.n, columns: gram.n, data: solver.best.x }, K)).toBeLessThan(1e-14);
      }
  });

  test("K near its ends, two points, tiny data, duplicates and equal points end with a certificate", () => {
    const tiny = gramOfPoints([[1e-90], [2e-90], [9e-90], [-4e-90]], { scale: "none" });
    const twice = gramOfPoints([...ringPoints(10), ...ringPoints(10)]);
    for (const [gram, K] of [
      [randomGram(8, 2, 3), 1.000001],
      [randomGram(8, 2, 3), 7.999],
      [randomGram(2, 2, 3), 1.5],
      [tiny, 2],
      [twice, 4],
      [gramOfPoints([[2], [2], [2]]), 2],
    ] as const) {
      const solver = new PrimalDual({ gram, clusters: K });
      const { status, history } = runSync(solver, { stop: maxIterations(8000), history: 1 });
      expect([gram.n, K, status]).toEqual([gram.n, K, "converged"]);
      expect(history[0].details.gap).toBeLessThanOrEqual(1e-3);
      expect(worstViolation({ rows: gram.n, columns: gram.n, data: solver.best.x }, K)).toBeLessThan(1e-12);
    }
  });

  test("stopped at any time, there is a feasible point, and its gap on request", () => {
    const problem = { gram: randomGram(50, 3, 8), clusters: 5 };
    for (const steps of [0, 1, 60, 400]) {
      const solver = new PrimalDual(problem, { tolerance: 1e-9 });
      for (let k = 0; k < steps; k++) solver.step();
      expect(worstViolation({ rows: 50, columns: 50, data: solver.best.x }, 5)).toBeLessThan(1e-12);
      const gap = solver.certifyNow();
      expect(gap).toBeGreaterThanOrEqual(0);
      expect(gap).toBeLessThan(10);
      expect(solver.step().details.gap).toBeLessThanOrEqual(gap);
    }
  });

  test("without a certificate it ends with the factorisation, and keeps the factor alone", () => {
    const problem = { gram: randomGram(50, 3, 8), clusters: 5 };
    const solver = new PrimalDual(problem, { certify: false });
    const { status, history, message, x } = runSync(solver, { stop: maxIterations(8000), history: 1 });
    expect(status).toBe("converged");
    expect(message).toContain("No certificate is made, since none was asked for");
    expect(history[0].details.gap).toBe(Number.POSITIVE_INFINITY);
    expect(x).toHaveLength(solver.dimension);
    expect(solver.dimension).toBe(50 * 20);
    expect(new PrimalDual({ gram: randomGram(3200, 1, 1), clusters: 65 }).certifies).toBe(false);
    expect(new PrimalDual({ gram: randomGram(3200, 1, 1), clusters: 8 }).certifies).toBe(true);
  });
});

describe("where a certificate does not fit into the memory", () => {
  const problem = {
    gram: gramOfPoints(randomPoints(50, 2, 1), { memoryLimit: 100_000 }),
    clusters: 2,
  };

  test("it ends with the lower bound", () => {
    const solver = new PrimalDual(problem);
    expect(solver.certifies).toBe(false);
    const { status, message, history } = runSync(solver, { stop: maxIterations(8000), history: 1 });
    expect(status).toBe("converged");
    expect(message).toMatch(/No certificate is made\.$/);
    expect(history[0].details.upper).toBe(Number.POSITIVE_INFINITY);
    expect(primalDualBytes(50, 2)).toBeGreaterThan(100_000);
  });
});

describe("restored with another tolerance", () => {
  const problem = { gram: randomGram(60, 2, 3), clusters: 6 };
  const ended = (solver: PrimalDual) => runSync(solver, { stop: maxIterations(8000), history: 1 });

  test("an end at 1e-2 goes on to 1e-4, one at 1e-4 stays at 1e-2", () => {
    const rough = new PrimalDual(problem, { tolerance: 1e-2 });
    expect(ended(rough).history[0].details.gap).toBeGreaterThan(1e-4);
    const fine = new PrimalDual(problem, { tolerance: 1e-4 });
    fine.restore(rough.save());
    const { status, history } = ended(fine);
    expect(status).toBe("converged");
    expect(history[0].details.gap).toBeLessThanOrEqual(1e-4);
    const again = new PrimalDual(problem, { tolerance: 1e-2 });
    again.restore(fine.save());
    expect(again.step()).toEqual(fine.step());
  });

  test("without a certificate the factorisation goes on", () => {
    const rough = new PrimalDual(problem, { tolerance: 1e-2, certify: false });
    const { value = Number.NaN, iterations } = ended(rough);
    const fine = new PrimalDual(problem, { tolerance: 1e-5, certify: false });
    fine.restore(rough.save());
    const result = ended(fine);
    expect(result.status).toBe("converged");
    expect(result.iterations).toBeGreaterThan(iterations);
    expect(result.value).toBeGreaterThanOrEqual(value);
  });
});

test("bad problems and options end in an error of their own", () => {
  const gram = randomGram(5, 2, 1);
  const code = (code: string) => expect.objectContaining({ name: "CurvatureError", code });
  for (const clusters of [0, 0.5, 5.1, Number.NaN, Number.POSITIVE_INFINITY, JSON.parse('"2"'), undefined])
    expect(() => new PrimalDual({ gram, clusters })).toThrowError(code("ERR_OPTION"));
  expect(() => new PrimalDual(JSON.parse("null"))).toThrowError(code("ERR_ARGUMENT"));
  for (const options of [
    { tolerance: -1 },
    { rank: 0 },
    { seed: 0.5 },
    JSON.parse('{ "certify": "always" }'),
    JSON.parse('{ "tolerence": 1 }'),
  ])
    expect(() => new PrimalDual({ gram, clusters: 2 }, options)).toThrowError(code("ERR_OPTION"));
  const small = gramOfPoints(randomPoints(50, 2, 1), { memoryLimit: 100_000 });
  expect(() => new PrimalDual({ gram: small, clusters: 2 }, { certify: true })).toThrowError(
    /a certified gap for 50 points .* takes/,
  );
  expect(() => new PrimalDual({ gram: small, clusters: 2 }, { certify: false })).not.toThrow();
});
