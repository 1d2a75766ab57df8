/**
 * LIBLINEAR's C library (Debian: liblinear4) in a Python process that reads the problem in binary form and takes the CPU
 * time of train() alone. The program liblinear-train tells its time with reading only, and a run with a huge -e, which
 * is the way to subtract that, still makes one pass: for a few milliseconds of training the difference is noise.
 */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SparseMatrix } from "@curvature/linalg";

export type LiblinearLoss = "squared-hinge" | "logistic" | "hinge";

/** -s of the solvers for a loss. */
export const liblinearSolvers: Readonly<Record<LiblinearLoss, readonly number[]>> = {
  "squared-hinge": [2, 1],
  logistic: [0, 7],
  hinge: [3],
};

export interface LiblinearTask {
  /** Made by `writeProblem`. */
  readonly problemFile: string;
  readonly weightsFile: string;
  readonly rows: number;
  readonly loss: LiblinearLoss;
  readonly lambda: number;
  /** Trainings for one measurement, of which the median counts. */
  readonly times: number;
}

export interface LiblinearRun {
  /** CPU time of the training. */
  readonly seconds: number;
  readonly weights: Float64Array;
}

/** The weight of the losses in LIBLINEAR's ½‖w‖² + C Σ loss, whose squared hinge lacks the ½. */
const cost = ({ loss, lambda, rows }: LiblinearTask): number =>
  1 / ((loss === "squared-hinge" ? 2 : 1) * lambda * rows);

const script = fileURLToPath(new URL("./liblinear.py", import.meta.url));

export function writeProblem(path: string, rows: SparseMatrix<Float32Array>, targets: Float64Array): void {
  const file = openSync(path, "w");
  const sizes = BigInt64Array.of(BigInt(rows.rows), BigInt(rows.columns), BigInt(rows.values.length));
  for (const part of [sizes, rows.rowPointers, rows.columnIndices, rows.values, Int8Array.from(targets)])
    writeSync(file, part);
  closeSync(file);
}

export function liblinear(task: LiblinearTask, solver: number, epsilon: number): LiblinearRun {
  const numbers = [solver, epsilon, cost(task), task.times].map(String);
  const { stdout, stderr, status } = spawnSync(
    "python3",
    [script, task.problemFile, task.weightsFile, ...numbers],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`LIBLINEAR failed: ${stderr}`);
  const { buffer, byteOffset, byteLength } = readFileSync(task.weightsFile);
  return {
    seconds: Number(stdout),
    weights: new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength)),
  };
}
