/**
 * A thread that does runs of sweeps, one after the other: for `curvature sweep` on this machine, and for
 * `curvature worker`.
 */
import { answerUnits } from "@curvature/cluster";
import { enableSimd } from "@curvature/linalg/simd";
import { KeptInput } from "../read/input-cache.js";
import type { Talk } from "../run/progress.js";
import type { Session } from "../run/session.js";
import { runTask } from "../tasks/index.js";
import { runUnit } from "./run-unit.js";

/** Runs say what they have to say in their reports. */
let failure: string | undefined;
const silent: Talk = {
  phase: () => undefined,
  step: () => undefined,
  warning: () => undefined,
  note: () => undefined,
  summary: () => undefined,
  failure: ({ message }) => {
    failure = message;
  },
};
/** A run that is cancelled ends with its thread. */
const { signal } = new AbortController();
const kept = new KeptInput();
const session: Session = {
  talk: silent,
  signal,
  kept,
  onAbandon: () => undefined,
  compute: (task, input) =>
    runTask(task, input, {
      signal,
      phase: silent.phase,
      step: silent.step,
      warning: silent.warning,
    }),
};
enableSimd();

answerUnits(async (unit, files) => {
  failure = undefined;
  kept.expect(files, unit.data);
  try {
    return await runUnit(unit, files, session);
  } catch (error) {
    throw failure === undefined ? error : new Error(failure, { cause: error });
  }
});
