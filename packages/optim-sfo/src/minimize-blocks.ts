/** The work of `minimizeSum` on residual blocks: incremental Gauss-Newton, early stopping, and F at a point where the run was cut off. */
import { shown } from "@curvature/linalg";
import {
  FacadeRun,
  type FacadeSteps,
  type IncrementalGaussNewton,
  incrementalGaussNewton,
  maxPasses,
  type Point,
  type ResidualBlocks,
  reopened,
  type SumDetails,
  targetValue,
  ValidatedSolver,
} from "@curvature/optim-core";
import { type MinimizeSumResult, reported } from "./minimize-sum-run.js";
import type { MinimizeSumSettings, SumPhase } from "./options.js";
import { untilAborted } from "./until-aborted.js";

/** @param x - the first point, its own */
export async function* minimizedBlocks(
  blocks: ResidualBlocks,
  x: Float64Array,
  settings: MinimizeSumSettings,
): FacadeSteps<SumDetails, MinimizeSumResult> {
  const { signal, targetValue: target, seed, resume, batch } = settings;
  const concurrency = settings.concurrency ?? batch;
  const run = new FacadeRun<SumDetails, SumPhase>(settings);
  const begun = await run.phase("trial", () =>
    untilAborted(
      incrementalGaussNewton(blocks, x, { seed, concurrency, isResumed: resume !== undefined }),
      signal,
    ),
  );
  if (begun === undefined) throw signal?.reason;
  const solver = begun;
  const validated =
    settings.validation &&
    new ValidatedSolver(solver, settings.validation, { unit: "passes", where: "minimizeSum" });
  const rules = [
    ...(target > Number.NEGATIVE_INFINITY ? [targetValue(target)] : []),
    maxPasses(settings.maxPasses),
    ...(validated?.rules ?? []),
  ];
  // what ended because the next group was too much for maxPasses goes on with more
  const ended = yield* run.optimize(validated ?? solver, rules, { resume: resume && reopened(resume) });
  const result =
    validated === undefined
      ? { ...ended, validation: undefined }
      : await run.phase("optimization", () => validated.finish(ended));

  const reached: Point = validated === undefined ? solver.last : { x: result.x, value: result.value };
  const isUnknown = reached.value === undefined && settings.finalize && result.status !== "aborted";
  const value = isUnknown ? await measured(solver, reached.x, signal, run) : reached.value;
  const isLower = value !== undefined && value <= (solver.best.value ?? Number.POSITIVE_INFINITY);
  const best: Point = validated !== undefined || isLower ? { x: reached.x, value } : solver.best;
  const isFirst = best.x.every((entry, j) => entry === x[j]);
  if (isFirst && validated === undefined && result.status !== "converged" && result.status !== "aborted")
    run.warn(
      "no-decrease",
      `No point was found at which F is lower than at the first, ${shown(best.value)}. If that is no minimum, allow more passes.`,
    );
  return {
    ...result,
    x: best.x.slice(),
    value: best.value,
    usable: best.value === undefined ? result.usable : Number.isFinite(best.value),
    monitoringEvaluations: isUnknown ? blocks.count : 0,
    variableScales: undefined,
    warnings: run.warnings,
    subspaceBytes: 0,
    phases: run.phases("trial", "optimization", "measurement"),
    options: { ...result.options, ...reported(settings), solver: "gauss-newton", concurrency },
  };
}

/** F, as far as that is possible. */
async function measured(
  solver: IncrementalGaussNewton,
  x: Float64Array,
  signal: AbortSignal | undefined,
  run: FacadeRun<SumDetails, SumPhase>,
): Promise<number | undefined> {
  try {
    const value = await run.phase("measurement", () => untilAborted(solver.measure(x), signal));
    if (value === undefined)
      run.warn("measurement-aborted", "The result was not measured to the end: the signal was aborted.");
    return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : shown(error);
    run.warn("measurement-failed", `The result could not be measured: ${reason}`);
    return undefined;
  }
}
