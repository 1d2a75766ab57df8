/**
 * A checkpoint is all that a run needs to go on bit for bit: the solver's snapshot, the run's own state and the
 * problem's fingerprint, in the binary form of `codec.ts`.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import { decode, encode } from "./codec.js";
import type { EndingTest, Iteration, Outcome, Snapshot, SnapshotValue } from "./solver.js";
import { isPlainObject } from "./state.js";
import { isStatus, type Status } from "./status.js";

const MAGIC = "CURVRUN";

export interface Checkpoint {
  readonly solver: Snapshot;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly run: RunProgress;
}

/** Where a run stood. */
export interface RunProgress {
  readonly elapsedSeconds: number;
  readonly gradientNorm: number | undefined;
  readonly latest: Iteration | undefined;
  readonly history: readonly Iteration[];
  /** What the stopping rules remember, by their descriptions. */
  readonly tests: { readonly [description: string]: SnapshotValue };
  readonly ending: Ending | undefined;
}

/** How a run ended. `rule` is the description of the stopping rule if one ended it, else empty. */
export interface Ending {
  readonly status: Status;
  readonly message: string;
  readonly by: "solver" | "rule" | "user" | "failure";
  readonly rule: string;
  readonly test: EndingTest | undefined;
}

/** @throws CurvatureError ERR_CHECKPOINT if a snapshot or an iteration's details hold something that is not plain data */
export function encodeCheckpoint(checkpoint: Checkpoint): Uint8Array {
  return encode(MAGIC, checkpoint);
}

/** @throws CurvatureError ERR_CHECKPOINT for anything that `encodeCheckpoint` did not write */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const value = decode(MAGIC, bytes);
  if (!isCheckpoint(value))
    throw new CurvatureError(
      "ERR_CHECKPOINT",
      "The checkpoint is readable but not complete. It was not written by a run.",
      { received: shown(value) },
    );
  return value;
}

/**
 * The checkpoint of a run that its solver has ended, as that of one that goes on: the solver is asked again, at the tolerance
 * of now. Others, and what is no checkpoint, are left to `run` as they are.
 *
 * @throws CurvatureError ERR_CHECKPOINT for bytes that `encodeCheckpoint` did not write
 */
export function reopened(resume: Uint8Array): Uint8Array {
  if (!(resume instanceof Uint8Array)) return resume;
  const checkpoint = decodeCheckpoint(resume);
  const { run: progress } = checkpoint;
  if (progress.ending?.by !== "solver") return resume;
  return encodeCheckpoint({ ...checkpoint, run: { ...progress, ending: undefined } });
}

/** @throws CurvatureError ERR_CHECKPOINT with a sentence that says what differs */
export function checkOrigin(
  { solver, dimension, fingerprint }: Checkpoint,
  target: { readonly name: string; readonly dimension: number; readonly fingerprint: string },
): void {
  if (solver.solver !== target.name) throw foreign("solver", solver.solver, target.name);
  if (dimension !== target.dimension) throw foreign("dimension", dimension, target.dimension);
  if (fingerprint !== target.fingerprint) throw foreign("fingerprint", fingerprint, target.fingerprint);
}

function foreign(what: string, received: string | number, expected: string | number): CurvatureError {
  const advice =
    what === "fingerprint"
      ? "Resume it with the data and options that it was written with"
      : "Resume it where it was written";
  return new CurvatureError(
    "ERR_CHECKPOINT",
    `The checkpoint is of another ${what}: it has ${shown(received)}, this run has ${shown(expected)}. ${advice}, or start anew.`,
    { path: what, expected: String(expected), received },
  );
}

type Check = (value: unknown) => boolean;

/**
 * Whether it is an object with these fields, each as its check says.
 *
 * @__NO_SIDE_EFFECTS__
 */
const hasFields =
  <T extends object>(checks: { readonly [N in keyof T]-?: Check }) =>
  (value: unknown): value is T =>
    isPlainObject(value) &&
    Object.entries<Check>(checks).every(([name, fits]) => name in value && fits(Reflect.get(value, name)));

const isNumber: Check = (value) => typeof value === "number";
const isString: Check = (value) => typeof value === "string";
const isMeasure: Check = (value) => value === undefined || isNumber(value);

const isSnapshot = hasFields<Snapshot>({ solver: isString, version: isNumber, state: isSnapshotValue });
const isTestInNumbers = hasFields<EndingTest>({ name: isString, value: isNumber, limit: isNumber });
const isTest: Check = (value) => value === undefined || isTestInNumbers(value);
const isEnding = hasFields<Ending>({
  status: isStatus,
  message: isString,
  test: isTest,
  by: (value) => ["solver", "rule", "user", "failure"].some((each) => each === value),
  rule: isString,
});
const isOutcome = (value: unknown): boolean =>
  hasFields<Omit<Outcome, "test">>({ status: isStatus, message: isString })(value) &&
  isTest(Reflect.get(value, "test"));
const isProgress = hasFields<RunProgress>({
  elapsedSeconds: (value) => typeof value === "number" && value >= 0,
  gradientNorm: isMeasure,
  latest: (value) => value === undefined || isIteration(value),
  history: (value) => Array.isArray(value) && value.every(isIteration),
  tests: (value) => isPlainObject(value) && Object.values(value).every(isSnapshotValue),
  ending: (value) => value === undefined || isEnding(value),
});
const isCheckpoint = hasFields<Checkpoint>({
  solver: isSnapshot,
  dimension: isNumber,
  fingerprint: isString,
  run: isProgress,
});

const counters = ["index", "evaluations", "gradientEvaluations", "monitoringEvaluations", "passes"] as const;
const measures = ["value", "gradientNorm", "stepLength"] as const;

/** Whether it is an iteration; its details are the solver's, which the checkpoint names. */
export function isIteration<Details>(value: unknown): value is Iteration<Details> {
  if (!isPlainObject(value)) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return (
    counters.every((name) => typeof fields.get(name) === "number") &&
    measures.every((name) => isMeasure(fields.get(name))) &&
    typeof fields.get("phase") === "string" &&
    fields.has("details") &&
    (fields.get("outcome") === undefined || isOutcome(fields.get("outcome")))
  );
}

function isSnapshotValue(value: unknown): value is SnapshotValue {
  if (value === undefined) return false;
  if (Array.isArray(value)) return value.every(isSnapshotValue);
  return !isPlainObject(value) || Object.values(value).every(isSnapshotValue);
}
