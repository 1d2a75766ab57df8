/** Calls of runs and classic solvers. */
import * as core from "@curvature/optim-core";
import { bowl, residualBlocks, start, terms } from "../problems.ts";
import {
  type Call,
  call,
  drainedStream,
  driven,
  passingOn,
  soon,
  stepped,
  valueAndGradient,
} from "./call.ts";

const onTerms = (
  make: (sum: typeof terms, x: Float64Array, options: object) => core.AskTellSolver,
  options: object,
): Call =>
  call(
    () => [terms, start(), {}],
    (...given) => driven(make(...given)),
    options,
  );
const onBowl = (
  make: (objective: typeof bowl, x: Float64Array, options: object) => core.Solver,
  options: object,
): Call =>
  call(
    () => [bowl, start(), {}],
    (...given) => stepped(make(...given)),
    options,
  );

export const coreCalls = {
  checkGradient: call(() => [bowl, start(), {}], core.checkGradient, core.derivativeCheckOptions.defaults),
  checkHessianVector: call(
    () => [bowl, start(), {}],
    core.checkHessianVector,
    core.derivativeCheckOptions.defaults,
  ),
  encode: call(() => ["MAGIC", { a: [1, 2] }], core.encode),
  decode: call(() => ["MAGIC", core.encode("MAGIC", { a: [1, 2] })], core.decode),
  encodeModel: call(
    () => [{ format: "toy", version: 1 }, { words: ["a"] }, Float64Array.of(1, 2)],
    core.encodeModel,
  ),
  decodeModel: call(
    () => [
      { format: "toy", version: 1 },
      core.encodeModel({ format: "toy", version: 1 }, {}, Float64Array.of(1, 2)),
    ],
    core.decodeModel,
  ),
  damagedModel: call(() => ["is cut short", 3], core.damagedModel),
  encodeCheckpoint: call(
    () => [
      {
        solver: { solver: "x", version: 1, state: 0 },
        dimension: 1,
        fingerprint: "",
        run: {
          elapsedSeconds: 0,
          gradientNorm: undefined,
          latest: undefined,
          history: [],
          tests: {},
          ending: undefined,
        },
      },
    ],
    core.encodeCheckpoint,
  ),
  decodeCheckpoint: call(
    () => [core.encode("CURVRUN", {})],
    (bytes) => {
      try {
        return core.decodeCheckpoint(bytes);
      } catch (error) {
        if (error instanceof core.CurvatureError && error.code === "ERR_CHECKPOINT") return undefined; // it is incomplete
        throw error;
      }
    },
  ),
  driveSum: call(
    () => [new core.Adam(terms, start()), terms, {}],
    (...given) => core.run(core.driveSum(...given), { stop: core.maxIterations(3) }),
    core.driveOptions.defaults,
  ),
  defaultMinibatchCount: call(() => [100], core.defaultMinibatchCount),
  maxIterations: call(() => [3], core.maxIterations),
  maxEvaluations: call(() => [3], core.maxEvaluations),
  maxPasses: call(() => [3], core.maxPasses),
  timeLimit: call(() => [3], core.timeLimit),
  targetValue: call(() => [3, "minimize" as const], core.targetValue),
  gradientNormBelow: call(() => [1e-3, {}], core.gradientNormBelow, { relative: true }),
  valueDecreaseBelow: call(() => [1e-3, {}], core.valueDecreaseBelow, { consecutive: 2 }),
  pointChangeBelow: call(() => [1e-3, {}], core.pointChangeBelow, { consecutive: 2 }),
  anyOf: call(() => [core.maxIterations(3), core.maxPasses(3)], core.anyOf),
  allOf: call(() => [core.maxIterations(3), core.maxPasses(3)], core.allOf),
  rule: call(() => ["never", () => undefined], core.rule),
  run: call(
    () => [
      new core.Lbfgs(bowl, start()),
      { ...soon(), stop: core.maxIterations(4), checkpoint: { everySeconds: 0, write: () => undefined } },
    ],
    (...given) => core.run(...given),
    { ...core.runOptions.defaults, resume: undefined, onIteration: undefined },
  ),
  iterate: call(
    () => [new core.Lbfgs(bowl, start()), { ...soon(), stop: core.maxIterations(4) }],
    (...given) => drainedStream(core.iterate(...given)),
    { ...core.runOptions.defaults, resume: undefined, onIteration: undefined },
  ),
  runSync: call(
    () => [new core.Lbfgs(bowl, start()), { ...soon(), stop: core.maxIterations(4) }],
    (...given) => core.runSync(...given),
    { ...core.runOptions.defaults, resume: undefined, onIteration: undefined },
  ),
  leastSquares: call(
    () => [
      {
        residuals: ([a = 0, b = 0]: Float64Array) => [a - 1, a + b, b * b - 2],
        jacobianPattern: [
          [1, 0],
          [1, 1],
          [0, 1],
        ],
      },
      [0.5, 1],
      { ...soon(), maxIterations: 4 },
    ],
    (...given) => core.leastSquares(...given),
    { ...core.leastSquaresOptions.defaults, resume: undefined, onIteration: undefined },
  ),
  incrementalGaussNewton: call(
    () => [residualBlocks(), start(), { seed: 1 }],
    async (...given) => core.run(await core.incrementalGaussNewton(...given), { stop: core.maxPasses(6) }),
    core.incrementalGaussNewtonOptions.defaults,
  ),
  isResidualBlocks: call(() => [residualBlocks()], core.isResidualBlocks),
  asObjective: passingOn(
    call(
      () => [terms],
      (sum) => valueAndGradient(core.asObjective(sum)),
    ),
  ),
  checkSum: call(() => ["test", terms], core.checkSum),
  pointOf: call(() => ["test", start(), 3], core.pointOf),
  checkPoint: call(() => ["test", start(), 3], core.checkPoint),
  parseSumSolverName: call(() => ["sgd"], core.parseSumSolverName),
  createSumSolver: call(
    () => ["adam", terms, start(), {}],
    (...given) => stepped(core.createSumSolver(...given)),
    core.sumSolverOptions.defaults,
  ),
  monitored: call(
    () => [core.createSumSolver("sgd", terms, start()), terms],
    (...given) => stepped(core.monitored(...given)),
  ),
  MonitoredSolver: call(
    () => [core.createSumSolver("sgd", terms, start()), 3, (x: Float64Array) => x[0] ** 2, 1],
    (...given) => stepped(new core.MonitoredSolver(...given)),
  ),
  Adagrad: onTerms((...given) => new core.Adagrad(...given), core.adagradOptions.defaults),
  Adam: onTerms((...given) => new core.Adam(...given), core.adamOptions.defaults),
  Momentum: onTerms((...given) => new core.Momentum(...given), core.momentumOptions.defaults),
  Sag: onTerms((...given) => new core.Sag(...given), core.sagOptions.defaults),
  Sgd: onTerms((...given) => new core.Sgd(...given), core.sgdOptions.defaults),
  sgd: call(
    () => [terms, start(), {}],
    (...given) => stepped(core.sgd(...given)),
    core.sgdOptions.defaults,
  ),
  SparseSgd: call(
    () => [terms, start(), {}],
    (...given) => stepped(new core.SparseSgd(...given)),
    core.sgdOptions.defaults,
  ),
  MinibatchLbfgs: call(
    () => [terms, start(), {}],
    (...given) => stepped(new core.MinibatchLbfgs(...given)),
    core.minibatchLbfgsOptions.defaults,
  ),
  minimize: call(
    () => [
      ({ a, b }: { a: number; b: number[] }) => a * a + (b[0] - 1) ** 2 + b[1] ** 2,
      { a: 1, b: [2, 3] },
      soon(),
    ],
    (...given) => core.minimize(...given),
    { ...core.minimizeOptions.defaults, resume: undefined, onIteration: undefined, onPhase: undefined },
  ),
  ValidatedSolver: call(
    () => [
      new core.Lbfgs(bowl, start()),
      { evaluate: (x: Float64Array) => x[0] ** 2 },
      { unit: "iterations" as const },
    ],
    (...given) => stepped(new core.ValidatedSolver(...given)),
    core.validationOptions.defaults,
  ),
  validationEntry: call(() => [], core.validationEntry),
  Bfgs: onBowl((...given) => new core.Bfgs(...given), core.bfgsOptions.defaults),
  TrustNewton: onBowl((...given) => new core.TrustNewton(...given), core.trustNewtonOptions.defaults),
  ConjugateGradient: onBowl(
    (...given) => new core.ConjugateGradient(...given),
    core.conjugateGradientOptions.defaults,
  ),
  GradientDescent: onBowl(
    (...given) => new core.GradientDescent(...given),
    core.gradientDescentOptions.defaults,
  ),
  HessianFree: onBowl((...given) => new core.HessianFree(...given), core.hessianFreeOptions.defaults),
  Lbfgs: onBowl((...given) => new core.Lbfgs(...given), core.lbfgsOptions.defaults),
  Lbfgsb: onBowl((...given) => new core.Lbfgsb(...given), core.lbfgsbOptions.defaults),
};
