/** Solvers whose steps run in native loops give the bits of those in TypeScript. */
import { type DenseMatrix, RandomGenerator, type SparseMatrix, takeRowMemory } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import {
  type Bias,
  type LinearLossName,
  type LinearProblem,
  linearLoss,
  type Rows,
  rowAccess,
} from "@curvature/objectives/linear";
import { stateBits } from "@curvature/optim-core/conformance";
import {
  createLearner,
  createStochasticSolver,
  type LearnerSettings,
  type StochasticOptions,
  type TrainingRows,
} from "@curvature/optim-sgdqn";
import { afterEach, expect, test, vi } from "vitest";
import { arrangedRows, memoryOf } from "../../src/solvers/stochastic/arranged-rows.js";

afterEach(() => {
  disableSimd();
  vi.restoreAllMocks();
});

/** Rows of 0 to 40 entries, of text's kind: enough of them that an instance for them is worth it. */
function rowsOfText(isDouble: boolean): SparseMatrix<Float32Array> | SparseMatrix<Float64Array> {
  const random = new RandomGenerator(5);
  const [n, columns] = [1200, 301];
  const rowPointers = new Int32Array(n + 1);
  const [indices, entries]: number[][] = [[], []];
  for (let i = 0; i < n; i++) {
    const step = 8 + random.integer(40);
    for (let j = i % 9 === 0 ? columns : random.integer(step); j < columns; j += 1 + random.integer(step)) {
      indices.push(j);
      entries.push(random.uniform() * (i % 3 === 0 ? 2 : 0.3) - 0.1);
    }
    rowPointers[i + 1] = indices.length;
  }
  const pattern = { rows: n, columns, rowPointers, columnIndices: Int32Array.from(indices) };
  return isDouble
    ? { ...pattern, values: Float64Array.from(entries) }
    : { ...pattern, values: Float32Array.from(entries) };
}

/** Rows of an odd number of columns, some of which are all 0. */
function denseRows(isDouble: boolean): DenseMatrix<Float32Array> | DenseMatrix<Float64Array> {
  const random = new RandomGenerator(6);
  const [rows, columns] = [1200, 39];
  const scaleOf = (i: number): number => (i % 9 === 0 ? 0 : i % 3 === 0 ? 1 : 0.2);
  const entries = Array.from(
    { length: rows * columns },
    (_, k) => scaleOf(Math.floor(k / columns)) * (random.uniform() - 0.4),
  );
  return isDouble
    ? { rows, columns, data: Float64Array.from(entries) }
    : { rows, columns, data: Float32Array.from(entries) };
}

function problemOf(
  name: LinearLossName,
  bias: Bias,
  isDouble: boolean,
  isWeighed: boolean,
  rows: Rows = rowsOfText(isDouble),
): LinearProblem {
  const random = new RandomGenerator(8);
  const targets = Float64Array.from({ length: rows.rows }, () => (random.uniform() < 0.4 ? -1 : 1));
  const importances = isWeighed
    ? Float64Array.from({ length: rows.rows }, (_, i) => (i % 7 === 0 ? 0 : 2 * random.uniform()))
    : undefined;
  return { rows, targets, importances, loss: linearLoss(name), lambda: 1e-3, bias };
}

/** The bits after three passes and a part of the fourth; fresh rows, since copies of known ones are shared. */
function bitsOf(makeProblem: () => LinearProblem, options: StochasticOptions): string {
  const running = createStochasticSolver(makeProblem(), { maxPasses: 9, ...options });
  for (let passes = 0; passes < 3; ) if (running.step().phase === "pass") passes++;
  running.step();
  return stateBits(running);
}

const cases: readonly (readonly [LinearLossName, Bias, boolean, boolean, "explicit" | "implicit"])[] = [
  ["squared-hinge", "none", false, false, "explicit"],
  ["squared-hinge", "regularized", false, true, "implicit"],
  ["hinge", "free", true, false, "explicit"],
  ["hinge", "none", false, true, "implicit"],
  ["squared-error", "free", true, true, "implicit"],
  ["squared-error", "regularized", true, false, "explicit"],
  ["logistic", "regularized", false, false, "explicit"],
];

for (const solver of ["svmsgd2", "sgdqn"] as const) {
  test.each(cases)(
    `${solver}, dense rows: %s, bias %s, double %s, weighed %s, %s`,
    (loss, bias, isDouble, isWeighed, step) => {
      const options: StochasticOptions = { solver, skip: 100, step, t0: 3000, validationShare: 0.1 };
      const problem = (): LinearProblem => problemOf(loss, bias, isDouble, isWeighed, denseRows(isDouble));
      const expected = bitsOf(problem, options);
      expect(enableSimd()).toBe(true);
      expect(bitsOf(problem, options)).toBe(expected);
    },
  );
  for (const skip of [100, 1000, 3])
    test.each(cases)(
      `${solver}, skip ${skip}: %s, bias %s, double %s, weighed %s, %s`,
      (loss, bias, isDouble, isWeighed, step) => {
        const options: StochasticOptions = { solver, skip, step, t0: 3000, validationShare: 0.1 };
        const problem = (): LinearProblem => problemOf(loss, bias, isDouble, isWeighed);
        const expected = bitsOf(problem, options);
        expect(enableSimd()).toBe(true);
        expect(bitsOf(problem, options)).toBe(expected);
      },
    );
}

test.each([
  ["sparse", rowsOfText(false), rowsOfText(true)],
  ["dense", denseRows(false), denseRows(true)],
])("many %s rows have a memory with SIMD, and none without", (_, rows, others) => {
  const order = Int32Array.from({ length: rows.rows }, (_, k) => rows.rows - 1 - k);
  const plain = arrangedRows(rows, order);
  expect(plain !== undefined && memoryOf(plain)).toBe(undefined);
  enableSimd();
  const native = arrangedRows(others, order);
  if (native === undefined) throw new Error("there is a copy");
  expect(memoryOf(native)?.rows).toBe(native);
});

test("solvers that share a memory do not disturb each other", () => {
  enableSimd();
  const problem = problemOf("squared-hinge", "none", false, false);
  const other: LinearProblem = { ...problem, targets: problem.targets.map((y) => -y), lambda: 1e-2 };
  const options: StochasticOptions = { solver: "sgdqn", skip: 100, maxPasses: 9 };
  const alone = createStochasticSolver(problem, options);
  for (let k = 0; k < 4; k++) alone.step();
  const [first, second] = [createStochasticSolver(problem, options), createStochasticSolver(other, options)];
  for (let k = 0; k < 4; k++) {
    first.step();
    second.step();
  }
  expect(stateBits(first)).toBe(stateBits(alone));
  expect(stateBits(second)).not.toBe(stateBits(alone));
});

test.each(["svmsgd2", "sgdqn"] as const)("%s goes on from a state that is put under it", (solver) => {
  enableSimd();
  const problem = problemOf("squared-hinge", "none", false, false);
  const running = createStochasticSolver(problem, { solver, skip: 100, maxPasses: 9 });
  running.step();
  const early = running.save();
  for (let k = 0; k < 3; k++) running.step();
  const expected = stateBits(running);
  running.step();
  running.restore(early);
  for (let k = 0; k < 3; k++) running.step();
  expect(stateBits(running)).toBe(expected);
});

test("what a solver gives out is not a view of a memory", () => {
  enableSimd();
  const running = createStochasticSolver(problemOf("hinge", "none", false, false), {
    solver: "svmsgd2",
    skip: 100,
  });
  while (running.step().phase !== "pass");
  expect(running.last.x.buffer.byteLength).toBeLessThan(8 * 400);
});

test("a loss of one's own under a known name is not taken for it", () => {
  const own = { ...linearLoss("squared-hinge"), slope: (s: number, y: number) => (y * s < 2 ? -0.5 * y : 0) };
  const problem = (): LinearProblem => ({ ...problemOf("squared-hinge", "none", false, false), loss: own });
  const options: StochasticOptions = { solver: "svmsgd2", skip: 100, step: "explicit", t0: 3000 };
  const expected = bitsOf(problem, options);
  enableSimd();
  expect(bitsOf(problem, options)).toBe(expected);
});

/** All rows as they lie, in a memory if there is one. */
function trainingRows({ rows, targets }: LinearProblem): TrainingRows {
  const order = Int32Array.from({ length: rows.rows }, (_, k) => k);
  const copy = arrangedRows({ ...rows }, order);
  if (copy === undefined) throw new Error("there is a copy");
  const access = rowAccess(copy);
  const squaredNorms = Float64Array.from(order, (i) => access.squaredNorm(i));
  return {
    access,
    targets,
    squaredNorms,
    importances: undefined,
    order: undefined,
    memory: memoryOf(copy),
  };
}

test.each(["svmsgd2", "sgdqn"] as const)(
  "a learner of %s goes from one memory to another and back",
  (name) => {
    const problem = problemOf("squared-hinge", "regularized", false, false);
    const settings: LearnerSettings = {
      ...{ loss: problem.loss, lambda: 1e-3, columns: problem.rows.columns, bias: problem.bias },
      ...{
        t0: 3000,
        skip: 100,
        step: "implicit",
        averageStart: 0,
        memory: 1,
        biasGain: 1,
        initial: undefined,
      },
    };
    const weights = (): readonly number[] => {
      const [first, second] = [trainingRows(problem), trainingRows(problem)];
      const learner = createLearner(name, settings);
      for (const rows of [first, second, first, first, second]) learner.visit(rows, 0, 450);
      return [...learner.parameters()];
    };
    const expected = weights();
    enableSimd();
    expect(trainingRows(problem).memory).not.toBe(undefined);
    expect(weights()).toEqual(expected);
  },
);

test.each(["svmsgd2", "sgdqn"] as const)("%s goes on when SIMD is turned off and on under it", (solver) => {
  const options: StochasticOptions = { solver, skip: 100, step: "implicit", t0: 3000, maxPasses: 9 };
  const problem = (): LinearProblem => problemOf("squared-hinge", "free", false, true);
  const expected = bitsOf(problem, options);
  enableSimd();
  const running = createStochasticSolver(problem(), options);
  running.step();
  disableSimd();
  running.step();
  enableSimd();
  const resumed = createStochasticSolver(problem(), options);
  resumed.restore(running.save());
  for (let k = 0; k < 2; k++) resumed.step();
  expect(stateBits(resumed)).toBe(expected);
});

test.each(["svmsgd2", "sgdqn"] as const)(
  "%s, saved in the midst of a pass, goes on without SIMD",
  (solver) => {
    const options: StochasticOptions = { solver, skip: 700, step: "explicit", t0: 1e5, maxPasses: 9 };
    const problem = wideRows();
    const plain = createStochasticSolver(problem, options);
    for (let k = 0; k < 4; k++) plain.step();
    enableSimd();
    const native = createStochasticSolver({ ...problem, rows: { ...problem.rows } }, options);
    for (let k = 0; k < 2; k++) expect(native.step().phase).toBe("block");
    const snapshot = native.save();
    for (let k = 0; k < 2; k++) native.step();
    expect(stateBits(native)).toBe(stateBits(plain));
    disableSimd();
    const resumed = createStochasticSolver({ ...problem, rows: { ...problem.rows } }, options);
    resumed.restore(snapshot);
    for (let k = 0; k < 2; k++) resumed.step();
    expect(stateBits(resumed)).toBe(stateBits(plain));
  },
);

/** One column; every third row is empty, as are the last ones; more rows than one call takes. */
function wideRows(): LinearProblem {
  const random = new RandomGenerator(3);
  const n = 30_000;
  const isEmpty = (i: number): boolean => i % 3 === 0 || i > n - 5;
  const rowPointers = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) rowPointers[i + 1] = rowPointers[i] + (isEmpty(i) ? 0 : 1);
  const stored = rowPointers[n];
  const values = Float32Array.from({ length: stored }, () => random.uniform() - 0.3);
  return {
    rows: { rows: n, columns: 1, rowPointers, columnIndices: new Int32Array(stored), values },
    targets: Float64Array.from({ length: n }, () => (random.uniform() < 0.4 ? -1 : 1)),
    importances: undefined,
    loss: linearLoss("squared-hinge"),
    lambda: 1e-4,
    bias: "free",
  };
}

test.each(["svmsgd2", "sgdqn"] as const)(
  "%s learns in TypeScript where memory is not to be had",
  (solver) => {
    const options: StochasticOptions = { solver, skip: 100, step: "implicit", t0: 3000 };
    const problem = (): LinearProblem => problemOf("hinge", "none", true, false);
    const expected = bitsOf(problem, options);
    enableSimd();
    const taken = vi.spyOn(WebAssembly, "Memory").mockImplementation(function none() {
      throw new RangeError("WebAssembly.Memory(): could not allocate memory");
    });
    expect(bitsOf(problem, options)).toBe(expected);
    expect(taken).toHaveBeenCalled();
  },
);

test("memories beyond what an address reaches, and sizes that are no numbers, are not had", () => {
  enableSimd();
  expect(takeRowMemory(10, 2 ** 30, 2 ** 20, false)).toBe(undefined);
  expect(takeRowMemory(10, 10, 2 ** 40, true)).toBe(undefined);
  expect(takeRowMemory(Number.NaN, 10, 2 ** 20, true)).toBe(undefined);
  expect(takeRowMemory(10, 10, Number.POSITIVE_INFINITY, true)).toBe(undefined);
  expect(takeRowMemory(2 ** 20, 2 ** 10, undefined, true)).toBe(undefined);
  expect(takeRowMemory(Number.NaN, 100, undefined, true)).toBe(undefined);
});

test.each(["svmsgd2", "sgdqn"] as const)(
  "%s: a step over long rows stays a few milliseconds",
  { tags: ["full"] },
  (solver) => {
    enableSimd();
    const [n, columns] = [600, 20_000];
    const rowPointers = Int32Array.from({ length: n + 1 }, (_, i) => i * columns);
    const rows = {
      ...{ rows: n, columns, rowPointers },
      columnIndices: Int32Array.from({ length: n * columns }, (_, k) => k % columns),
      values: new Float32Array(n * columns).fill(0.01),
    };
    const problem = {
      ...problemOf("hinge", "none", false, false),
      rows,
      targets: new Float64Array(n).fill(1),
    };
    const running = createStochasticSolver(problem, { solver, skip: 1000, t0: 3000, maxPasses: 9 });
    let steps = 0;
    for (let phase = ""; phase !== "pass"; steps++) phase = running.step().phase;
    expect((n * columns) / steps).toBeLessThanOrEqual(2 ** 21); // stored entries a step
  },
);
