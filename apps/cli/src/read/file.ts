/**
 * A file, or standard input under the name -: its bytes, what it is called, and its name in errors.
 */
import { createReadStream, statSync } from "node:fs";
import { CurvatureError } from "@curvature/linalg";
import { fileError, isSystemError } from "../run/failure.js";
import { inFlags } from "../run/flag-names.js";

export async function* bytesOf(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stream = path === "-" ? process.stdin : createReadStream(path);
  const stop = (): unknown => stream.destroy(signal.reason);
  signal.addEventListener("abort", stop);
  try {
    signal.throwIfAborted();
    for await (const piece of stream) yield piece;
  } catch (error) {
    if (isSystemError(error)) throw fileError("read", shownName(path), error);
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Whether what is there can be read once only: standard input, or a pipe under a name. */
export function isPipe(path: string): boolean {
  return path === "-" || statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

export function shownName(path: string): string {
  return path === "-" ? "standard input" : path;
}

/** Adds the file's name to what a reader says about its content, unless that begins with it. */
export function inFile(path: string, error: unknown): unknown {
  if (!(error instanceof CurvatureError) || error.code === "ERR_OPTION" || error.code === "ERR_IO")
    return error;
  if ([": ", " "].some((mark) => error.message.startsWith(`${shownName(path)}${mark}`))) return error;
  return new CurvatureError(error.code, `${shownName(path)}: ${inFlags(error)}`, { path, cause: error });
}
