import { norm2, normal, RandomGenerator } from "@curvature/linalg";
import { linearObjective } from "@curvature/objectives/linear";
import { Lbfgs, maxIterations, runSync } from "@curvature/optim-core";
import { solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import { binaryProblem } from "../../src/multiclass/problem.js";
import { SharedRows } from "../../src/multiclass/shared-rows.js";
import { SoftmaxNewton } from "../../src/multiclass/softmax/softmax-newton.js";
import { sparseOf } from "../helpers/rows.js";
import {
  type DenseProblem,
  logistic,
  objectiveOf,
  penguins,
  problemOf,
  repeated,
  solve,
  weighted,
} from "./softmax-problems.js";

const bytesInUse = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
const biases = ["free", "regularized", "none"] as const;

describe("conforms", () => {
  const small = problemOf({ noise: 0, lambda: 1e-6 });
  const long = problemOf({ n: 6000, d: 40, classes: 6 });
  const cases = {
    "an iteration a step": (seed: number) =>
      new SoftmaxNewton(small, { tolerance: 1e-12, initial: new Float64Array(12).map((_, j) => seed * j) }),
    "conjugate gradients": (seed: number) =>
      new SoftmaxNewton(problemOf({ d: 40, classes: 5 }), {
        tolerance: 1e-9,
        initial: new Float64Array(205).map((_, j) => seed * j * 1e-3),
      }),
    "conjugate gradients, an iteration in several steps": (seed: number) =>
      new SoftmaxNewton(problemOf({ n: 4000, d: 60, classes: 8 }), {
        tolerance: 1e-6,
        initial: new Float64Array(488).map((_, j) => seed * j * 1e-3),
      }),
    "an iteration in several steps": (seed: number) =>
      new SoftmaxNewton(long, {
        tolerance: 1e-6,
        initial: new Float64Array(246).map((_, j) => seed * j * 1e-3),
      }),
  };
  for (const [name, create] of Object.entries(cases))
    for (const { name: what, check } of solverConformance({
      name,
      create,
      longSteps: 10,
      hasFaults: false,
      bytesInUse,
    }))
      test(what, { tags: name.endsWith("several steps") ? ["full"] : [] }, check);

  test("an iteration that is split has steps with names of their own", () => {
    const solver = cases["an iteration in several steps"](1);
    const phases = new Set(Array.from({ length: 20 }, () => solver.step().phase));
    expect(phases).toContain("hessian");
    expect(phases).toContain("iteration");
  });
});

describe("the optimum", () => {
  for (const bias of biases)
    test(`is a zero of the gradient, and L-BFGS finds no lower one: bias ${bias}`, () => {
      for (const lambda of [1, 1e-2, 1e-4]) {
        const problem = problemOf({ bias, lambda, classes: 4 });
        const { x, value = Number.NaN, gap } = solve(problem, { tolerance: 0 });
        expect(gap).toBeLessThan(1e-12);
        const objective = objectiveOf(problem);
        const gradient = new Float64Array(objective.dimension);
        expect(objective.evaluate(x, gradient)).toBeCloseTo(value, 13);
        expect(norm2(gradient)).toBeLessThan(1e-8);
        const other = runSync(new Lbfgs(objective, new Float64Array(objective.dimension)), {
          stop: maxIterations(3000),
        });
        expect(Math.abs((other.value ?? 0) / value - 1)).toBeLessThan(1e-10);
        expect(value).toBeLessThanOrEqual((other.value ?? 0) * (1 + 1e-13));
      }
    });

  for (const bias of biases)
    test(`is the same by conjugate gradients, and no lower one is certified or found: bias ${bias}`, () => {
      for (const noise of [0, 3])
        for (const lambda of [1, 1e-2, 1e-4]) {
          const problem = problemOf({ bias, lambda, noise, classes: 5, d: 40 });
          const { x, value = Number.NaN, gap = 1, status } = solve(problem, { tolerance: 1e-8 });
          expect([status, gap <= 1e-8]).toEqual(["converged", true]);
          const objective = objectiveOf(problem);
          expect(objective.evaluate(x)).toBeCloseTo(value, 12);
          const { value: least = Number.NaN } = runSync(new Lbfgs(objective, x), {
            stop: maxIterations(3000),
          });
          expect(least).toBeGreaterThanOrEqual(value * (1 - gap) * (1 - 1e-13));
        }
    });

  test("is reached from wherever the columns lie, and what is called converged is no higher than it claims", () => {
    const statuses = new Set<string>();
    for (let seed = 0; seed < 60; seed++) {
      const random = new RandomGenerator(seed);
      const size = (most: number): number => Math.floor(most * random.uniform());
      const [n, d, classes] = [5 + size(120), 5 + size(90), 3 + size(7)];
      const scale = 10 ** (6 * random.uniform() - 3);
      const offset = random.uniform() < 0.3 ? 10 ** (6 * random.uniform()) : 0;
      let last = 0;
      const data = Float64Array.from({ length: n * d }, (_, at) => {
        last = random.uniform() < 0.5 ? normal(random) : 0.9 * last + 0.3 * normal(random);
        return (offset + last) * ((at % d) % 5 === 0 ? scale : 1);
      });
      const labels = Int32Array.from({ length: n }, (_, i) => (data[i * d] > offset ? 0 : size(classes)));
      const importances =
        random.uniform() < 0.3 ? Float64Array.from({ length: n }, (_, i) => i % 3) : undefined;
      const problem = {
        ...{ rows: { rows: n, columns: d, data }, labels, classes, loss: logistic, importances },
        lambda: 10 ** (1 - 6 * random.uniform()),
        bias: biases[size(3)],
      };
      const { value = Number.NaN, status } = solve(problem, { tolerance: 1e-4 });
      const least = Math.min(value, solve(problem, { tolerance: 1e-11 }).value ?? Number.NaN);
      statuses.add(status);
      expect(value - least).toBeLessThanOrEqual(1e-4 * value);
    }
    expect([...statuses]).toEqual(["converged"]);
  });

  test("has the gradient of its steps' first norm", () => {
    const problem = problemOf({ classes: 5, bias: "regularized" });
    const objective = objectiveOf(problem);
    const x = Float64Array.from({ length: objective.dimension }, (_, j) => Math.sin(j));
    const differences = Float64Array.from(x, (_, j) => {
      const at = (h: number) => objective.evaluate(x.map((v, k) => (k === j ? v + h : v)));
      return (at(1e-5) - at(-1e-5)) / 2e-5;
    });
    // The solver takes the mean of the classes out of its first point, along which the gradient is λ times it.
    const centered = x.map((v, j) => v - [0, 1, 2, 3, 4].reduce((sum, k) => sum + x[k * 4 + (j % 4)], 0) / 5);
    const first = new SoftmaxNewton(problem, { initial: x }).step();
    const gradient = differences.map((g, j) => g - problem.lambda * (x[j] - centered[j]));
    expect(first.gradientNorm).toBeCloseTo(norm2(gradient), 8);
  });

  test("of two classes is that of the binary logistic model with half of λ", () => {
    for (const bias of biases) {
      const problem = problemOf({ classes: 2, bias, lambda: 0.02 });
      const { x, value = Number.NaN } = solve(problem, { tolerance: 0 });
      const stride = x.length / 2;
      const w = Float64Array.from({ length: stride }, (_, j) => x[stride + j] - x[j]);
      const binary = linearObjective({ ...binaryProblem(problem, 1), lambda: 0.01 });
      const gradient = new Float64Array(stride);
      expect(binary.evaluate(w, gradient)).toBeCloseTo(value, 13);
      expect(norm2(gradient)).toBeLessThan(1e-13); // of which coefficients are at most 1/λ away
      for (let j = 0; j < stride; j++) expect(x[stride + j] + x[j]).toBeCloseTo(0, 12);
    }
  });

  test("of sparse and single-precision rows is that of dense ones", () => {
    const problem = problemOf({ n: 100, d: 5 });
    const data = problem.rows.data.map((v) => (Math.abs(v) < 0.7 ? 0 : Math.fround(v)));
    const rows = { ...problem.rows, data };
    const { x } = solve({ ...problem, rows }, { tolerance: 1e-12 });
    for (const same of [sparseOf(rows), { ...rows, data: Float32Array.from(data) }])
      expect(
        norm2(solve({ ...problem, rows: same }, { tolerance: 1e-12 }).x.map((v, j) => v - x[j])),
      ).toBeLessThan(1e-12);
  });

  test("does not depend on offsets of the columns, nor on constant ones", () => {
    const problem = problemOf({ d: 4, lambda: 3e-3 });
    const at = (offset: number) => {
      // as the entries are rounded at that offset
      const data = problem.rows.data.map((v, k) => (k % 4 === 3 ? 5 : v + 1.7e9 - 1.7e9) + offset);
      return solve({ ...problem, rows: { ...problem.rows, data } }, { tolerance: 0 });
    };
    const near = at(0);
    const far = at(1.7e9);
    expect(far.gap).toBeLessThan(1e-11);
    expect(far.value).toBeCloseTo(near.value ?? 0, 13);
    const { parameters, shift } = far.solver.centered;
    expect(shift[3]).toBe(1.7e9 + 5);
    for (const [j, v] of near.x.entries()) if (j % 5 < 4) expect(parameters[j]).toBeCloseTo(v, 10);
    for (let k = 0; k < 3; k++) expect(near.x[k * 5 + 3]).toBe(0);
  });

  test("is reached from that of another λ, in fewer steps", () => {
    const problem = penguins(1e-3);
    const { x } = solve({ ...problem, lambda: 3e-3 }, { tolerance: 1e-6 });
    const cold = solve(problem, { tolerance: 1e-6 });
    const warm = solve(problem, { tolerance: 1e-6, initial: x });
    expect(warm.value).toBeCloseTo(cold.value ?? 0, 7);
    expect(warm.iterations).toBeLessThan(cold.iterations);
  });

  test("of weights is that of rows repeated; rows of weight 0 do not matter", () => {
    const problem = problemOf({ n: 40, d: 3 });
    problem.rows.data.fill(1e150, 0, 3);
    const weights = Array.from({ length: 40 }, (_, i) => i % 4);
    const once = solve(weighted(problem, weights), { tolerance: 0 });
    const copies = solve(repeated(problem, weights), { tolerance: 0 });
    expect(once.gap).toBeLessThan(1e-12);
    expect(Math.abs((once.value ?? 0) / (copies.value ?? 0) - 1)).toBeLessThan(1e-12);
    for (const [j, v] of once.x.entries()) expect(v).toBeCloseTo(copies.x[j], 9);
  });
});

describe("the certificate", () => {
  const pick = <T>(random: RandomGenerator, ...values: readonly T[]): T =>
    values[Math.floor(random.uniform() * values.length)];

  /** Shapes, λ, offsets, repeated rows and columns, weights, classes without rows and with one. */
  function anyProblem(seed: number): DenseProblem {
    const random = new RandomGenerator(seed);
    const n = pick(random, 1, 3, 12, 40, 90);
    const d = pick(random, 1, 2, 5, 12);
    const classes = 3 + Math.floor(random.uniform() * 6);
    const lambda = 10 ** pick(random, 1, 0, -1, -2, -3, -4, -6, -8);
    const bias = pick(random, "free", "free", ...biases);
    const problem = problemOf({ n, d, classes, lambda, bias, seed, noise: pick(random, 0, 1, 30) });
    const { data } = problem.rows;
    const offset = pick(random, 0, 0, 1, bias === "free" ? 1e9 : 30);
    const scales = Array.from({ length: d }, () => 10 ** pick(random, 0, 0, 0, -2, 2));
    for (let k = 0; k < data.length; k++) data[k] = data[k] * scales[k % d] + offset;
    if (d > 1 && random.uniform() < 0.2) for (let i = 0; i < n; i++) data[i * d + 1] = data[i * d];
    if (random.uniform() < 0.2) for (let i = 0; i < n; i++) data[i * d] = 3;
    if (random.uniform() < 0.3) for (let i = 1; i < n; i += 2) data.copyWithin(i * d, (i - 1) * d, i * d);
    if (random.uniform() < 0.3) problem.labels.fill(1, 1);
    if (random.uniform() < 0.6) return problem;
    return {
      ...problem,
      importances: Float64Array.from({ length: n }, () => pick(random, 0, 1, 2, 0.3, 1e-3, 50)),
    };
  }

  test("never lies above the least P that is known, on 400 random problems", () => {
    let converged = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const problem = anyProblem(seed);
      const tolerance = [1e-3, 1e-6, 1e-9][seed % 3];
      const run = solve(problem, { tolerance });
      const best = solve(problem, { tolerance: 0 });
      const least = Math.min(run.value ?? 0, best.value ?? 0);
      const bound = Math.max(run.solver.state.bound, best.solver.state.bound);
      expect(bound, `seed ${seed}`).toBeLessThanOrEqual(least * (1 + 1e-13));
      expect(["converged", "stalled"], `seed ${seed}`).toContain(run.status);
      if (run.status !== "converged") continue;
      converged++;
      expect((run.value ?? 0) - least, `seed ${seed}`).toBeLessThanOrEqual(tolerance * (run.value ?? 0));
      expect(run.gap).toBeLessThanOrEqual(tolerance);
    }
    expect(converged).toBeGreaterThanOrEqual(392);
  });

  test("ends a run in about the steps that are needed", () => {
    const run = solve(penguins(1 / 333));
    expect(run.status).toBe("converged");
    expect(run.history.at(-1)?.details).toMatchObject({ certificate: "duality-gap" });
    expect(run.iterations).toBeLessThanOrEqual(4);
    expect(run.message).toMatch(/^The duality gap is .* of P after \d iterations, at most 0.001\.$/);
  });

  test("at a tolerance of 0, the run ends where P and D stand still, and says so", () => {
    const run = solve(penguins(1e-3), { tolerance: 0 });
    expect(["stalled", "converged"]).toContain(run.status);
    expect(run.gap).toBeLessThan(1e-12);
    expect(run.iterations).toBeLessThan(15);
  });

  test("a limit of passes ends a run with the gap that it has", () => {
    const run = solve(penguins(1e-5), { maxPasses: 6 });
    expect(run.status).toBe("max-iterations");
    expect(run.gap).toBeGreaterThan(1e-3);
    const more = new SoftmaxNewton(penguins(1e-5), { maxPasses: 100 });
    more.restore(run.solver.save());
    expect(runSync(more, { stop: maxIterations(100) }).status).toBe("converged");
  });
});

describe("hostile data", () => {
  test("a class without rows has the probability 0, and the others the model without it", () => {
    const problem = problemOf({ classes: 3 });
    const { x, value, status, solver } = solve({ ...problem, classes: 5 }, { tolerance: 1e-12 });
    const without = solve(problem, { tolerance: 1e-12 });
    expect([status, value]).toEqual(["converged", expect.closeTo(without.value ?? 0, 14)]);
    expect(x.subarray(0, 12)).toEqual(without.x);
    expect(objectiveOf({ ...problem, classes: 5 }).evaluate(x)).toBeCloseTo(value ?? 0, 13);
    expect(solver.leaveOneOut()?.flipped).toBe(without.solver.leaveOneOut()?.flipped);
  });

  test("rows of one class, and no row that counts", () => {
    const problem = problemOf();
    const one = solve({ ...problem, labels: new Int32Array(60).fill(2) });
    expect([one.status, one.value, one.gap]).toEqual(["converged", 0, 0]);
    expect(objectiveOf({ ...problem, labels: new Int32Array(60).fill(2) }).evaluate(one.x)).toBe(0);
    for (const bias of biases) {
      const none = solve({ ...problem, bias, importances: new Float64Array(60) });
      expect([none.status, none.value]).toEqual(["converged", 0]);
    }
  });

  test("rows beyond double precision", () => {
    const problem = problemOf();
    const rows = { ...problem.rows, data: problem.rows.data.map((v) => v * 1e200) };
    const run = solve({ ...problem, rows });
    expect(["diverged", "stalled"]).toContain(run.status);
    expect(run.x.every(Number.isFinite)).toBe(true);
    expect(run.message).toMatch(/[Ss]cale the columns/);
  });

  test("many more columns than rows", () => {
    const run = solve(problemOf({ n: 8, d: 200, classes: 3, lambda: 1e-6 }), { tolerance: 1e-6 });
    expect(run.status).toBe("converged");
  });
});

describe("refuses", () => {
  const problem = problemOf();
  const refusal = (code: string, message: RegExp) =>
    expect.objectContaining({ code, message: expect.stringMatching(message) });

  test("other losses, and points of another length", () => {
    const { loss } = { loss: { ...logistic, name: "squared-hinge" as const } };
    expect(() => new SoftmaxNewton({ ...problem, loss })).toThrow(
      refusal("ERR_OPTION", /loss must be the logistic loss/),
    );
    expect(() => new SoftmaxNewton(problem, { initial: [1] })).toThrow(refusal("ERR_SHAPE", /initial/));
    const shared = new SharedRows(binaryProblem(problemOf({ seed: 2 }), 0));
    expect(() => new SoftmaxNewton(problem, { shared })).toThrow(refusal("ERR_OPTION", /shared/));
  });

  test("labels out of range and importances below 0", () => {
    expect(() => new SoftmaxNewton({ ...problem, classes: 2 })).toThrow(refusal("ERR_ARGUMENT", /label/));
    const importances = new Float64Array(60).fill(-1);
    expect(() => new SoftmaxNewton({ ...problem, importances })).toThrow(
      refusal("ERR_ARGUMENT", /importance/),
    );
  });

  test("a snapshot of another problem's size", () => {
    const snapshot = new SoftmaxNewton(problemOf({ d: 4 })).save();
    expect(() => new SoftmaxNewton(problem).restore(snapshot)).toThrow(refusal("ERR_SNAPSHOT", /length/));
  });
});
