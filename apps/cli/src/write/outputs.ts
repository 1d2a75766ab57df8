/**
 * All that a command writes: checked before the work, written after it, each by itself, so that one full disk does
 * not cost the other results.
 */
import { CurvatureError } from "@curvature/linalg";
import { exitCode as exitCodes } from "../run/exit-codes.js";
import { failureOf, usageError } from "../run/failure.js";
import type { Log } from "../run/log.js";
import {
  type Content,
  checkWritable,
  sameFile,
  sweepTemporaries,
  writeAtomically,
  writeToStdout,
} from "./atomic-file.js";

/** A file that an option names; - is standard output, undefined none. */
export interface Target {
  readonly option: string;
  readonly path: string | undefined;
}

export interface Output {
  readonly path: string | undefined;
  /** One of many in a folder, of which the first alone is named when they are written. */
  readonly isFurther?: boolean;
  content(path: string): Content | Promise<Content>;
}

/**
 * @param inputs - files that must stay as they are
 * @throws CurvatureError ERR_OPTION if two outputs are one, or one is an input; ERR_IO if one cannot be written
 */
export function checkOutputs(targets: readonly Target[], inputs: readonly string[]): void {
  const files = inputs.filter((path) => path !== "-");
  targets.forEach(({ option, path }, k) => {
    if (path === undefined) return;
    const twin = targets.slice(0, k).find((other) => other.path !== undefined && isSame(path, other.path));
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
  for (const { path } of targets) if (path !== undefined && path !== "-") sweepTemporaries(path);
}

export interface Conclusion {
  readonly outputs: readonly Output[];
  /** Of the summary: the lines for people and the record for programs. */
  readonly lines: readonly string[];
  readonly record: Readonly<Record<string, unknown>>;
  /** The exit code where nothing else went wrong; asked for at the end, since a signal may come late. */
  readonly code?: () => number;
  /** What went wrong before. */
  readonly errors?: readonly unknown[];
  /** Why the last checkpoint could not be written. */
  readonly checkpointFailure?: string | undefined;
}

/** Writes everything, sums up, and says how it ended. @returns the exit code */
export async function concluded(
  log: Log,
  { outputs, lines, record, code, errors = [], checkpointFailure }: Conclusion,
): Promise<number> {
  const failures = errors.map(failureOf);
  const written: string[] = [];
  for (const { path, content, isFurther } of outputs) {
    if (path === undefined) continue;
    try {
      if (path === "-") await writeToStdout(await content(path));
      else {
        writeAtomically(path, await content(path));
        if (isFurther !== true) written.push(`  -> ${path}`);
      }
    } catch (error) {
      failures.push(failureOf(error));
    }
  }
  if (checkpointFailure !== undefined)
    failures.push(
      failureOf(new CurvatureError("ERR_IO", `The last checkpoint is missing. ${checkpointFailure}`)),
    );
  const exitCode = failures[0]?.exitCode ?? code?.() ?? exitCodes.success;
  log.summary([...lines, ...written], { ...record, exitCode });
  for (const failure of failures) log.failure(failure);
  return exitCode;
}
