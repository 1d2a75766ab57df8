/** Memory is asked for before it is taken, so that too large a problem ends in a sentence and not in a crash. */
import { CurvatureError, shown } from "@curvature/linalg";
import { checkCount } from "./doors.js";

/** Bytes that the dense arrays of one problem may take together, where the caller says nothing else: 4 GiB. */
export const defaultMemoryLimit = 2 ** 32;

/** Bytes of `count` dense n × n arrays of float64. @throws CurvatureError ERR_ARGUMENT unless both are whole numbers from 1 */
export function denseBytes(n: number, count: number): number {
  checkCount("denseBytes", "n", n);
  checkCount("denseBytes", "count", count);
  return 8 * n * n * count;
}

/**
 * @param where - what asks, and `what` for: words of the sentence
 * @throws CurvatureError ERR_MEMORY, with how much is needed, if `bytes` is more than `limit`; ERR_ARGUMENT if they are no
 *   numbers
 */
export function checkMemory(where: string, what: string, bytes: number, limit: number): void {
  checkWord("where", where);
  checkWord("what", what);
  checkBytes("bytes", bytes);
  checkBytes("limit", limit);
  if (bytes <= limit) return;
  throw new CurvatureError(
    "ERR_MEMORY",
    `${where}: ${what} takes ${gibibytes(bytes)} GiB, and memoryLimit allows ${gibibytes(limit)} GiB. Raise memoryLimit if the machine has the memory, or take fewer points.`,
    { path: "memoryLimit", expected: `at least ${bytes} bytes`, received: limit },
  );
}

function checkWord(path: string, word: string): void {
  if (typeof word !== "string") throw badArgument(path, "a string", word);
}

function checkBytes(path: string, bytes: number): void {
  if (!(typeof bytes === "number" && bytes >= 0)) throw badArgument(path, "a number of at least 0", bytes);
}

const badArgument = (path: string, expected: string, received: unknown): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    `checkMemory: ${path} must be ${expected}; received ${shown(received)}.`,
    { path, expected, received },
  );

export const gibibytes = (bytes: number): string => (bytes / 2 ** 30).toPrecision(3);
