/**
 * A run's checkpoint as a file. A checkpoint that cannot be written is no reason to lose the run: it is told at
 * once, and the command fails at its end unless a later one could be written.
 */
import { readFileSync } from "node:fs";
import { CurvatureError } from "@curvature/linalg";
import type { CheckpointOptions } from "@curvature/optim-core";
import { failureOf, fileError } from "../failure.js";
import { writeWhole } from "../output.js";

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
      writeWhole(this.request.path, bytes);
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
  return new CurvatureError(error.code, `${path}: ${error.message}`, { path, received: error.received });
}
