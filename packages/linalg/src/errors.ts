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
  | "ERR_DEVICE"
  | "ERR_NOT_POSITIVE_DEFINITE"
  | "ERR_NO_CONVERGENCE"
  | "ERR_IO";

export interface ErrorDetails {
  /** The function or class that was called: the message begins with its name. */
  readonly where?: string | undefined;
  /** Where: an option's name, a matrix entry, a file and line. */
  readonly path?: string | undefined;
  /** What would have been right, in words. */
  readonly expected?: string | undefined;
  /** What was there instead. */
  readonly received?: unknown;
  /** What of a result there is in spite of the error. */
  readonly partial?: unknown;
  readonly cause?: unknown;
}

/** What a user should know although there is a result; `code` is stable, for programs. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** The message with its options marked, where it names any: see `optionName`. */
  readonly sentence?: string;
}

/** Around the name of an option in a sentence, and between name and value; no text of a user's has them. */
const [BEGIN, BETWEEN, END] = ["\uF8E0", "\uF8E1", "\uF8E2"];
const marked = new RegExp(`${BEGIN}([^${BETWEEN}${END}]*)(?:${BETWEEN}([^${END}]*))?${END}`, "g");

/**
 * An option in a sentence for people, marked so that a front end can call it by its own name: the command line has flags.
 *
 *   `Lower ${optionName("dimensions")}.`            Lower dimensions.          Lower --dim.
 *   `Set ${optionName("degenerate", "drop")}.`      Set degenerate: "drop".    Set --degenerate drop.
 *   `Set ${optionName("certify", "false")}.`        Set certify: false.        Set --no-certify.
 */
export const optionName = (name: string, value?: string): string =>
  `${BEGIN}${name}${value === undefined ? "" : `${BETWEEN}${value}`}${END}`;

/** The sentence with its options called by `name`, and as the packages call them where it gives nothing. */
export const withOptionNames = (
  sentence: string,
  name: (option: string, value: string | undefined) => string | undefined = () => undefined,
): string =>
  sentence.replace(
    marked,
    (_, option: string, value: string | undefined) => name(option, value) ?? plainOption(option, value),
  );

const plainOption = (option: string, value: string | undefined): string => {
  if (value === undefined) return option;
  return `${option}: ${value === "true" || value === "false" ? value : `"${value}"`}`;
};

/** @param sentence - options in it by `optionName` */
export function warning(code: string, sentence: string): Warning {
  const message = withOptionNames(sentence);
  return message === sentence ? { code, message } : { code, message, sentence };
}

/** What every copy of the class has in common: those of ES modules, of CommonJS, of another version. */
const BRAND = Symbol.for("@curvature/linalg/CurvatureError");

/** `instanceof` knows the errors of all copies of this class that a program has loaded. */
export class CurvatureError extends Error {
  readonly code: ErrorCode;
  /** The function or class that was called. */
  readonly where: string | undefined;
  readonly path: string | undefined;
  readonly expected: string | undefined;
  readonly received: unknown;
  /** What of a result there is in spite of the error; of eigensolvers see `finishedPairs`. */
  readonly partial: unknown;
  /**
   * The message without the name of what was called, and with its options marked, for front ends that call them otherwise: see
   * `withOptionNames`.
   */
  readonly sentence: string;

  /** @param sentence - options in it by `optionName` */
  constructor(code: ErrorCode, sentence: string, details: ErrorDetails = {}) {
    super(
      `${details.where === undefined ? "" : `${details.where}: `}${withOptionNames(sentence)}`,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = "CurvatureError";
    this.code = code;
    this.sentence = sentence;
    this.where = details.where;
    this.path = details.path;
    this.expected = details.expected;
    this.received = details.received;
    this.partial = details.partial;
  }

  get [BRAND](): true {
    return true;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && BRAND in value;
  }
}
