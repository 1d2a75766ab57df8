/** What the flags of `curvature train` ask of the thread that trains. */
import type { LinearClassifierOptions } from "@curvature/optim-sgdqn";
import type { CheckpointRequest } from "../tasks/checkpoint-file.js";
import type { ModelRequest } from "../tasks/model-fit.js";
import { scalingOf, type TrainFlags, taskOf, visitsRows } from "./train-flags.js";

export function requestOf(flags: TrainFlags): ModelRequest {
  const { lambda, lambdaPath, bias, scale, solver, seed, shuffle } = flags;
  const { t0, lossWidth, maxPasses, maxSeconds } = flags;
  // A tolerance makes the methods of rows measure the cost, which the curve shows.
  const tolerance = flags.tolerance ?? (flags.plot !== undefined && visitsRows(flags) ? 0 : undefined);
  const shared = {
    solver,
    bias,
    scale: scalingOf(scale),
    seed,
    shuffle,
    lambda: lambda ?? (lambdaPath ? "auto" : "default"),
    ...(typeof t0 === "number" && { t0 }),
    ...(tolerance !== undefined && { tolerance }),
    ...(lossWidth !== undefined && { lossWidth }),
    ...(maxPasses !== undefined && { maxPasses }),
    ...(maxSeconds !== undefined && { maxSeconds }),
  } as const;
  const task = taskOf(flags);
  if (task.kind === "regression") return { kind: task.kind, options: { ...shared, loss: task.loss } };
  const { classes, classWeight, probabilities } = flags;
  const options: LinearClassifierOptions = {
    ...shared,
    loss: task.loss,
    ...(classes !== undefined && { classes: Array.from<string | number>(classes) }),
    ...(classWeight !== undefined && { classWeights: classWeight }),
    ...(probabilities && { probabilities }),
  };
  return { kind: task.kind, options };
}

export const checkpointOf = ({
  checkpoint,
  checkpointEvery,
  resume,
}: TrainFlags): CheckpointRequest | undefined =>
  checkpoint === undefined
    ? undefined
    : { path: checkpoint, everySeconds: checkpointEvery, resume: resume === true };
