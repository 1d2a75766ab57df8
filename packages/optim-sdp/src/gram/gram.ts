/**
 * What NOMAD is told of the data: the centred Gram matrix D, from points (`gram-of-points.ts`), or from a matrix or distances
 * (`gram-of-matrix.ts`).
 *
 * Q 1 = 1 in every feasible Q, so that Tr(G Q) = Tr(J G J Q) + 1ᵀ G 1/n, J = I − 1 1ᵀ/n: centring changes no minimiser and
 * moves the value by a known `offset`. All else in this package may therefore take D 1 = 0 for granted.
 */
import type { DenseMatrix } from "@curvature/linalg";
import { defaultMemoryLimit } from "../memory.js";

export interface GramOptions {
  /** Whether points are divided by the largest norm of a row before centring, "norm", or not, "none". Default "norm". */
  readonly scale?: "norm" | "none";
  /** Bytes that dense n × n arrays may take, those of the solvers included. Default 4 GiB. */
  readonly memoryLimit?: number;
}

export const gramDefaults: Readonly<Required<GramOptions>> = Object.freeze({
  scale: "norm",
  memoryLimit: defaultMemoryLimit,
});

/** The centred Gram matrix as an operator. */
export interface Gram {
  readonly n: number;
  /** 1ᵀ G 1/n of the matrix that was given: Tr(G Q) = Tr(D Q) + offset. 0 for points and distances. */
  readonly offset: number;
  /** Tr D */
  readonly trace: number;
  /** D_ii */
  readonly diagonal: Float64Array;
  readonly fingerprint: string;
  /** What dense arrays may take, in bytes. */
  readonly memoryLimit: number;
  /** X, n × d, of D = X Xᵀ where D was given by points; not to be written to. */
  readonly points?: DenseMatrix;
  /** D v into `out`. */
  multiply(v: Float64Array, out: Float64Array): void;
  /** Tr(Fᵀ D F) of an n × r matrix. */
  quadratic(F: DenseMatrix): number;
  /** D, n × n; not to be written to. @throws CurvatureError ERR_MEMORY */
  dense(): DenseMatrix;
}
