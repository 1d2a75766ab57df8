import { zeros } from "@curvature/linalg";
import { maxIterations, runSync } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { upperBounds } from "../../src/bounds/upper.js";
import { gramOfMatrix, gramOfPoints } from "../../src/gram.js";
import { solveRing } from "../../src/ring.js";
import { Admm } from "../../src/solvers/admm.js";
import { clusteringPoint, randomGram, randomPoints, ringPoints } from "../helpers/small.js";
import { independentBounds, worstViolation } from "../helpers/verify.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

describe("the ADMM conforms", () => {
  const checks = solverConformance({
    name: "admm",
    create: () => new Admm({ gram: randomGram(12, 3, 1), clusters: 3.5 }, { tolerance: 1e-7 }),
    createTiny: () => new Admm({ gram: gramOfPoints([[1]]), clusters: 1 }),
    sense: "none", // the objective of an infeasible X exceeds the best lower bound
    hasFaults: false, // nothing of the user's is evaluated
    steps: 45,
    longSteps: 40,
    bytesInUse,
  });
  for (const { name, check } of checks) test(name, check);

  test("with few eigenpairs, a restored solver goes on bit for bit", { tags: ["full"] }, () => {
    const problem = { gram: randomGram(130, 3, 5), clusters: 4 };
    const whole = new Admm(problem);
    for (let k = 0; k < 60; k++) whole.step();
    const resumed = new Admm(problem);
    resumed.restore(structuredClone(whole.save()));
    for (let k = 0; k < 15; k++) expect(resumed.step()).toEqual(whole.step());
    expect(whole.step().details.complete).toBe(false);
  });
});

describe("certified optima", () => {
  test("rings, against the linear programme", () => {
    for (const [n, K] of [
      [24, 1.5],
      [24, 4],
      [24, 13],
      [31, 5.5],
    ]) {
      const problem = { gram: gramOfPoints(ringPoints(n), { scale: "none" }), clusters: K };
      const solver = new Admm(problem);
      const { value, status, history } = runSync(solver, { stop: maxIterations(1500), history: 1 });
      const { gap, upper, lower } = history[0].details;
      expect(status).toBe("converged");
      expect(gap).toBeLessThanOrEqual(1e-4);
      expect(value).toBe(lower);
      const right = solveRing(n, K).value;
      expect(lower).toBeLessThanOrEqual(right + 1e-9);
      expect(upper).toBeGreaterThanOrEqual(right - 1e-9);
      const Q = { rows: n, columns: n, data: solver.best.x };
      expect(worstViolation(Q, K)).toBeLessThan(1e-12);
    }
  });

  test("ml-matrix finds the same bounds from the multiplier", () => {
    const problem = { gram: randomGram(40, 3, 3), clusters: 5 };
    const solver = new Admm(problem);
    for (let k = 0; k < 60; k++) solver.step();
    const S = solver.multiplier();
    const ours = upperBounds(problem, S);
    const theirs = independentBounds(problem.gram.dense(), S, 5);
    expect(Math.abs(ours.fantope - theirs.fantope)).toBeLessThan(1e-9 * theirs.fantope);
    expect(solver.step().details.upper).toBeLessThanOrEqual(theirs.fantope + 1e-9);
  });

  test("far blobs become their clustering", () => {
    const labels = Array.from({ length: 40 }, (_, i) => i % 4);
    const X = randomPoints(40, 2, 2);
    labels.forEach((label, i) => {
      X.data[2 * i] += 40 * (label % 2);
      X.data[2 * i + 1] += 40 * (label >> 1);
    });
    const solver = new Admm({ gram: gramOfPoints(X), clusters: 4 }, { tolerance: 1e-7 });
    expect(runSync(solver, { stop: maxIterations(1000) }).status).toBe("converged");
    const Q = clusteringPoint(labels);
    for (let k = 0; k < 1600; k++) expect(Math.abs(solver.last.x[k] - Q.data[k])).toBeLessThan(1e-3);
  });

  test("K = 1 and K = n are exact at once but for the rounding of Tr D, also on data that are all 0", () => {
    for (const gram of [randomGram(6, 2, 1), gramOfPoints([[2], [2], [2]]), gramOfPoints([[5]])])
      for (const K of [1, gram.n]) {
        const solver = new Admm({ gram, clusters: K });
        const { outcome, details } = solver.step();
        expect(outcome?.status).toBe("converged");
        expect(details.gap).toBeLessThan(K === 1 || gram.trace === 0 ? Number.MIN_VALUE : 1e-14);
        expect(worstViolation({ rows: gram.n, columns: gram.n, data: solver.best.x }, K)).toBeLessThan(1e-14);
      }
  });

  test("K near its ends, two points and tiny data end with a certificate too", () => {
    const tiny = gramOfPoints([[1e-90], [2e-90], [9e-90], [-4e-90]], { scale: "none" });
    for (const [gram, K] of [
      [randomGram(8, 2, 3), 1.000001],
      [randomGram(8, 2, 3), 7.999],
      [randomGram(2, 2, 3), 1.5],
      [tiny, 2],
    ] as const) {
      const solver = new Admm({ gram, clusters: K });
      const { status, history } = runSync(solver, { stop: maxIterations(2000), history: 1 });
      expect([K, status]).toEqual([K, "converged"]);
      expect(history[0].details.gap).toBeLessThanOrEqual(1e-4);
      expect(worstViolation({ rows: gram.n, columns: gram.n, data: solver.best.x }, K)).toBeLessThan(1e-12);
    }
  });

  test("standing still is a plateau and no convergence", () => {
    const problem = { gram: gramOfPoints(ringPoints(24)), clusters: 4 };
    const stop = maxIterations(200);
    const { status, history } = runSync(new Admm(problem, { penalty: 1e13 }), { stop, history: 1 });
    expect(status).toBe("max-iterations");
    expect(history[0].details.plateau).toBe(true);
    expect(runSync(new Admm(problem), { stop, history: true }).history.some((it) => it.details.plateau)).toBe(
      false,
    );
  });

  test("equal points: every feasible point is optimal", () => {
    const { status, value } = runSync(new Admm({ gram: gramOfPoints([[2], [2], [2]]), clusters: 2 }), {
      stop: maxIterations(50),
    });
    expect([status, value]).toEqual(["converged", 0]);
  });

  test("permuting the points permutes nothing in the value; D + c I adds c K", () => {
    const X = randomPoints(20, 3, 9);
    const turned = { ...X, data: X.data.slice() };
    for (let i = 0; i < 20; i++) turned.data.set(X.data.subarray((19 - i) * 3, (20 - i) * 3), i * 3);
    const D = zeros(20, 20);
    D.data.set(gramOfPoints(X).dense().data);
    for (let i = 0; i < 20; i++) D.data[i * 21] += 2;
    const values = [gramOfPoints(X), gramOfPoints(turned), gramOfMatrix(D)].map(
      (gram) =>
        runSync(new Admm({ gram, clusters: 4 }, { tolerance: 1e-6 }), { stop: maxIterations(3000) }).value ??
        0,
    );
    expect(Math.abs(values[1] / values[0] - 1)).toBeLessThan(2e-6);
    expect(Math.abs((values[2] - 8) / values[0] - 1)).toBeLessThan(2e-5); // the gap is relative to a larger value there
  });
});

test("bad problems and options end in an error of their own", () => {
  const gram = randomGram(5, 2, 1);
  const code = (code: string) => expect.objectContaining({ name: "CurvatureError", code });
  for (const clusters of [0, 0.5, 5.1, Number.NaN, Number.POSITIVE_INFINITY, JSON.parse('"2"'), undefined])
    expect(() => new Admm({ gram, clusters })).toThrowError(code("ERR_OPTION"));
  expect(() => new Admm(JSON.parse("null"))).toThrowError(code("ERR_ARGUMENT"));
  expect(() => new Admm({ gram, clusters: 2 }, { tolerance: -1 })).toThrowError(code("ERR_OPTION"));
  const small = gramOfPoints(randomPoints(50, 2, 1), { memoryLimit: 100_000 });
  expect(() => new Admm({ gram: small, clusters: 2 })).toThrowError(
    /the ADMM for 50 points takes 0.000168 GiB/,
  );
});
