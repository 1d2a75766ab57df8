/**
 * A run's checkpoint as a file. It may overwrite nothing but a checkpoint. One that cannot be written is no reason to lose
 * the run: a warning says so at once, and the command fails at its end unless a later one could be written.
 */
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { CurvatureError } from "@curvature/linalg";
import type { CheckpointOptions } from "@curvature/optim-core";
import { failureOf, fileError, isSystemError, usageError } from "../run/failure.js";
import { inFlags } from "../run/flag-names.js";
import { writeAtomically } from "./atomic-file.js";

export interface CheckpointRequest {
  readonly path: string;
  readonly everySeconds: number;
  /** Go on from what the file holds. */
  readonly resume: boolean;
}

export class CheckpointFile {
  /** Why the last checkpoint is not on the disk. */
  failure: string | undefined;

  constructor(
    private readonly request: CheckpointRequest,
    private readonly warn: (sentence: string) => void,
  ) {}

  get options(): CheckpointOptions {
    return { everySeconds: this.request.everySeconds, write: (bytes) => this.write(bytes) };
  }

  /** @throws CurvatureError ERR_IO */
  read(): Uint8Array {
    try {
      return new Uint8Array(readFileSync(this.request.path));
    } catch (error) {
      throw fileError("read", this.request.path, error);
    }
  }

  private write(bytes: Uint8Array): void {
    try {
      writeAtomically(this.request.path, bytes);
      this.failure = undefined;
    } catch (error) {
      const { message } = failureOf(error);
      if (this.failure === undefined) this.warn(`${message} The run goes on without this checkpoint.`);
      this.failure = message;
    }
  }
}

/** Adds the file's name to what is wrong with the checkpoint in it. */
export function checkpointError(path: string, error: unknown): unknown {
  if (!(error instanceof CurvatureError)) return error;
  if (error.code !== "ERR_CHECKPOINT" && error.code !== "ERR_SNAPSHOT") return error;
  const sentence =
    error.path === "solver"
      ? `The checkpoint is of another solver, or of another command: it has "${error.received}", this run has "${error.expected}". Go on with the command line that wrote it, or start anew.`
      : inFlags(error);
  return new CurvatureError(error.code, `${path}: ${sentence}`, { path, received: error.received });
}

/** The first bytes of every checkpoint (`optim-core`'s binary form). */
const magic = "CURVRUN";

/**
 * @param resume - whether the checkpoint must be there
 * @throws CurvatureError ERR_OPTION if another file would be overwritten, ERR_IO if there is none to go on from
 */
export function checkCheckpointTarget(path: string, resume: boolean): void {
  const head = Buffer.alloc(magic.length);
  let length: number;
  try {
    // Not even opened: a pipe would wait for its other end.
    if (!statSync(path).isFile()) {
      throw usageError(`--checkpoint ${path}: this is no ordinary file; name one.`, "checkpoint");
    }
    const file = openSync(path, "r");
    try {
      length = readSync(file, head);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!resume && isSystemError(error) && error.code === "ENOENT") return;
    throw isSystemError(error) ? fileError("read", path, error) : error;
  }
  if (!resume && length > 0 && head.toString("latin1", 0, length) !== magic) {
    throw usageError(
      `--checkpoint ${path}: this file exists and is no checkpoint, so it is not overwritten; give another name.`,
      "checkpoint",
    );
  }
}
