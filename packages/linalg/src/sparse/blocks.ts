import { CurvatureError } from "../errors.js";

/**
 * Checks a block of d vectors of length n, row-major (entry (i, c) at i·d + c).
 *
 * @param what - the block's name in the signature
 * @throws CurvatureError ERR_SHAPE
 */
export function checkBlock(where: string, what: string, block: Float64Array, n: number, d: number): void {
  if (Number.isSafeInteger(d) && d >= 0 && block.length === n * d) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${where}: ${what} must hold d = ${d} vectors of length ${n}, ${n * d} numbers; received ${block.length}.`,
    { path: what, expected: `${n * d} numbers`, received: block.length },
  );
}
