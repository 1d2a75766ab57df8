/**
 * A thread that does runs of sweeps, one after the other: for `curvature sweep` on this machine, and for
 * `curvature worker`.
 */
import { workerData } from "node:worker_threads";
import { answerUnits } from "@curvature/cluster";
import { enableSimd } from "@curvature/linalg/simd";
import { InputCache } from "../read/input-cache.js";
import { type Log, silentLog } from "../run/log.js";
import type { Session } from "../run/session.js";
import { runTask } from "../tasks/index.js";
import { runUnit } from "./run-unit.js";

/** Where runs save what they find, by their units; nothing for those of `curvature worker`. */
const stems: unknown = workerData;
const stemOf = (id: string): string | undefined => (stems instanceof Map ? stems.get(id) : undefined);
/** Runs put everything into their reports; nothing is logged. */
let failure: string | undefined;
const silent: Log = {
  ...silentLog,
  failure: ({ message }) => {
    failure = message;
  },
};
/** A run that is cancelled ends with its thread. */
const { signal } = new AbortController();
const cache = new InputCache();
const session: Session = {
  log: silent,
  signal,
  cache,
  onForcedExit: () => undefined,
  compute: (task, input) =>
    runTask(task, input, {
      signal,
      phase: silent.phase,
      step: silent.step,
      warning: silent.warning,
      note: silent.note,
    }),
};
enableSimd();

answerUnits(async (unit, files) => {
  failure = undefined;
  cache.expect(files, unit.data);
  try {
    return await runUnit(unit, files, session, stemOf(unit.id));
  } catch (error) {
    throw failure === undefined ? error : new Error(failure, { cause: error });
  }
});
