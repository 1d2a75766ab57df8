/**
 * The one error class of curvature: a stable code for programs, and for people a sentence that says what was
 * wrong, where, and what to do.
 */
export type ErrorCode =
  | "ERR_NON_FINITE"
  | "ERR_SHAPE"
  | "ERR_OPTION"
  | "ERR_ARGUMENT"
  | "ERR_PARSE"
  | "ERR_SNAPSHOT"
  | "ERR_CHECKPOINT"
  | "ERR_MEMORY"
  | "ERR_NOT_POSITIVE_DEFINITE"
  | "ERR_NO_CONVERGENCE"
  | "ERR_IO";

export interface ErrorDetails {
  /** The function or class that was called. */
  readonly where?: string | undefined;
  /** Where: an option's name, a matrix entry, a file and line. */
  readonly path?: string;
  /** What would have been right, in words. */
  readonly expected?: string;
  /** What was there instead. */
  readonly received?: unknown;
  readonly cause?: unknown;
}

/** What every copy of the class has in common: those of ES modules, of CommonJS, of another version. */
const BRAND = Symbol.for("@curvature/linalg/CurvatureError");

/** `instanceof` knows the errors of all copies of this class that a program has loaded. */
export class CurvatureError extends Error {
  readonly code: ErrorCode;
  /** The function or class that was called, where the message begins with its name. */
  readonly where: string | undefined;
  readonly path: string | undefined;
  readonly expected: string | undefined;
  readonly received: unknown;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "CurvatureError";
    this.code = code;
    this.where = details.where;
    this.path = details.path;
    this.expected = details.expected;
    this.received = details.received;
  }

  get [BRAND](): true {
    return true;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && BRAND in value;
  }
}
