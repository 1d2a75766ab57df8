/**
 * Whether a checkpoint may go where it is told: onto nothing, onto nothing but a checkpoint.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { fileError, isSystemError, usageError } from "./failure.js";

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
