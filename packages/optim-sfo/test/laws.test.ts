/** What must not matter to a run, what must be kept through interruptions, and what memory it takes. */
import { RandomGenerator } from "@curvature/linalg";
import type { Iteration, SumDetails, SumOfFunctions } from "@curvature/optim-core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SfoOptions } from "../src/options.js";
import { Sfo } from "../src/sfo.js";
import { quadraticSum } from "./problems/quadratic.js";
import { rosenbrockChain, rosenbrockMixture } from "./problems/rosenbrock.js";

function answerOne(solver: Sfo, sum: SumOfFunctions): Iteration<SumDetails> | undefined {
  const gradient = new Float64Array(sum.dimension);
  const [{ index, point, ticket }] = solver.ask(1);
  return solver.tell(ticket, Number(sum.evaluate(index, point, gradient)), gradient);
}

function advance(solver: Sfo, sum: SumOfFunctions, iterations: number): Iteration<SumDetails>[] {
  const made: Iteration<SumDetails>[] = [];
  while (made.length < iterations) {
    const iteration = answerOne(solver, sum);
    if (iteration !== undefined) made.push(iteration);
  }
  return made;
}

const norm = (x: Float64Array): number => Math.sqrt(x.reduce((sum, entry) => sum + entry * entry, 0));
const difference = (a: Float64Array, b: Float64Array): number => norm(a.map((entry, k) => entry - b[k]));

const wavesStart = new Float64Array(60).fill(5);
const chainStart = Float64Array.from({ length: 40 }, (_, k) => (k % 2 === 0 ? -1.2 : 1));
const cosines = (length: number): Float64Array => Float64Array.from({ length }, (_, k) => Math.cos(k + 1));

/** f_i = ½ Σ w_ik (x_k − c_ik)², and the minimum of their sum. */
function springs(count: number, dimension: number) {
  const random = new RandomGenerator(3);
  const entries = (least: number) =>
    Array.from({ length: count }, () =>
      Float64Array.from({ length: dimension }, () => least + random.uniform()),
    );
  const [w, c] = [entries(0.5), entries(-0.5)];
  const minimumWith = (centres: readonly Float64Array[]) =>
    Float64Array.from({ length: dimension }, (_, k) => {
      let [weights, pull] = [0, 0];
      for (let i = 0; i < count; i++) {
        weights += w[i][k];
        pull += w[i][k] * centres[i][k];
      }
      return pull / weights;
    });
  const sum: SumOfFunctions = {
    dimension,
    count,
    evaluate(i, x, gradient) {
      let value = 0;
      for (let k = 0; k < dimension; k++) {
        const d = x[k] - c[i][k];
        value += 0.5 * w[i][k] * d * d;
        if (gradient !== undefined) gradient[k] = w[i][k] * d;
      }
      return value;
    },
  };
  return { sum, c, minimumWith };
}

/** Dense, with many minima. With the gradients of every third one turned round, models mislead, and a run restarts. */
function waves(areTurned: boolean): SumOfFunctions {
  const [M, N] = [60, 12];
  return {
    dimension: M,
    count: N,
    evaluate(i, x, gradient) {
      let f = 0;
      for (let k = 0; k < M; k++) {
        const w = 1 + ((i * 5 + k * 3) % 7);
        const d = x[k] - Math.sin(i * 7 + k * 3) * 3;
        const wave = (i + k) % 5 === 0 ? 2 : 0;
        f += w * d * d + 0.3 * d ** 4 + wave * Math.cos(3 * d);
        if (gradient !== undefined) {
          const sign = areTurned && i % 3 === 0 ? -1 : 1;
          gradient[k] = sign * (2 * w * d + 1.2 * d ** 3 - 3 * wave * Math.sin(3 * d));
        }
      }
      return f;
    },
  };
}

/** Where all subfunctions are evaluated at every point their order is a matter of rounding alone. */
test.each([
  { name: "in a subspace", sum: quadraticSum(), steps: 8 },
  { name: "in the full space", sum: rosenbrockMixture(), steps: 8 },
])("$name, subfunctions in any other order give the same run", { tags: ["full"] }, ({ sum, steps }) => {
  const { count, dimension } = sum;
  const options: SfoOptions = {
    deterministic: true,
    selection: "distance",
    batch: count,
    initialActive: count,
    initialHessian: 1e5, // steps so short that none fails, which would ask one subfunction alone
  };
  const run = (order: readonly number[]): Float64Array => {
    const permuted = {
      ...sum,
      evaluate: (i: number, x: Float64Array, g?: Float64Array) => sum.evaluate(order[i], x, g),
    };
    const solver = new Sfo(permuted, cosines(dimension), options);
    advance(solver, permuted, steps);
    return solver.last.x.slice();
  };
  const indices = Array.from({ length: count }, (_, i) => i);
  const once = run(indices);
  fc.assert(
    fc.property(fc.shuffledSubarray(indices, { minLength: count }), (order) => {
      expect(difference(run(order), once)).toBeLessThan(1e-7 * norm(once));
    }),
    { numRuns: 2 },
  );
});

/** g(y) = f(Q y) for a reflection Q = I − 2 v vᵀ, from Qᵀ x₀, goes through the points Qᵀ x. */
test.each([
  { name: "in a subspace, through a collapse", sum: quadraticSum(), steps: 130 },
  { name: "in the full space", sum: rosenbrockMixture(), steps: 60 },
])("$name, a run does not depend on the basis", { tags: ["full"] }, ({ sum, steps }) => {
  const { dimension } = sum;
  const options: SfoOptions = { deterministic: true, selection: "distance" };
  const once = new Sfo(sum, cosines(dimension), options);
  const expected = advance(once, sum, steps);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1000 }), (seed) => {
      const random = new RandomGenerator(seed);
      const v = Float64Array.from({ length: dimension }, () => random.uniform() - 0.5);
      const size = norm(v);
      const reflected = (x: Float64Array): Float64Array => {
        const along = x.reduce((total, entry, k) => total + entry * v[k], 0) / (size * size);
        return x.map((entry, k) => entry - 2 * along * v[k]);
      };
      const turned: SumOfFunctions = {
        ...sum,
        evaluate(i, y, gradient) {
          const inner = new Float64Array(dimension);
          const value = sum.evaluate(i, reflected(y), inner);
          gradient?.set(reflected(inner));
          return value;
        },
      };
      const solver = new Sfo(turned, reflected(cosines(dimension)), options);
      const made = advance(solver, turned, steps);
      expect(made.map(({ details }) => details.subfunctions)).toEqual(
        expected.map(({ details }) => details.subfunctions),
      );
      expect(difference(reflected(solver.last.x), once.last.x)).toBeLessThan(1e-6 * norm(once.last.x));
    }),
    { numRuns: 2 },
  );
});

interface Interruption {
  readonly batch: number;
  readonly wanted: "recovery" | "restart";
  readonly name: string;
  readonly sum: SumOfFunctions;
  readonly x0: Float64Array;
  readonly seed: number;
}

/** Between two evaluations of one iteration a failed step is recovered from, or a restart looks at all subfunctions. */
function goesOn({ batch, wanted, sum, x0, seed }: Interruption): void {
  const options: SfoOptions = { seed, batch };
  const solver = new Sfo(sum, x0, options);
  let saved = 0;
  for (let evaluations = 0; evaluations < 1500 && saved < 3; evaluations++) {
    if (answerOne(solver, sum) !== undefined || evaluations % 7 !== 0) continue;
    const snapshot = structuredClone(solver.save());
    const whole = new Sfo(sum, x0, options);
    whole.restore(snapshot);
    const [first] = advance(whole, sum, 1);
    const phase = first.phase === "restart" ? "restart" : first.details.hasFailed ? "recovery" : "step";
    if (phase !== wanted) continue;
    saved++;
    const resumed = new Sfo(sum, new Float64Array(sum.dimension), { ...options, seed: 9 });
    resumed.restore(snapshot);
    const ahead = new Sfo(sum, x0, options);
    ahead.restore(snapshot);
    const iterations = advance(resumed, sum, 30);
    expect(iterations).toEqual(advance(ahead, sum, 30));
    expect(resumed.last.x).toEqual(ahead.last.x);
    expect(resumed.save()).toEqual(ahead.save());
    // The one that was never interrupted, on a copy of its path: it is the same solver that made the snapshot.
    if (saved === 1) {
      const uninterrupted = advance(solver, sum, 30);
      expect(iterations).toEqual(uninterrupted);
      expect(resumed.last.x).toEqual(solver.last.x);
    }
  }
  expect(saved).toBeGreaterThan(0);
}

const saved = "$name, saved in the middle of a $wanted (batch $batch) and restored, goes on bit for bit";

test.each<Interruption>([
  {
    batch: 1,
    wanted: "recovery",
    name: "functions of two parameters",
    sum: rosenbrockChain(),
    x0: chainStart,
    seed: 2,
  },
  { batch: 1, wanted: "recovery", name: "waves", sum: waves(true), x0: wavesStart, seed: 0 },
])(saved, goesOn);

test.each<Interruption>([
  { batch: 1, wanted: "restart", name: "waves", sum: waves(true), x0: wavesStart, seed: 63 },
  { batch: 3, wanted: "restart", name: "waves", sum: waves(true), x0: wavesStart, seed: 2 },
])(saved, { tags: ["full"] }, goesOn);

test("the basis takes 8 (4) M bytes for each column that was ever in use, and no more than there may be", {
  tags: ["full"],
}, () => {
  const sum = quadraticSum();
  for (const [precision, bytes] of [
    ["float64", 8],
    ["float32", 4],
  ] as const) {
    const solver = new Sfo(sum, cosines(200), { precision });
    expect(solver.subspaceBytes).toBe(bytes * 200); // x₀
    const [last] = advance(solver, sum, 30).slice(-1);
    expect(solver.subspaceBytes).toBe(bytes * 200 * last.details.subspaceDimension);
    advance(solver, sum, 300);
    expect(solver.subspaceBytes).toBe(bytes * 200 * 123); // 3 N + 3
  }
  expect(new Sfo(rosenbrockChain(), chainStart).subspaceBytes).toBe(0); // the whole space has no basis
});

describe.each(["both", "distance", "single", "random", "cyclic"] as const)("selection %s", (selection) => {
  test.each(["bfgs", "rank-one"] as const)(
    "with %s updates finds the minimum",
    { tags: ["full"] },
    (update) => {
      const { sum, c, minimumWith } = springs(12, 60);
      const solver = new Sfo(sum, new Float64Array(60).fill(3), { selection, update });
      advance(solver, sum, 12 * 25);
      expect(difference(solver.last.x, minimumWith(c))).toBeLessThan(1e-3);
    },
  );
});

test.each([false, true])(
  "a replaced subfunction is evaluated next, and the new minimum found (history kept: %s)",
  { tags: ["full"] },
  (keepHistory) => {
    const { sum, c, minimumWith } = springs(12, 60);
    const solver = new Sfo(sum, new Float64Array(60).fill(3), { tolerance: 0 });
    advance(solver, sum, 200);
    expect(difference(solver.last.x, minimumWith(c))).toBeLessThan(1e-3);
    c[5].fill(20);
    solver.replaceSubfunction(5, { keepHistory });
    expect(advance(solver, sum, 1)[0].details.subfunctions).toEqual([5]);
    advance(solver, sum, 300);
    expect(difference(solver.last.x, minimumWith(c))).toBeLessThan(1e-2);
    expect(() => solver.replaceSubfunction(12)).toThrow("from 0 to 11");
  },
);

test("after the end any answer repeats the outcome, and nothing changes", () => {
  const { sum } = springs(4, 3);
  const solver = new Sfo(sum, new Float64Array(3));
  for (let k = 0; k < 400 && answerOne(solver, sum)?.outcome === undefined; k++);
  const before = solver.save();
  expect(answerOne(solver, sum)).toMatchObject({ outcome: { status: "converged" } });
  expect(solver.save()).toEqual(before);
});

test("interrupted within a restart's sweep, with a basis in single precision, it goes on bit for bit", () => {
  const [sum, M] = [waves(false), 60];
  const begun = () => new Sfo(sum, new Float64Array(M).fill(5), { seed: 3, precision: "float32" });
  const whole = begun();
  for (let e = 0; e < 153; e++) answerOne(whole, sum);
  const resumed = begun();
  resumed.restore(structuredClone(whole.save()));
  for (let e = 153; e < 200; e++) {
    answerOne(whole, sum);
    answerOne(resumed, sum);
    expect(resumed.last.x).toEqual(whole.last.x);
  }
});

test("a minimum that was found in random order is verified by every subfunction at one point", () => {
  const { sum, c, minimumWith } = springs(12, 60);
  for (let seed = 0; seed < 5; seed++) {
    const solver = new Sfo(sum, new Float64Array(60).fill(3), { selection: "random", seed });
    const phases: string[] = [];
    for (;;) {
      const iteration = answerOne(solver, sum);
      if (iteration === undefined) continue;
      phases.push(`${iteration.phase}`);
      if (iteration.outcome === undefined) continue;
      expect(iteration.outcome).toMatchObject({ status: "converged" });
      expect(iteration.value).toBe(solver.best.value);
      break;
    }
    expect(phases.at(-1)).toBe("verification");
    const gradient = new Float64Array(60);
    const part = new Float64Array(60);
    for (let i = 0; i < 12; i++) {
      expect(sum.evaluate(i, solver.best.x, part)).toBeTypeOf("number");
      for (let k = 0; k < 60; k++) gradient[k] += part[k];
    }
    expect(norm(gradient)).toBeLessThan(1e-4);
    expect(difference(solver.best.x, minimumWith(c))).toBeLessThan(1e-5);
  }
});

test("saved within a verification and restored, it ends as if uninterrupted", () => {
  const { sum } = springs(12, 60);
  const options: SfoOptions = { selection: "random", batch: 2 };
  const begun = () => new Sfo(sum, new Float64Array(60).fill(3), options);
  const whole = begun();
  let saved = 0;
  for (let e = 0; e < 3000; e++) {
    const snapshot = structuredClone(whole.save());
    const iteration = answerOne(whole, sum);
    if (iteration === undefined) continue;
    if (iteration.phase === "verification") {
      const resumed = begun();
      resumed.restore(snapshot);
      const [again] = advance(resumed, sum, 1);
      expect(again.outcome).toEqual(iteration.outcome);
      expect(again.value).toBe(iteration.value);
      expect(resumed.last.x).toEqual(whole.last.x);
      saved++;
    }
    if (iteration.outcome !== undefined) break;
  }
  expect(saved).toBeGreaterThan(0);
});
