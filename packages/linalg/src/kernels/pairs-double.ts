/** The rows of `pairs.ts` in double precision. */
import type { PairKernel, PairRows } from "./pairs.js";
import { gaussianForces, gaussianSum } from "./pairs-gaussian.js";
import { studentForces, studentSum } from "./pairs-student.js";

export function doubleRows(
  kernel: PairKernel,
  x: Float64Array,
  y: Float64Array,
  withForces: boolean,
): PairRows {
  const px = new Float64Array(x.length);
  const py = new Float64Array(x.length);
  const forces = kernel === "student" ? studentForces : gaussianForces;
  const alone = kernel === "student" ? studentSum : gaussianSum;
  return {
    px,
    py,
    sum: (from, to) => (withForces ? forces(x, y, from, to, px, py) : alone(x, y, from, to)),
    close: () => undefined,
  };
}
