/**
 * Every failure as one sentence and one exit code. What comes out of the file system, the command line or the
 * packages is turned into a `Failure` here, and nowhere else.
 */
import { CurvatureError, type ErrorCode, printable } from "@curvature/linalg";
import { exitCode } from "./exit-codes.js";
import { inFlags } from "./flag-names.js";
import { isOutOfMemory, outOfMemory } from "./memory.js";

export interface Failure {
  readonly code: string;
  /** One sentence for people. */
  readonly message: string;
  readonly exitCode: number;
  /** For those who look for the cause in the code. */
  readonly stack: string | undefined;
}

const exitCodes: Readonly<Record<ErrorCode, number>> = {
  ERR_OPTION: exitCode.usage,
  ERR_ARGUMENT: exitCode.usage,
  ERR_NON_FINITE: exitCode.data,
  ERR_SHAPE: exitCode.data,
  ERR_PARSE: exitCode.data,
  ERR_SNAPSHOT: exitCode.data,
  ERR_CHECKPOINT: exitCode.data,
  ERR_MEMORY: exitCode.data,
  ERR_DEVICE: exitCode.unavailable,
  ERR_IO: exitCode.io,
  ERR_NOT_POSITIVE_DEFINITE: exitCode.failed,
  ERR_NO_CONVERGENCE: exitCode.failed,
};

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(exitCodes, code);

export function failureOf(cause: unknown): Failure {
  const error = isOutOfMemory(cause) ? outOfMemory(cause) : cause;
  if (error instanceof CurvatureError) {
    return {
      code: error.code,
      message: printable(inFlags(error)),
      exitCode: exitCodes[error.code],
      stack: error.stack,
    };
  }
  if (isSystemError(error)) {
    const message = systemSentence(error);
    return { code: "ERR_IO", message: printable(message), exitCode: exitCode.io, stack: error.stack };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: "ERR_INTERNAL",
    message: `Internal error, please report it: ${printable(message)}`,
    exitCode: exitCode.failed,
    stack: error instanceof Error ? error.stack : undefined,
  };
}

/** A command line that cannot be obeyed. */
export function usageError(message: string, path?: string): CurvatureError {
  return new CurvatureError("ERR_OPTION", message, { path });
}

/** A file that cannot be read or written, as a sentence that names the file and says what to do. */
export function fileError(action: "read" | "write", path: string, cause: unknown): CurvatureError {
  const code = codeOf(cause);
  const reason = (code !== undefined && fileReasons[action][code]) || (code ?? String(cause));
  return new CurvatureError("ERR_IO", `Cannot ${action} ${path}: ${reason}.`, { path, cause });
}

const spaceReasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free some space or write elsewhere",
  EDQUOT: "your disk quota is used up; free some space or write elsewhere",
  EFBIG: "the file would be larger than allowed here",
  EROFS: "the file system is read-only; write elsewhere",
};
const sharedReasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied; check the rights of the file and its folder",
  EPERM: "the operation is not permitted; check the rights of the file and its folder",
  EISDIR: "it is a folder; name a file",
  EMFILE: "too many files are open; close some and try again",
  ENFILE: "too many files are open; close some and try again",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "too many symbolic links in the path",
  EIO: "the device reported an input/output error",
};
const fileReasons: Readonly<Record<"read" | "write", Readonly<Record<string, string>>>> = {
  read: {
    ...sharedReasons,
    ENOENT: "there is no such file; check the name",
    ENOTDIR: "a part of the path is not a folder; check the name",
  },
  write: {
    ...sharedReasons,
    ...spaceReasons,
    ENOENT: "its folder does not exist; make it first",
    ENOTDIR: "a part of the path is not a folder; check the name",
  },
};

function codeOf(cause: unknown): string | undefined {
  if (typeof cause !== "object" || cause === null || !("code" in cause)) return undefined;
  return typeof cause.code === "string" ? cause.code : undefined;
}

interface SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
}

export function isSystemError(error: unknown): error is SystemError {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    "syscall" in error &&
    typeof error.syscall === "string"
  );
}

/** Whether a file could not be read or written; not, for one, a connection that was refused. */
export function isFileError(error: unknown): error is SystemError {
  if (!isSystemError(error) || "address" in error) return false;
  return error.path !== undefined || Object.hasOwn(fileReasons.write, error.code);
}

function systemSentence(error: SystemError): string {
  const action = error.syscall === "write" || error.syscall === "rename" ? "write" : "read";
  return fileError(action, error.path ?? "the data", error).message;
}

/** For those who look for an error in the program: CURVATURE_DEBUG=1. */
export function showStack(stack: string | undefined): void {
  if (process.env["CURVATURE_DEBUG"] && stack !== undefined) process.stderr.write(`${stack}\n`);
}
