/** Learners know only the rows that they have seen: how those were cut into visits makes no difference. */
import { rowAccess } from "@curvature/objectives/linear";
import { restore, saved } from "@curvature/optim-core/state";
import {
  createLearner,
  type LearnerSettings,
  type RowLearner,
  stochasticSolverNames,
  type TrainingRows,
} from "@curvature/optim-sgdqn";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { smallProblem } from "./problems.js";

const n = 120;
const problem = smallProblem({ n, bias: "free" });
const { loss, lambda, bias } = problem;
const rows: TrainingRows = {
  access: rowAccess(problem.rows),
  targets: problem.targets,
  importances: Float64Array.from({ length: n }, (_, i) => (i % 5) / 2),
  order: Int32Array.from({ length: n }, (_, k) => (7 * k) % n),
  squaredNorms: undefined,
};
const settings: LearnerSettings = {
  loss,
  lambda,
  bias,
  columns: problem.rows.columns,
  t0: 300,
  skip: 17,
  step: "implicit",
  averageStart: 30,
  biasGain: 0.01,
  memory: 3,
  initial: undefined,
};

const stateOf = ({ state }: RowLearner) => saved("learner", state);

/** Visits the rows pass by pass, cut at the given numbers of rows; after each cut a fresh learner takes over. */
function learn(name: (typeof stochasticSolverNames)[number], parts: readonly number[]): RowLearner {
  let learner = createLearner(name, settings);
  for (const part of parts) {
    for (let left = part; left > 0; ) {
      const from = learner.seen % n;
      const to = Math.min(n, from + left);
      learner.visit(rows, from, to);
      left -= to - from;
    }
    const next = createLearner(name, settings);
    restore("learner", next.state, structuredClone(stateOf(learner)));
    next.renew?.();
    learner = next;
  }
  return learner;
}

describe.each(stochasticSolverNames)("%s", (name) => {
  test("cut and restored anywhere it gives the same bits", () => {
    const whole = learn(name, [400]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 150 }), { maxLength: 8 }), (parts) => {
        const seen = parts.reduce((sum, part) => sum + part, 0);
        if (seen > 400) return;
        const cut = learn(name, [...parts, 400 - seen]);
        expect(stateOf(cut)).toEqual(stateOf(whole));
        expect(cut.parameters()).toEqual(whole.parameters());
        expect([cut.seen, cut.evaluations]).toEqual([400, whole.evaluations]);
      }),
      { numRuns: 30 },
    );
  });

  test("asking for its parameters changes nothing", () => {
    const [asked, alone] = [createLearner(name, settings), createLearner(name, settings)];
    for (let k = 0; k < n; k++) {
      asked.visit(rows, k, k + 1);
      expect(asked.parameters()).toHaveLength(8);
      alone.visit(rows, k, k + 1);
    }
    expect(stateOf(asked)).toEqual(stateOf(alone));
  });

  test("norms that were computed before are those that it computes", () => {
    const squaredNorms = Float64Array.from({ length: n }, (_, i) => rows.access.squaredNorm(i));
    const learner = createLearner(name, settings);
    learner.visit({ ...rows, squaredNorms }, 0, n);
    const other = createLearner(name, settings);
    other.visit(rows, 0, n);
    expect(stateOf(learner)).toEqual(stateOf(other));
  });

  test("a state of another length is refused and changes nothing", () => {
    const learner = learn(name, [50]);
    const before = stateOf(learner);
    const foreign = stateOf(createLearner(name, { ...settings, columns: 3 }));
    expect(() => restore("learner", learner.state, foreign)).toThrowError(/must be/);
    expect(stateOf(learner)).toEqual(before);
  });
});
