/** Steps without a length of the user's: in no unit of F, never up, and right on sums whose minimum is known. */
import { RandomGenerator } from "@curvature/linalg";
import {
  asObjective,
  createSumSolver,
  maxPasses,
  monitored,
  run,
  runSync,
  type Solver,
  SparseSgd,
  type SparseSum,
  type SumOfFunctions,
  sgd,
  sumSolverMethods,
} from "@curvature/optim-core";
import { describe, expect, test } from "vitest";

const names = ["sag", "sgd", "momentum", "adagrad", "adam"] as const;

interface Case {
  readonly sum: SumOfFunctions;
  readonly start: Float64Array;
}

/** f_q = loss(a_qᵀx, b_q), columns of a in the units given. */
function linearModel(
  seed: number,
  units: readonly number[],
  loss: (u: number, b: number) => readonly [value: number, slope: number],
): Case {
  const random = new RandomGenerator(seed);
  const rows = Array.from({ length: 35 }, () => units.map((unit) => unit * (2 * random.uniform() - 0.7)));
  const answers = rows.map(() => 2 * random.uniform() - 1);
  return {
    start: new Float64Array(units.length),
    sum: {
      dimension: units.length,
      count: rows.length,
      evaluate(q, x, gradient) {
        const [value, slope] = loss(
          rows[q].reduce((u, a, k) => u + a * x[k], 0),
          answers[q],
        );
        gradient?.set(rows[q].map((a) => slope * a));
        return value;
      },
    },
  };
}

/** Σ ½ w_q ‖x − c_q‖², with its minimum at the weighted mean of the c_q. */
function bowls(weights: readonly number[]): Case & { readonly optimum: readonly number[] } {
  const random = new RandomGenerator(11);
  const centers = weights.map(() => [random.uniform(), 3 * random.uniform(), -random.uniform()]);
  const total = weights.reduce((a, b) => a + b);
  return {
    start: Float64Array.of(20, -20, 5),
    optimum: [0, 1, 2].map((k) => centers.reduce((s, c, q) => s + weights[q] * c[k], 0) / total),
    sum: {
      dimension: 3,
      count: weights.length,
      evaluate(q, x, gradient) {
        const d = centers[q].map((c, k) => x[k] - c);
        gradient?.set(d.map((entry) => weights[q] * entry));
        return 0.5 * weights[q] * d.reduce((s, entry) => s + entry * entry, 0);
      },
    },
  };
}

const huber = (u: number, b: number): readonly [number, number] => {
  const r = u - b;
  return Math.abs(r) <= 0.1 ? [0.5 * r * r, r] : [0.1 * Math.abs(r) - 0.005, 0.1 * Math.sign(r)];
};
const squared = (u: number, b: number): readonly [number, number] => [0.5 * (u - b) ** 2, u - b];
const logistic = (u: number, b: number): readonly [number, number] => {
  const e = Math.exp(-Math.abs(u));
  const label = b > 0 ? 1 : -1;
  const margin = label * u;
  const probability = margin > 0 ? e / (1 + e) : 1 / (1 + e);
  return [Math.log1p(e) + Math.max(0, -margin), -label * probability];
};

const even = Array.from({ length: 30 }, (_, q) => 1 + (q % 3));
const cases: readonly (readonly [string, Case])[] = [
  ["logistic regression", linearModel(1, [1, 1, 1], logistic)],
  ["logistic regression in other units", linearModel(2, [1e-3, 1, 300], logistic)],
  ["Huber's loss in large units", linearModel(3, [1e4, 2e4, 1e3], huber)],
  ["least squares", linearModel(4, [1, 2, 0.5, 0.1], squared)],
  ["least squares in small units", linearModel(5, [1e-4, 2e-4], squared)],
  ["bowls", bowls(even)],
  ["one steep bowl among flat ones", bowls(even.map((w, q) => (q === 17 ? 3000 : w)))],
];

const times = (factor: number, { dimension, count, evaluate }: SumOfFunctions): SumOfFunctions => ({
  dimension,
  count,
  evaluate(q, x, gradient) {
    const value = factor * Number(evaluate(q, x, gradient));
    if (gradient !== undefined) for (let k = 0; k < dimension; k++) gradient[k] *= factor;
    return value;
  },
});

function ended(name: string, { sum, start }: Case, passes: number, seed = 0): Float64Array {
  return runSync(createSumSolver(name, sum, start, { seed }), { stop: maxPasses(passes) }).x;
}

describe.each(names)("%s", (name) => {
  test.each(cases)("%s: F times a power of two gives the same points, bit for bit", (_, { sum, start }) => {
    const plain = ended(name, { sum, start }, 9);
    for (const factor of [2 ** -20, 2 ** 20])
      expect(Array.from(ended(name, { sum: times(factor, sum), start }, 9))).toEqual(Array.from(plain));
  });

  test.each(cases)("%s: F times 1e-6 or 1e6 gives the same points up to rounding", (_, { sum, start }) => {
    const plain = ended(name, { sum, start }, 9);
    for (const factor of [1e-6, 1e6]) {
      const scaled = ended(name, { sum: times(factor, sum), start }, 9);
      for (const [k, entry] of scaled.entries())
        expect(Math.abs(entry - plain[k])).toBeLessThanOrEqual(1e-9 * Math.max(...plain.map(Math.abs)));
    }
  });

  test("a gradient that is zero everywhere moves nothing, nor does it end the run", () => {
    const flat: SumOfFunctions = {
      dimension: 2,
      count: 3,
      evaluate(_q, _x, gradient) {
        gradient?.fill(0);
        return 7;
      },
    };
    expect(Array.from(ended(name, { sum: flat, start: Float64Array.of(1, 2) }, 3))).toEqual([1, 2]);
  });
});

/** Products by differences have relative errors of √ε = 1.5e-8, times the condition, in units that are no powers of two. */
test.each(cases)("hessian-free, %s: F in another unit is the same problem", (_, { sum, start }) => {
  const F = asObjective(sum);
  const plain = ended("hessian-free", { sum, start }, 9);
  for (const factor of [2 ** -40, 2 ** -20, 2 ** 20, 2 ** 40])
    expect(ended("hessian-free", { sum: times(factor, sum), start }, 9)).toEqual(plain);
  const decrease = F.evaluate(start) - F.evaluate(plain);
  expect(decrease).toBeGreaterThan(0);
  for (const factor of [1e-12, 1e-6, 1e6, 1e12]) {
    const scaled =
      F.evaluate(start) - F.evaluate(ended("hessian-free", { sum: times(factor, sum), start }, 9));
    expect(Math.abs(scaled / decrease - 1)).toBeLessThan(1e-5);
  }
});

test.each(names)("%s: evaluations that are promises make the same run", async (name) => {
  const [[, { sum, start }]] = cases;
  const later: SumOfFunctions = { ...sum, evaluate: async (q, x, g) => sum.evaluate(q, x, g) };
  const { x } = await run(createSumSolver(name, later, start), { stop: maxPasses(4) });
  expect(Array.from(x)).toEqual(Array.from(ended(name, { sum, start }, 4)));
});

test("evaluations of trials are counted; with a step that is given there are none", () => {
  const { sum, start } = bowls(even);
  for (const [given, alone] of [
    ["sag:3", "sag"],
    ["sgd:0.3", "sgd"],
    ["momentum:0.03", "momentum"],
  ]) {
    for (const name of [given, alone]) {
      let calls = 0;
      const counted: SumOfFunctions = {
        ...sum,
        evaluate(q, x, gradient) {
          calls++;
          return sum.evaluate(q, x, gradient);
        },
      };
      const { evaluations, iterations, passes } = runSync(createSumSolver(name, counted, start), {
        stop: maxPasses(6),
      });
      expect([name, evaluations, passes]).toEqual([name, calls, calls / sum.count]);
      if (name === given) expect(evaluations).toBe(iterations);
      else expect(evaluations).toBeGreaterThanOrEqual(2 * iterations);
    }
  }
});

test("on ½ c x² the first L is found exactly, from below, and SGD's first step leads to 0", () => {
  for (const c of [1e-9, 1, 1e9])
    for (const start of [0.5, 1, 3]) {
      const sum: SumOfFunctions = {
        dimension: 1,
        count: 1,
        evaluate(_, [x], gradient) {
          gradient?.fill(c * x);
          return 0.5 * c * x * x;
        },
      };
      const solver: Solver = sgd(sum, Float64Array.of(start));
      void solver.step();
      expect(Math.abs(solver.last.x[0])).toBeLessThan(1e-12);
    }
});

test("SAG finds the minimum of bowls that pull apart; one that is steep included", () => {
  for (const weights of [even, even.map((w, q) => (q === 3 ? 100 : w))]) {
    const { optimum, ...given } = bowls(weights);
    const x = ended("sag", given, 3000);
    for (const [k, entry] of x.entries()) expect(Math.abs(entry - optimum[k])).toBeLessThan(1e-8);
  }
});

test.each(cases)("%s: after 40 and 200 passes of SAG F is below that of the start", (_, given) => {
  const F = asObjective(given.sum);
  const first = F.evaluate(given.start);
  for (const seed of [1, 2, 3])
    for (const passes of [40, 200]) expect(F.evaluate(ended("sag", given, passes, seed))).toBeLessThan(first);
});

test.each(cases)("%s: monitored, no solver ends above its start, and its value is F", (_, { sum, start }) => {
  const F = asObjective(sum);
  const first = F.evaluate(start);
  for (const name of [...Object.keys(sumSolverMethods), "sag:1e-3", "sgd:50", "momentum:9", "adam:30"]) {
    const solver = monitored(createSumSolver(name, sum, start, { seed: 1 }), sum);
    const { x, value } = runSync(solver, { stop: maxPasses(3) });
    expect([name, value]).toEqual([name, F.evaluate(x)]);
    expect(value).toBeLessThanOrEqual(first);
  }
});

test("trials outside of the domain are too long: −log x + x from 50, whose first trial leads to 0", () => {
  const sum: SumOfFunctions = {
    dimension: 1,
    count: 4,
    evaluate(q, [x], gradient) {
      gradient?.fill(1 + q - 10 / x);
      return (1 + q) * x - 10 * Math.log(x);
    },
  };
  const { status, x } = runSync(createSumSolver("sag", sum, Float64Array.of(50)), { stop: maxPasses(600) });
  expect(status).toBe("max-iterations");
  expect(Math.abs(x[0] - 4)).toBeLessThan(1e-6); // Σ (1 + q) = 10, Σ 10/x = 40/x
});

test("where a step leads to a subfunction that is not finite, the point before it is kept", () => {
  const sum: SumOfFunctions = {
    dimension: 1,
    count: 1,
    evaluate(_, [x], gradient) {
      gradient?.fill(1);
      return x < 0 ? Number.NaN : x;
    },
  };
  const { status, x } = runSync(createSumSolver("momentum:3:0", sum, Float64Array.of(4)));
  expect([status, x[0]]).toEqual(["diverged", 1]);
});

test.each([1, 4])("SGD's dense and sparse forms make the same trials, b = %i", (batchSize) => {
  const random = new RandomGenerator(2);
  const stiffness = Array.from({ length: 24 }, () => 0.5 + 20 * random.uniform());
  const sum: SparseSum = {
    dimension: 6,
    count: 24,
    evaluate(q, x, gradient) {
      const d = x[q % 6] - q;
      gradient?.fill(0).set([stiffness[q] * d], q % 6);
      return 0.5 * stiffness[q] * d * d;
    },
    evaluateSparse(q, x, coordinates, entries) {
      const d = x[q % 6] - q;
      coordinates[0] = q % 6;
      entries[0] = stiffness[q] * d;
      return { value: 0.5 * stiffness[q] * d * d, touched: 1 };
    },
  };
  const { dimension, count, evaluate } = sum;
  const start = new Float64Array(6).fill(1);
  const dense = sgd({ dimension, count, evaluate }, start, { batchSize });
  const sparse = new SparseSgd(sum, start, { batchSize });
  const ends = [dense, sparse].map((solver: Solver) => runSync(solver, { stop: maxPasses(12) }));
  const [a, b] = ends.map(({ x }) => x);
  // a step of the sparse form is a whole pass, so it may end a little later
  expect(Math.abs(ends[0].passes - ends[1].passes)).toBeLessThan(4);
  if (ends[0].passes === ends[1].passes) expect(Array.from(a)).toEqual(Array.from(b));
});

test.each([...Object.keys(sumSolverMethods), "hessian-free:1:4"])(
  "monitored, %s keeps to its passes, within a step too",
  (name) => {
    const { sum, start } = linearModel(3, [1, 1, 1], (u, b) => [(u - b) ** 2, 2 * (u - b)]);
    for (const passes of [2, 3, 5]) {
      const solver = monitored(createSumSolver(name, sum, start, { seed: 1 }), sum);
      const made = runSync(solver, { stop: maxPasses(passes) }).passes;
      // steps of one subfunction, or of one minibatch, are made to their end
      expect(made).toBeLessThanOrEqual(name.startsWith("hessian-free") ? passes : passes + 0.2);
    }
  },
);

test("momentum keeps within the domain of a barrier, from any order of its terms", () => {
  const random = new RandomGenerator(8);
  const weights = Array.from({ length: 30 }, () => [0.5 + random.uniform(), 0.5 + random.uniform()]);
  const barrier: SumOfFunctions = {
    dimension: 2,
    count: 30,
    evaluate(q, x, gradient) {
      const [a, b] = weights[q];
      gradient?.set([1 - a / x[0], 1 - b / x[1]]);
      return x[0] + x[1] - a * Math.log(x[0]) - b * Math.log(x[1]);
    },
  };
  const start = Float64Array.of(2, 2);
  for (const seed of Array(20).keys())
    for (const passes of [5, 40]) {
      const { status, x } = runSync(createSumSolver("momentum", barrier, start, { seed }), {
        stop: maxPasses(passes),
      });
      expect([seed, status]).toEqual([seed, "max-iterations"]);
      expect(asObjective(barrier).evaluate(x)).toBeLessThan(asObjective(barrier).evaluate(start));
    }
});

test.each([
  ["bowls that pull apart", bowls(even)],
  ["one steep bowl among flat ones", bowls(even.map((w, q) => (q === 17 ? 3000 : w)))],
])("minibatch L-BFGS ends converged at the minimum of %s", (_, { sum, start, optimum }) => {
  for (const seed of [0, 1, 2]) {
    const { status, x, value, passes } = runSync(createSumSolver("minibatch-lbfgs", sum, start, { seed }), {
      stop: maxPasses(300),
    });
    expect(status).toBe("converged");
    expect(passes).toBeLessThan(300);
    expect(value).toBeCloseTo(asObjective(sum).evaluate(x), 10);
    for (const [k, entry] of x.entries()) expect(Math.abs(entry - optimum[k])).toBeLessThan(1e-6);
  }
});

test("minibatch L-BFGS: batches without a lower bound do not make a sum that has one diverge", () => {
  const sum: SumOfFunctions = {
    dimension: 1,
    count: 30,
    evaluate(q, [x], gradient) {
      gradient?.fill(q === 0 ? x : -1 / 29);
      return q === 0 ? 0.5 * x * x : -x / 29;
    },
  };
  for (const seed of [0, 1, 2]) {
    const solver = createSumSolver("minibatch-lbfgs", sum, Float64Array.of(9), { seed });
    const { status, x } = runSync(solver, { stop: maxPasses(400) });
    expect(status).toBe("converged");
    expect(x[0]).toBeCloseTo(1, 6);
  }
});
