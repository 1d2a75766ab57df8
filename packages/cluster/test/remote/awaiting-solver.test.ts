/** Solvers that need evaluations at once, on promises: the bits and counts of a run at home. */
import { CurvatureError } from "@curvature/linalg";
import {
  asObjective,
  ConjugateGradient,
  createSumSolver,
  GradientDescent,
  maxIterations,
  run,
  type Solver,
  type SumOfFunctions,
} from "@curvature/optim-core";
import { Svrg } from "@curvature/optim-svrg";
import { describe, expect, test } from "vitest";
import { awaitingSolver } from "../../src/remote/awaiting-solver.js";
import { quartics, withBatches } from "./problems.js";

const sum = withBatches(quartics(6, 8));

/** The same, by promises; counts its evaluations of single subfunctions. */
function promised(of: SumOfFunctions): SumOfFunctions & { calls: number } {
  const late = {
    dimension: of.dimension,
    count: of.count,
    calls: 0,
    evaluate: async (index: number, x: Float64Array, gradient?: Float64Array) => {
      late.calls++;
      await new Promise((done) => setImmediate(done));
      return of.evaluate(index, x, gradient);
    },
  };
  return late;
}

const solvers: readonly [string, (on: SumOfFunctions) => Solver][] = [
  ["gradient descent", (on) => new GradientDescent(asObjective(on), sum.initial)],
  ["conjugate gradients", (on) => new ConjugateGradient(asObjective(on), sum.initial)],
  ["L-BFGS", (on) => createSumSolver("lbfgs", on, sum.initial)],
  ["L-BFGS on minibatches", (on) => createSumSolver("minibatch-lbfgs", on, sum.initial)],
  ["Hessian-free", (on) => createSumSolver("hessian-free", on, sum.initial)],
  ["SVRG", (on) => new Svrg(on, sum.initial, { seed: 3 })],
];

describe.each(solvers)("%s", (_, create) => {
  test("has the points and the counts of a run at home", async () => {
    const home = await run(create(sum), { stop: maxIterations(12) });
    const late = promised(sum);
    const away = await run(awaitingSolver(late, create), { stop: maxIterations(12) });
    expect(away.x).toEqual(home.x);
    expect(away.last).toEqual(home.last);
    expect(away.value).toBe(home.value);
    expect([away.evaluations, away.passes, away.iterations]).toEqual([
      home.evaluations,
      home.passes,
      home.iterations,
    ]);
  });

  test("goes on from any snapshot", async () => {
    const whole = awaitingSolver(promised(sum), create);
    for (let k = 0; k < 9; k++) await whole.step();
    const first = awaitingSolver(promised(sum), create);
    for (let k = 0; k < 4; k++) await first.step();
    const second = awaitingSolver(promised(sum), create);
    second.restore(first.save());
    for (let k = 4; k < 9; k++) await second.step();
    expect(second.last).toEqual(whole.last);
  });
});

test("each evaluation is made once, however often the step is", async () => {
  let evaluations = 0;
  const counted: SumOfFunctions = {
    ...quartics(6, 8),
    evaluate: (index, x, gradient) => {
      evaluations++;
      return sum.evaluate(index, x, gradient);
    },
  };
  await run(createSumSolver("lbfgs", counted, sum.initial), { stop: maxIterations(10) });
  const late = promised(sum);
  await run(
    awaitingSolver(late, (on) => createSumSolver("lbfgs", on, sum.initial)),
    { stop: maxIterations(10) },
  );
  expect(late.calls).toBe(evaluations);
});

test("with the sum at hand SVRG asks elsewhere for full gradients only", async () => {
  const home = await run(new Svrg(sum, sum.initial, { seed: 3, batchSize: 2 }), { stop: maxIterations(10) });
  const late = promised(sum);
  const away = await run(
    awaitingSolver(late, (on) => new Svrg(on, sum.initial, { seed: 3, batchSize: 2 }), { local: sum }),
    { stop: maxIterations(10) },
  );
  expect(away.x).toEqual(home.x);
  expect(late.calls % sum.count).toBe(0);
  expect(late.calls).toBeLessThan(away.evaluations);
});

test("an evaluation that fails goes through, and the step can be made again", async () => {
  let isBroken = true;
  const moody: SumOfFunctions = {
    ...quartics(6, 8),
    evaluate: async (index, x, gradient) => {
      if (isBroken && index === 5) throw new Error("away");
      return sum.evaluate(index, x, gradient);
    },
  };
  const solver = awaitingSolver(moody, (on) => createSumSolver("lbfgs", on, sum.initial));
  await expect(solver.step()).rejects.toThrowError("away");
  isBroken = false;
  const home = createSumSolver("lbfgs", sum, sum.initial);
  expect(await solver.step()).toEqual(home.step());
});

test("two steps at once are refused, and one that a restore overtakes ends in an error", async () => {
  const solver = awaitingSolver(promised(sum), (on) => createSumSolver("lbfgs", on, sum.initial));
  const start = solver.save();
  const step = Promise.resolve(solver.step());
  step.catch(() => undefined);
  expect(() => solver.step()).toThrowError(CurvatureError);
  solver.restore(start);
  await expect(step).rejects.toThrowError("It was restored while this step was under way.");
});
