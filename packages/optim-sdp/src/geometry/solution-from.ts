/** A Q that a caller gives, dense or as a factor, at the door. */
import type { DenseMatrix } from "@curvature/linalg";
import { checkFactored, type FactoredPoint } from "../bounds/factored-point.js";
import { checkDense } from "../doors.js";
import { DenseSolution, FactoredSolution, type Solution } from "./solution.js";

/** @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT */
export function solutionFrom(where: string, Q: DenseMatrix | FactoredPoint): Solution {
  if (typeof Q === "object" && Q !== null && "factor" in Q) {
    checkFactored(where, Q);
    return new FactoredSolution(Q);
  }
  checkDense(where, "Q", Q);
  checkDense(where, "Q", Q, Q.rows, Q.rows);
  return new DenseSolution(Q);
}
