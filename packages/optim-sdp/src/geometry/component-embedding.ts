/**
 * Coordinates of the points of each component from its own block of Q.
 *
 * With c components the eigenvalue 1 of Q is c-fold, and its leading eigenvectors separate the components: of two curves they
 * show a point each. The block of one component has rows that sum to 1 too, and its own leading eigenvectors show its form.
 */
import { CurvatureError, checkArgument, type DenseMatrix, integerFrom, zeros } from "@curvature/linalg";
import type { FactoredPoint } from "../bounds/factored-point.js";
import { embeddingOfSolution } from "./embedding.js";
import { solutionFrom } from "./solution.js";

/** Residual of the eigenpairs: what a picture shows. */
const TOLERANCE = 1e-6;

/**
 * @param Q - n × n, or as a factor: Q is not formed then
 * @param componentOf - of each point, 0 … c − 1
 * @param dimensions - d, from 1. Default 2
 * @returns n × d; each component about 0, and 0 where its block is constant
 * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT
 */
export function embeddingByComponent(
  Q: DenseMatrix | FactoredPoint,
  componentOf: Int32Array,
  dimensions = 2,
): DenseMatrix {
  const solution = solutionFrom("embeddingByComponent", Q);
  const { n } = solution;
  checkArgument("embeddingByComponent", "dimensions", integerFrom(1), dimensions);
  if (!(componentOf instanceof Int32Array && componentOf.length === n && componentOf.every((c) => c >= 0)))
    throw new CurvatureError("ERR_SHAPE", `componentOf must be an Int32Array of ${n} numbers from 0 on.`, {
      where: "embeddingByComponent",
      path: "componentOf",
      expected: `${n} numbers`,
      received: componentOf,
    });
  const members = new Map<number, number[]>();
  for (const [i, c] of componentOf.entries()) {
    const rows = members.get(c);
    if (rows === undefined) members.set(c, [i]);
    else rows.push(i);
  }
  const coordinates = zeros(n, dimensions);
  for (const rows of members.values()) {
    const part = solution.restrictedTo(Int32Array.from(rows));
    const { data } = embeddingOfSolution(part, dimensions, TOLERANCE).coordinates;
    for (const [k, i] of rows.entries())
      coordinates.data.set(data.subarray(k * dimensions, (k + 1) * dimensions), i * dimensions);
  }
  return coordinates;
}
