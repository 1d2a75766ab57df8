/** Solvers whose steps run in native loops give the bits of those in TypeScript. */
import { RandomGenerator, type SparseMatrix } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { type Bias, type LinearLossName, type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { stateBits } from "@curvature/optim-core/conformance";
import { createStochasticSolver, type StochasticOptions } from "@curvature/optim-sgdqn";
import { afterEach, expect, test } from "vitest";
import { arrangedRows, memoryOf } from "../../src/solvers/stochastic/arranged-rows.js";

afterEach(disableSimd);

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

function problemOf(name: LinearLossName, bias: Bias, isDouble: boolean, isWeighed: boolean): LinearProblem {
  const rows = rowsOfText(isDouble);
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

for (const solver of ["svmsgd2", "sgdqn"] as const)
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

test("large sparse rows have a memory with SIMD, and none without", () => {
  const [rows, others] = [rowsOfText(false), rowsOfText(true)];
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
