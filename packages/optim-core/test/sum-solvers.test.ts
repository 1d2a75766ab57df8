/** The solvers of sums that others are compared with: their steps by hand, known optima, the names, the suite. */
import { RandomGenerator } from "@curvature/linalg";
import {
  Adagrad,
  Adam,
  asObjective,
  createSumSolver,
  driveSum,
  HessianFree,
  MinibatchLbfgs,
  Momentum,
  maxIterations,
  maxPasses,
  parseSumSolverName,
  type RunResult,
  run,
  runSync,
  Sag,
  Sgd,
  type Solver,
  type SumOfFunctions,
  sumSolverMethods,
} from "@curvature/optim-core";
import { type ConformanceCase, solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { quadratic, rosenbrock, rosenbrockStart } from "./problems.js";

/** Least squares, f_q = ½ (a_qᵀx − b_q)², b_q = a_qᵀx* exactly: all subfunctions have their minimum at x*. */
function consistent(count: number, dimension: number): { sum: SumOfFunctions; optimum: Float64Array } {
  const random = new RandomGenerator(4);
  const rows = Array.from({ length: count }, () =>
    Float64Array.from({ length: dimension }, () => 2 * random.uniform() - 1),
  );
  const optimum = Float64Array.from({ length: dimension }, (_, k) => k - 1);
  const product = (a: Float64Array, x: Float64Array) => a.reduce((s, v, k) => s + v * x[k], 0);
  return {
    optimum,
    sum: {
      dimension,
      count,
      evaluate(q, x, gradient) {
        const rest = product(rows[q], x) - product(rows[q], optimum);
        if (gradient !== undefined) for (let k = 0; k < dimension; k++) gradient[k] = rest * rows[q][k];
        return 0.5 * rest * rest;
      },
    },
  };
}

const line = (slopes: readonly number[]): SumOfFunctions => ({
  dimension: 1,
  count: slopes.length,
  evaluate(q, x, gradient) {
    gradient?.fill(slopes[q]);
    return slopes[q] * x[0];
  },
});

function after(solver: Solver, steps: number): number {
  for (let k = 0; k < steps; k++) void solver.step();
  return solver.last.x[0];
}

test("momentum, AdaGrad and Adam make the steps of their formulas", () => {
  const sum = line([4]);
  const x = Float64Array.of(10);
  const heavy = driveSum(new Momentum(sum, x, { learningRate: 0.25, momentum: 0.5 }), sum);
  expect(after(heavy, 1)).toBe(9);
  expect(after(heavy, 1)).toBe(7.5); // v = −1.5
  const nesterov = { learningRate: 0.25, momentum: 0.5, nesterov: true };
  expect(after(driveSum(new Momentum(sum, x, nesterov), sum), 1)).toBe(8.5); // 10 − ½ − 1
  const adagrad = driveSum(new Adagrad(sum, x, { learningRate: 1 }), sum);
  expect(after(adagrad, 1)).toBeCloseTo(10 - Math.sqrt(1 / 2), 14); // G = 16
  expect(after(adagrad, 1)).toBeCloseTo(10 - Math.sqrt(1 / 2) - Math.sqrt(1 / 2.5), 14);
  const adam = driveSum(new Adam(sum, x, { learningRate: 0.5, epsilon: 0 }), sum);
  expect(after(adam, 3)).toBeCloseTo(8.5, 12); // a constant gradient: each step is the learning rate
});

test("SAG steps along the mean of the gradients seen so far", () => {
  const sum = line([3, 3, 3, 3]);
  const sag = driveSum(new Sag(sum, Float64Array.of(10), { lipschitz: 6 }), sum);
  expect(after(sag, 5)).toBe(7.5); // whichever were seen, their mean is 3
});

test("a pass takes every subfunction once, in another order than the one before; SAG draws with replacement", () => {
  const seen: number[] = [];
  const sum: SumOfFunctions = {
    dimension: 1,
    count: 12,
    evaluate(q, _, gradient) {
      seen.push(q);
      gradient?.fill(0);
      return 0;
    },
  };
  const x = Float64Array.of(1);
  after(createSumSolver("adam", sum, x), 24);
  const [first, second] = [seen.slice(0, 12), seen.slice(12)];
  expect(first).not.toEqual(second);
  for (const pass of [first, second]) expect([...pass].sort((a, b) => a - b)).toEqual([...Array(12).keys()]);
  seen.length = 0;
  after(createSumSolver("sag", sum, x), 12);
  expect(new Set(seen).size).toBeLessThan(12);
});

/** Where all subfunctions agree on the minimum even steps of a constant length shrink with the gradients. */
test.each([
  ["sgd:0.5:0", 200, 1e-6],
  ["momentum:0.1:0.9", 200, 1e-6],
  ["adagrad:1", 200, 1e-6],
  ["adam:0.03", 400, 1e-3],
  ["sag:2", 300, 1e-6],
  ["lbfgs", 50, 1e-6],
  ["minibatch-lbfgs", 100, 1e-6],
  ["hessian-free", 300, 1e-6],
])("%s finds the minimum that all subfunctions share within %i passes", (name, passes, tolerance) => {
  const { sum, optimum } = consistent(40, 5);
  const { x } = runSync(createSumSolver(name, sum, new Float64Array(5), { seed: 1 }), {
    stop: maxPasses(passes),
  });
  for (const [k, entry] of x.entries()) expect(Math.abs(entry - optimum[k])).toBeLessThan(tolerance);
});

test.each([0, 1, 2])(
  "Hessian-free, %i kinds of products taken away, solves Rosenbrock's function",
  (taken) => {
    const { dimension, evaluate, hessianVector } = rosenbrock(10);
    const products = hessianVector === undefined ? {} : { hessianVector };
    const given = [{ ...products, gaussNewtonVector: gaussNewton }, products, {}][taken];
    const solver = new HessianFree({ dimension, evaluate, ...given }, new Float64Array(10)); // from (−1.2, 1 …) the exact Hessian leads to the local minimum at 3.99;
    const result = runSync(solver);
    expect(result.status).toBe("converged");
    expect(result.value).toBeLessThan(1e-12);
    if (taken < 2) expect(result.passes).toBeGreaterThan(result.evaluations);
    else expect(result.passes).toBe(result.evaluations);
  },
);

/** 2 JᵀJ v for the residuals 10 (x_{i+1} − x_i²) and 1 − x_i. */
function gaussNewton(x: Float64Array, v: Float64Array, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i + 1 < x.length; i++) {
    const bend = 10 * (v[i + 1] - 2 * x[i] * v[i]);
    out[i] += 2 * (-20 * x[i] * bend + v[i]);
    out[i + 1] += 20 * bend;
  }
}

test("on a quadratic Hessian-free needs few steps, and ends as converged", () => {
  const result = runSync(new HessianFree(quadratic(30, 100), new Float64Array(30)));
  expect(result.status).toBe("converged");
  expect(result.iterations).toBeLessThan(40);
  for (const [k, entry] of result.x.entries()) expect(entry).toBeCloseTo(k, 6);
});

test.each([1e-100, 1e-50, 1e-20, 1e-18, 1, 1e50, 1e100])(
  "Hessian-free: a first damping that is no measure of f times %d is not taken for convergence",
  (unit) => {
    const valley = {
      dimension: 2,
      evaluate(x: Float64Array, gradient?: Float64Array): number {
        gradient?.set([2 * unit * (x[0] - 3), 20 * unit * x[1]]);
        return unit * (1 + (x[0] - 3) ** 2 + 10 * x[1] ** 2);
      },
    };
    for (const initialDamping of [undefined, 1e-20, 1, 1e20]) {
      const { x, status } = runSync(new HessianFree(valley, Float64Array.of(1, 1), { initialDamping }));
      expect([status, unit, initialDamping]).toEqual(["converged", unit, initialDamping]);
      expect(x[0]).toBeCloseTo(3, 5);
      expect(x[1]).toBeCloseTo(0, 5);
    }
  },
);

test("minibatch L-BFGS goes from batch to batch, and counts the evaluations of its subfunctions", () => {
  const calls = new Array(20).fill(0);
  const { sum } = consistent(20, 3);
  const counted: SumOfFunctions = {
    ...sum,
    evaluate(q, x, gradient) {
      calls[q]++;
      return sum.evaluate(q, x, gradient);
    },
  };
  const solver = new MinibatchLbfgs(counted, Float64Array.of(5, 5, 5), {
    batches: 4,
    iterationsPerBatch: 2,
  });
  const batches: number[] = [];
  let evaluations = 0;
  for (let k = 0; k < 8; k++) {
    const { details, evaluations: made } = solver.step();
    batches.push(details.batch);
    evaluations = made;
  }
  expect(calls.every((count) => count >= 3)).toBe(true);
  expect(evaluations).toBe(calls.reduce((a, b) => a + b));
  expect(new Set(batches)).toEqual(new Set([0, 1, 2, 3]));
});

test("subfunctions that are promises are awaited where steps are single, and refused in words elsewhere", async () => {
  const { sum } = consistent(8, 2);
  const later: SumOfFunctions = { ...sum, evaluate: async (q, x, g) => sum.evaluate(q, x, g) };
  const x = new Float64Array(2);
  const stop = maxPasses(3);
  for (const name of ["momentum:0.1", "adagrad", "adam", "sag"])
    expect((await run(createSumSolver(name, later, x), { stop })).x).toEqual(
      runSync(createSumSolver(name, sum, x), { stop }).x,
    );
  for (const name of ["lbfgs", "minibatch-lbfgs", "hessian-free"])
    expect((await run(createSumSolver(name, later, x), { stop })).message).toContain("returned a promise");
});

test("names are parsed, and what is none is refused with the nearest known one", () => {
  expect(parseSumSolverName("momentum:0.1:0.9")).toEqual({ method: "momentum", numbers: [0.1, 0.9] });
  expect(parseSumSolverName("lbfgs")).toEqual({ method: "lbfgs", numbers: [] });
  for (const name of Object.keys(sumSolverMethods)) expect(parseSumSolverName(name).method).toBe(name);
  const refused: readonly (readonly [unknown, string])[] = [
    ["adan:1", 'Did you mean "adam"'],
    ["toString", "Known solvers"],
    ["", "Unknown solver"],
    ["adam:fast", "learningRate must be a finite number"],
    ["adam:", "learningRate must be a finite number"],
    ["adam:1:2", "takes at most 1 number"],
    [7, "must be a string"],
  ];
  for (const [name, message] of refused)
    expect(() => Reflect.apply(parseSumSolverName, undefined, [name])).toThrow(message);
  const { sum } = consistent(4, 2);
  expect(() => createSumSolver("adam:-1", sum, new Float64Array(2))).toThrow("learningRate must be");
  expect(() => createSumSolver("momentum:1:1", sum, new Float64Array(2))).toThrow("below 1");
  expect(() => createSumSolver("lbfgs:2.5", sum, new Float64Array(2))).toThrow("memory must be");
  expect(() => createSumSolver("adam", sum, new Float64Array(3))).toThrow("length 2");
});

test("steps that are too long end a run as diverged, with the last finite point", () => {
  const { sum } = consistent(10, 3);
  for (const name of ["momentum:1e300", "adagrad:1e308", "sag:1e-300"]) {
    const steep: SumOfFunctions = {
      ...sum,
      evaluate(q, x, g) {
        const value = 1e10 * Number(sum.evaluate(q, x, g));
        g?.forEach((entry, k) => {
          g[k] = 1e10 * entry;
        });
        return value;
      },
    };
    const result = runSync(createSumSolver(name, steep, Float64Array.of(9, 9, 9)), { stop: maxPasses(50) });
    expect(result.status).toBe("diverged");
    expect(result.x.every(Number.isFinite)).toBe(true);
  }
});

const bytesInUse = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

const stepsInUnitsOfF = ["momentum:0.05", "sag:2", "hessian-free:0.1:4"];
const names = [
  "sgd",
  "momentum:0.05",
  "momentum",
  "adagrad",
  "adam:0.1",
  "sag:2",
  "sag",
  "lbfgs",
  "minibatch-lbfgs",
  "minibatch-lbfgs:3:4",
  "hessian-free",
  "hessian-free:0.1:4",
];
const cases = names.map((name): ConformanceCase => {
  const { sum } = consistent(12, 4);
  return {
    name,
    create: (seed, faults) => createSumSolver(name, faults.sum(sum), new Float64Array(4).fill(7), { seed }),
    createTiny: (seed) => createSumSolver(name, consistent(3, 1).sum, Float64Array.of(3), { seed }),
    ...(stepsInUnitsOfF.includes(name)
      ? {}
      : { createOnSum: (on, x, seed) => createSumSolver(name, on, x, { seed }) }),
    bytesInUse,
  };
});

cases.push({
  name: "hessian-free with products",
  create: (_, faults) => new HessianFree(faults.objective(rosenbrock(12)), rosenbrockStart(12)),
  createTiny: () => new HessianFree(asObjective(consistent(3, 1).sum), Float64Array.of(5)),
  bytesInUse,
});

test("an order of more subfunctions than there is room for is refused at once", () => {
  const sum: SumOfFunctions = { dimension: 1, count: 1e9, evaluate: () => 0 };
  const x = new Float64Array(1);
  const makers = [() => new Adam(sum, x), () => new MinibatchLbfgs(sum, x), () => new Sgd(sum, x)];
  for (const make of makers)
    expect(make).toThrow(
      expect.objectContaining({ code: "ERR_MEMORY", message: expect.stringContaining("1000000000") }),
    );
  expect(() => new Sgd(sum, x, { sampling: "replacement" })).not.toThrow();
});

for (const given of cases)
  describe(given.name, () => {
    for (const { name, check } of solverConformance(given)) test(name, check);
  });

test.each([null, 5, "x", {}, Float64Array.of(1)])(
  "a gradient %o is refused, and the question stays open",
  (bad) => {
    const { sum } = consistent(3, 2);
    const solver = new Adam(sum, new Float64Array(2));
    const [{ ticket }] = solver.ask();
    // @ts-expect-error no gradient
    expect(() => solver.tell(ticket, 1, bad)).toThrow("the gradient must be a Float64Array of length 2");
    expect(solver.tell(ticket, 1, Float64Array.of(1, 2))?.evaluations).toBe(1);
  },
);

test("Hessian-free on chunks that are alike makes the same steps, at fewer passes", () => {
  const smooth = rosenbrock(6);
  const copies: SumOfFunctions = {
    dimension: 6,
    count: 9,
    evaluate: (_, x, gradient) => smooth.evaluate(x, gradient),
  };
  const start = rosenbrockStart(6);
  const ended = (chunks: number, iterations: number): RunResult =>
    runSync(new HessianFree(asObjective(copies), start, { chunks }), { stop: maxIterations(iterations) });
  const [whole, inChunks] = [ended(1, 6), ended(3, 6)];
  expect(inChunks.iterations).toBe(6);
  for (const [i, entry] of whole.x.entries()) expect(inChunks.x[i]).toBeCloseTo(entry, 5);
  expect(inChunks.passes).toBeLessThan(0.8 * whole.passes);
});

test("Hessian-free takes the whole sum's curvature after a step that a chunk does not explain", () => {
  const steep: SumOfFunctions = {
    dimension: 2,
    count: 8,
    evaluate(q, x, gradient) {
      const weight = q === 5 ? 1e5 : 1;
      const d = [x[0] - q, x[1] + q];
      gradient?.set(d.map((entry) => weight * entry));
      return (weight / 2) * (d[0] * d[0] + d[1] * d[1]);
    },
  };
  const { x, status } = runSync(new HessianFree(asObjective(steep), Float64Array.of(9, 9), { chunks: 4 }));
  const [sum, weights] = [28 - 5 + 5e5, 7 + 1e5];
  expect(status).toBe("converged");
  expect(x[0]).toBeCloseTo(sum / weights, 6);
  expect(x[1]).toBeCloseTo(-sum / weights, 6);
});

test("Hessian-free does not go back to a point whose value is NaN", () => {
  const endingAt = (hole: number): Float64Array => {
    const smooth = rosenbrock(6);
    let valuesInARow = 0;
    const solver = new HessianFree(
      {
        dimension: smooth.dimension,
        evaluate(x, gradient) {
          valuesInARow = gradient === undefined ? valuesInARow + 1 : 0;
          const value = smooth.evaluate(x, gradient);
          return valuesInARow > 1 ? hole : value;
        },
      },
      rosenbrockStart(6),
    );
    for (let k = 0; k < 8; k++) solver.step();
    return solver.best.x.slice();
  };
  expect(endingAt(Number.NaN)).toEqual(endingAt(Number.POSITIVE_INFINITY));
});
