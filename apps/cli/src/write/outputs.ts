/**
 * All that a command writes: checked before the work, written after it, each by itself, so that one full disk does
 * not cost the other results.
 */
import { usageError } from "../run/failure.js";
import {
  type Content,
  checkWritable,
  sameFile,
  sweepTemporaries,
  writeAtomically,
  writeToStdout,
} from "./atomic-file.js";

/** A file that an option names; - is standard output. */
export interface Target {
  readonly option: string;
  readonly path: string;
}

export interface Output extends Target {
  content(): Content | Promise<Content>;
}

/**
 * @param inputs - files that must stay as they are
 * @throws CurvatureError ERR_OPTION if two outputs are one, or one is an input; ERR_IO if one cannot be written
 */
export function checkOutputs(targets: readonly Target[], inputs: readonly string[]): void {
  const files = inputs.filter((path) => path !== "-");
  targets.forEach(({ option, path }, k) => {
    const twin = targets.slice(0, k).find((other) => isSame(path, other.path));
    if (twin !== undefined) {
      throw usageError(
        `${twin.option} and ${option} name the same output (${path}); give each its own.`,
        option,
      );
    }
    if (path !== "-") checkWritable(option, path, files);
  });
}

const isSame = (a: string, b: string): boolean => (a === "-" || b === "-" ? a === b : sameFile(a, b));

/** Removes what was being written when the process was asked to end at once. */
export function removeTemporaries(targets: readonly Target[]): void {
  for (const { path } of targets) if (path !== "-") sweepTemporaries(path);
}

export interface FailedOutput {
  readonly path: string;
  readonly error: unknown;
}

/** Writes all of them. @returns what could not be written */
export async function writeOutputs(outputs: readonly Output[]): Promise<FailedOutput[]> {
  const failed: FailedOutput[] = [];
  for (const { path, content } of outputs) {
    try {
      if (path === "-") await writeToStdout(await content());
      else writeAtomically(path, await content());
    } catch (error) {
      failed.push({ path, error });
    }
  }
  return failed;
}
