import { CurvatureError } from "./errors.js";
import { shown, unfit } from "./options.js";

/**
 * Checks a block of d vectors of length n, row-major (entry (i, c) at i·d + c).
 *
 * @param what - the block's name in the signature
 * @throws CurvatureError ERR_SHAPE
 */
export function checkBlock(where: string, what: string, block: Float64Array, n: number, d: number): void {
  if (!Number.isSafeInteger(d) || d < 0)
    throw unfit("ERR_SHAPE", where, "d", "a whole number of at least 0", d);
  if (block instanceof Float64Array && block.length === n * d) return;
  const received = block instanceof Float64Array ? block.length : shown(block);
  throw new CurvatureError(
    "ERR_SHAPE",
    `${what} must hold d = ${d} vectors of length ${n}, ${n * d} numbers; received ${received}.`,
    { where, path: what, expected: `${n * d} numbers`, received },
  );
}
