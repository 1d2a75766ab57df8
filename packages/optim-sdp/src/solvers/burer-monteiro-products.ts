/**
 * Products of D with a sparse nonnegative factor Y (n × r), in the form that is cheaper: from points
 * (`burer-monteiro-points.ts`), or from D itself (`burer-monteiro-matrix.ts`).
 */
import { norm2, gram as transposedProduct } from "@curvature/linalg";
import type { Gram } from "../gram/gram.js";
import { denseBytes } from "../memory.js";
import { MatrixProducts } from "./burer-monteiro-matrix.js";
import { PointsProducts } from "./burer-monteiro-points.js";
import type { FactorProducts } from "./factor-products.js";

/**
 * The cheaper form, by the multiplications of a usual run in nanoseconds: 1000 evaluations and 60 gradients in all entries,
 * on 6 places in a row. D itself is formed only where it is worth it and its memory is allowed.
 */
export function factorProducts(gram: Gram, r: number): FactorProducts {
  const { points, n } = gram;
  if (points === undefined) return new MatrixProducts(gram.dense(), gram.memoryLimit);
  const { columns: d } = points;
  const byPoints = d * (1000 * 6 * 0.9 + 60 * 0.3 * r);
  const byMatrix = n * ((1000 * 36 * 0.5) / r + 60 * 6 * 0.7 + 0.15 * d);
  const isAllowed = 2 * denseBytes(n, 1) <= gram.memoryLimit;
  return byMatrix < byPoints && isAllowed
    ? new MatrixProducts(gram.dense(), gram.memoryLimit)
    : new PointsProducts(points, r);
}

/** ‖D‖_F, or 1 where D is 0. */
export function frobenius(gram: Gram): number {
  const { points } = gram;
  const D = points !== undefined && points.columns < points.rows ? transposedProduct(points) : gram.dense();
  const size = norm2(D.data);
  return size > 0 ? size : 1;
}
