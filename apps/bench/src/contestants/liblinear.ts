/**
 * LIBLINEAR's `liblinear-train` (Debian: liblinear-tools) as a child process.
 *
 * Its time is the user CPU time of the process, less that of one whose stopping tolerance is so large that it ends at
 * once: what is left is training without reading and writing. The clock counts milliseconds, so that small sets are
 * trained on several times over.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export type LiblinearLoss = "squared-hinge" | "logistic" | "hinge";

/** -s of the solvers for a loss. */
export const liblinearSolvers: Readonly<Record<LiblinearLoss, readonly number[]>> = {
  "squared-hinge": [2, 1],
  logistic: [0, 7],
  hinge: [3],
};

export interface LiblinearTask {
  /** LIBSVM text, labels +1 and −1. */
  readonly file: string;
  readonly modelFile: string;
  readonly rows: number;
  readonly columns: number;
  readonly loss: LiblinearLoss;
  readonly lambda: number;
  /** Processes for one measurement. */
  readonly times: number;
}

export interface LiblinearRun {
  /** User CPU time of one whole process. */
  readonly seconds: number;
  readonly weights: Float64Array;
}

/** The weight of the losses in LIBLINEAR's ½‖w‖² + C Σ loss, whose squared hinge lacks the ½. */
const cost = ({ loss, lambda, rows }: LiblinearTask): number =>
  1 / ((loss === "squared-hinge" ? 2 : 1) * lambda * rows);

const SCRIPT =
  'TIMEFORMAT=%3U; times=$1; shift; time for ((k = 0; k < times; k++)); do liblinear-train "$@" || exit 1; done';

export function liblinear(task: LiblinearTask, solver: number, epsilon: number): LiblinearRun {
  const { file, modelFile } = task;
  const options = ["-q", "-s", String(solver), "-c", String(cost(task)), "-e", String(epsilon)];
  const { stderr, status } = spawnSync(
    "bash",
    ["-c", SCRIPT, "bash", String(task.times), ...options, file, modelFile],
    { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } },
  );
  const seconds = Number(stderr.trim().split("\n").at(-1)) / task.times;
  if (status !== 0 || !Number.isFinite(seconds)) throw new Error(`liblinear-train failed: ${stderr}`);
  return { seconds, weights: weightsOf(readFileSync(modelFile, "utf8"), task.columns) };
}

/** Seconds that go to reading and writing, by a run that ends at once. */
export function liblinearOverhead(task: LiblinearTask, solver: number): number {
  return liblinear(task, solver, 1e12).seconds;
}

function weightsOf(model: string, columns: number): Float64Array {
  const [head, body] = model.split(/^w\s*\n/m);
  const sign = /^label 1\b/m.test(head) ? 1 : -1;
  const entries = body.trim().split(/\s+/).map(Number);
  return Float64Array.from({ length: columns }, (_, j) => sign * (entries[j] ?? 0));
}
