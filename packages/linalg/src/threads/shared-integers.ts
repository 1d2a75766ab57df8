import { CurvatureError, shown } from "../index.js";

/** @throws CurvatureError ERR_ARGUMENT unless these are so many integers at least, in memory that threads can share */
export function checkSharedIntegers(integers: Int32Array, least: number, where: string): void {
  const isShared = integers instanceof Int32Array && integers.buffer instanceof SharedArrayBuffer;
  if (isShared && integers.length >= least) return;
  const expected = `an Int32Array of ${least} entries or more in a SharedArrayBuffer`;
  throw new CurvatureError("ERR_ARGUMENT", `${where} takes ${expected}; received ${shown(integers)}.`, {
    path: "integers",
    expected,
    received: integers,
  });
}
