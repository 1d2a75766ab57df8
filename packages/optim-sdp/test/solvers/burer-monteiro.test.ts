import { type DenseMatrix, multiply, RandomGenerator, zeros } from "@curvature/linalg";
import { checkGradient, maxIterations, runSync } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { factoredDense } from "../../src/bounds/factored-point.js";
import type { Gram } from "../../src/gram.js";
import { gramOfMatrix, gramOfPoints } from "../../src/gram.js";
import { solveRing } from "../../src/ring.js";
import { Lagrangian } from "../../src/solvers/augmented-lagrangian.js";
import { BurerMonteiro, type BurerMonteiroOptions } from "../../src/solvers/burer-monteiro.js";
import { factorProducts } from "../../src/solvers/factor-products.js";
import type { BurerMonteiroStart } from "../../src/solvers/factor-start.js";
import { densified, moved, supportOf, valuesOn } from "../../src/solvers/factor-support.js";
import { referenceSet } from "../helpers/reference.js";
import { randomGram, randomPoints, ringPoints } from "../helpers/small.js";
import { worstViolation } from "../helpers/verify.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
const finish = (solver: BurerMonteiro) => runSync(solver, { stop: maxIterations(20_000), history: 1 });
const solved = (gram: Gram, clusters: number, options?: BurerMonteiroOptions) => {
  const solver = new BurerMonteiro({ gram, clusters }, options);
  return { solver, result: finish(solver) };
};

/** A factor of about `share` positive entries, with the support of these. */
function randomFactor(n: number, r: number, share: number, seed: number) {
  const random = new RandomGenerator(seed);
  const Y = zeros(n, r);
  for (let k = 0; k < Y.data.length; k++) if (random.uniform() < share) Y.data[k] = 0.1 + random.uniform();
  const support = supportOf(
    n,
    r,
    Uint8Array.from(Y.data, (y) => (y > 0 ? 1 : 0)),
  );
  return { Y, support, values: valuesOn(support, Y.data) };
}

describe("the augmented Lagrangian", () => {
  const n = 13;
  const points = randomGram(n, 3, 1);
  const forms: readonly (readonly [string, Gram])[] = [
    ["points", points], // of few coordinates, so that D is not formed
    ["matrix", gramOfMatrix(points.dense())],
  ];
  const multipliers = { trace: 0.7, rowSums: Float64Array.from({ length: n }, (_, i) => 0.3 * i - 2) };

  test.each(forms)("of %s: its gradient at the support is that of central differences", (_, gram) => {
    for (const [r, share] of [
      [5, 0.4],
      [1, 1],
      [17, 0.9],
    ]) {
      const { support, values } = randomFactor(n, r, share, 3);
      const lagrangian = new Lagrangian(support, factorProducts(gram, r), 1.7, 3, 0.6, multipliers);
      const { isCorrect, message } = checkGradient(lagrangian, values);
      expect(isCorrect, message).toBe(true);
      expect(lagrangian.evaluate(values)).toBe(lagrangian.evaluate(values, new Float64Array(values.length)));
    }
  });

  test.each(forms)("of %s: its gradient in rows is that of all entries, where Y is 0", (_, gram) => {
    const r = 6;
    const { Y, support, values } = randomFactor(n, r, 0.3, 5);
    const all = supportOf(n, r, new Uint8Array(n * r).fill(1));
    const products = factorProducts(gram, r);
    const gradient = new Float64Array(n * r);
    new Lagrangian(all, products, 1.7, 3, 0.6, multipliers).evaluate(valuesOn(all, Y.data), gradient);
    const whole = densified(all, gradient);
    const lagrangian = new Lagrangian(support, products, 1.7, 3, 0.6, multipliers);
    lagrangian.evaluate(values, new Float64Array(values.length));
    const rows = lagrangian.rowsOfGradient(values, 4, 11);
    for (let i = 4; i < 11; i++)
      for (let j = 0; j < r; j++)
        if (Y.data[i * r + j] === 0) expect(rows[(i - 4) * r + j]).toBeCloseTo(whole.data[i * r + j], 11);
  });

  test("numbers keep their support when support come and go", () => {
    const { Y, support, values } = randomFactor(9, 4, 0.5, 1);
    const kept = randomFactor(9, 4, 0.5, 2);
    const there = densified(kept.support, moved(support, values, kept.support));
    for (let k = 0; k < 36; k++) expect(there.data[k]).toBe(kept.Y.data[k] > 0 ? Y.data[k] : 0);
  });
});

describe("Burer-Monteiro conforms", () => {
  const cases = [
    { name: "points", gram: () => randomGram(12, 3, 1), initialization: "kmeans" },
    { name: "a matrix", gram: () => gramOfMatrix(randomGram(12, 3, 1).dense()), initialization: "random" },
  ] as const;
  for (const { name, gram, initialization } of cases) {
    const checks = solverConformance({
      name,
      create: (seed) => new BurerMonteiro({ gram: gram(), clusters: 3.5 }, { seed, initialization }),
      createTiny: () => new BurerMonteiro({ gram: gramOfPoints([[1]]), clusters: 1 }),
      steps: 300,
      longSteps: 300,
      sense: "none", // Tr(Yᵀ D Y) of a Y whose rows do not sum to 1 exceeds the best lower bound
      hasFaults: false, // nothing of the user's is evaluated
      bytesInUse,
    });
    for (const { name: what, check } of checks) test(what, check);
  }
});

describe("Burer-Monteiro", () => {
  test("any problem: a feasible point whose value is the lower bound", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 2, max: 20 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 25 }),
        (seed, n, at, rank) => {
          const K = 1 + at * (n - 1);
          const gram = randomGram(n, 3, seed);
          const solver = new BurerMonteiro({ gram, clusters: K }, { seed, rank, tolerance: 1e-2 });
          const { value = Number.NaN, status } = runSync(solver, { stop: maxIterations(600) });
          expect(["converged", "stalled", "max-iterations"]).toContain(status);
          const Q = factoredDense(solver.lowerPoint);
          expect(worstViolation(Q, K)).toBeLessThan(1e-12);
          const product = multiply(gram.dense(), Q);
          let trace = 0;
          for (let i = 0; i < n; i++) trace += product.data[i * (n + 1)];
          expect(Math.abs(value - trace)).toBeLessThan(1e-10 * (1 + gram.trace));
          expect(solver.lower).toBe(value);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("rings: below the optimum, and near it where it is completely positive", () => {
    const gram = gramOfPoints(ringPoints(40), { scale: "none" });
    for (const [K, loss] of [
      [8, 1e-3],
      [20, 1e-4],
    ]) {
      const { value } = solveRing(40, K);
      const { result } = solved(gram, K, { tolerance: 1e-5 });
      expect(result.value).toBeLessThanOrEqual(value + 1e-9);
      expect([K, (result.value ?? 0) > (1 - loss) * value]).toEqual([K, true]);
    }
  });

  test("moons: the recorded optimum to 1e-4, from every start and from points and their Gram matrix", {
    tags: ["full"],
  }, () => {
    const { points, problems } = referenceSet("moons-n200");
    const [{ K, lower, upper }] = problems;
    const gram = gramOfPoints([...points]);
    const starts: readonly BurerMonteiroStart[] = ["kmeans", "random", "symmetric-nmf"];
    for (const initialization of starts) {
      const { result } = solved(gram, K, { initialization });
      expect(result.status).toBe("converged");
      expect(result.value).toBeLessThanOrEqual(upper + 1e-8);
      expect([initialization, (result.value ?? 0) > (1 - 2e-3) * lower]).toEqual([initialization, true]);
    }
    for (const one of [gram, gramOfMatrix(gram.dense())])
      expect(solved(one, K).result.value).toBeGreaterThan((1 - 1e-4) * lower);
  });

  test("the multipliers belong to D: −2 (D + l₁ I + (l₂ 1ᵀ + 1 l₂ᵀ)/2) Y is 0 where Y is positive", {
    tags: ["full"],
  }, () => {
    const gram = gramOfPoints([...referenceSet("moons-n200").points]);
    const { solver } = solved(gram, 10, { tolerance: 1e-5 });
    const { trace, rowSums } = solver.multipliers;
    const Y = solver.factor;
    const C: DenseMatrix = zeros(200, 200);
    for (let i = 0; i < 200; i++)
      for (let j = 0; j < 200; j++)
        C.data[i * 200 + j] =
          gram.dense().data[i * 200 + j] + (i === j ? trace : 0) + (rowSums[i] + rowSums[j]) / 2;
    const CY = multiply(C, Y).data;
    let residual = 0;
    let size = 0;
    for (let k = 0; k < CY.length; k++) {
      residual += Math.min(Y.data[k], -CY[k]) ** 2;
      size += CY[k] ** 2;
    }
    expect(Math.sqrt(residual / size)).toBeLessThan(1e-3);
  });

  test("K = 1 and K = n are exact at once, also on data that are all 0; equal points end", () => {
    for (const gram of [randomGram(6, 2, 1), gramOfPoints([[2], [2], [2]]), gramOfPoints([[5]])])
      for (const K of [1, gram.n]) {
        const solver = new BurerMonteiro({ gram, clusters: K });
        expect(solver.step().outcome?.status).toBe("converged");
        solver.tighten();
        expect(solver.step().outcome?.status).toBe("converged");
        expect(worstViolation(factoredDense(solver.lowerPoint), K)).toBeLessThan(1e-14);
      }
    for (const [points, K] of [
      [[[2], [2], [2], [2]], 2],
      [[[0], [1]], 1.5],
      [[[0], [0], [1], [1], [1]], 2],
    ] as const) {
      const { solver, result } = solved(gramOfPoints(points.map((row) => [...row])), K);
      expect(result.status).toBe("converged");
      expect(worstViolation(factoredDense(solver.lowerPoint), K)).toBeLessThan(1e-12);
    }
  });

  test("two clusters of equal points are told apart exactly", () => {
    const { solver, result } = solved(gramOfPoints([[0], [0], [1], [1], [1]], { scale: "none" }), 2);
    expect(Math.abs((result.value ?? 0) - 1.2)).toBeLessThan(1e-4); // all of the trace, 2 · 0.36 + 3 · 0.16
    const Q = factoredDense(solver.lowerPoint);
    expect(Q.data[1]).toBeCloseTo(0.5, 2);
    expect(Q.data[2]).toBeCloseTo(0, 2);
  });

  test("tighten goes on and gives a bound that is no worse", () => {
    const { solver, result } = solved(gramOfPoints([...referenceSet("moons-n200").points]), 10, {
      tolerance: 1e-2,
    });
    const before = solver.lower;
    const { outer } = result.history[0].details;
    solver.tighten();
    const again = finish(solver);
    expect(again.history[0].details.outer).toBeGreaterThan(outer);
    expect(again.history[0].details.outer).toBeLessThanOrEqual(outer + 10);
    expect(solver.lower).toBeGreaterThanOrEqual(before);
  });

  test("no n × n array is made where memoryLimit forbids it", () => {
    const gram = gramOfPoints(randomPoints(120, 40, 1), { memoryLimit: 100_000 });
    expect(solved(gram, 4, { tolerance: 1e-2 }).result.status).toBe("converged");
    expect(() => gram.dense()).toThrowError(expect.objectContaining({ code: "ERR_MEMORY" }));
  });

  test("blocks of D that memoryLimit has no room for are not made", () => {
    const gram = gramOfMatrix(randomGram(60, 3, 1).dense(), { memoryLimit: 1_000_000 });
    const Y = zeros(60, 60);
    Y.data.fill(1);
    const solver = new BurerMonteiro({ gram, clusters: 4 }, { initialization: Y });
    const { status, message } = finish(solver);
    expect(status).toBe("failed");
    expect(message).toMatch(/BurerMonteiro: Y with 3600 entries takes .* GiB, and memoryLimit allows/);
    expect(solved(gram, 4, { tolerance: 1e-2 }).result.status).toBe("converged");
  });

  test("a given Y is where it starts, and its columns are the rank", () => {
    const { Y } = randomFactor(12, 5, 0.7, 4);
    const gram = randomGram(12, 3, 1);
    const solver = new BurerMonteiro({ gram, clusters: 3 }, { initialization: Y });
    expect(solver.dimension).toBe(60);
    solver.step();
    const { factor } = solver;
    Y.data.forEach((y, k) => {
      expect(factor.data[k] > 0).toBe(y > 0);
    });
    expect(new BurerMonteiro({ gram, clusters: 3 }).dimension).toBe(12 * 12);
    expect(new BurerMonteiro({ gram, clusters: 3 }, { rank: 40 }).dimension).toBe(12 * 40);
  });

  test("a given Y may be rows, too", () => {
    const gram = randomGram(5, 2, 1);
    const Y = randomFactor(5, 3, 0.7, 4).Y;
    const rows = Array.from({ length: 5 }, (_, i) => Y.data.slice(3 * i, 3 * (i + 1)));
    const [one, other] = [Y, rows].map(
      (initialization) => new BurerMonteiro({ gram, clusters: 2 }, { initialization }),
    );
    for (const solver of [one, other]) for (let k = 0; k < 5; k++) solver.step();
    expect(other.factor).toEqual(one.factor);
  });

  test("bad options end in an error of their own", () => {
    const gram = randomGram(5, 2, 1);
    const make = (options: object) => () =>
      Reflect.construct(BurerMonteiro, [{ gram, clusters: 2 }, options]);
    const code = (code: string) => expect.objectContaining({ name: "CurvatureError", code });
    for (const options of [
      { rank: 0 },
      { rank: 2.5 },
      { seed: -1 },
      { tolerance: 0 },
      { initialization: "k" },
    ])
      expect(make(options)).toThrowError(code("ERR_OPTION"));
    expect(make({ initialisation: "random" })).toThrowError('Did you mean "initialization"?');
    expect(make({ initialization: 1 })).toThrowError(code("ERR_OPTION"));
    expect(make({ initialization: [[1]] })).toThrowError(code("ERR_SHAPE"));
    expect(make({ initialization: zeros(4, 2) })).toThrowError(code("ERR_SHAPE"));
    expect(make({ initialization: zeros(5, 2), rank: 3 })).toThrowError(code("ERR_SHAPE"));
    expect(make({ initialization: zeros(5, 2) })).toThrowError(code("ERR_ARGUMENT"));
    const negative = zeros(5, 2);
    negative.data[3] = -1;
    expect(make({ initialization: negative })).toThrowError(/row 1, column 1/);
    expect(() => new BurerMonteiro({ gram, clusters: 9 })).toThrowError(code("ERR_OPTION"));
  });
});
