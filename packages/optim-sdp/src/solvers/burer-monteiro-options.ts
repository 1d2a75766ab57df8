/** What Burer-Monteiro can be asked, and its first factor at the door. */
import {
  CurvatureError,
  checkOptions,
  type DenseMatrix,
  integerFrom,
  optional,
  positive,
  type Rule,
} from "@curvature/linalg";
import type { NomadProblem } from "../problem.js";

export type BurerMonteiroStart = "kmeans" | "symmetric-nmf" | "random" | DenseMatrix;

export interface BurerMonteiroOptions {
  /** r, the columns of Y. Default 4 K, rounded up, at most n; of a given Y its columns. */
  readonly rank?: number;
  /** Of the start. Default 0. */
  readonly seed?: number;
  /** Relative change of the lower bound at which it ends, see above. Default 1e-4. */
  readonly tolerance?: number;
  /**
   * The first Y: "kmeans", k-means with r centres; "symmetric-nmf", the factor of D without its negative entries (dense,
   * n² memory and 4 n² r operations in each of up to 100 iterations, in one step); "random"; or Y itself, n × r, at least 0.
   * Default "kmeans".
   */
  readonly initialization?: BurerMonteiroStart;
}

export interface BurerMonteiroSettings {
  readonly rank: number | undefined;
  readonly seed: number;
  readonly tolerance: number;
  readonly initialization: BurerMonteiroStart;
}

export const burerMonteiroDefaults: BurerMonteiroSettings = Object.freeze({
  rank: undefined,
  seed: 0,
  tolerance: 1e-4,
  initialization: "kmeans",
});

const start: Rule = {
  expected: '"kmeans", "symmetric-nmf", "random" or a matrix { rows, columns, data } of a Float64Array',
  accepts: (value) =>
    value === "kmeans" || value === "symmetric-nmf" || value === "random" || isMatrix(value),
};

/** The options as used, and r. @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE */
export function checkBurerMonteiro(
  { gram, clusters }: NomadProblem,
  options: BurerMonteiroOptions | undefined,
): { readonly settings: BurerMonteiroSettings; readonly r: number } {
  const settings = checkOptions("BurerMonteiro", options, burerMonteiroDefaults, {
    rank: optional(integerFrom(1)),
    seed: integerFrom(0),
    tolerance: positive,
    initialization: start,
  });
  const { initialization, rank } = settings;
  if (typeof initialization === "string")
    return { settings, r: rank ?? Math.min(gram.n, Math.ceil(4 * clusters)) };
  const r = rank ?? initialization.columns;
  checkFactor(initialization, gram.n, r);
  return { settings, r };
}

function isMatrix(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "data" in value &&
    "rows" in value &&
    "columns" in value &&
    value.data instanceof Float64Array
  );
}

function checkFactor({ rows, columns, data }: DenseMatrix, n: number, r: number): void {
  if (rows !== n || columns !== r || data.length !== n * r)
    throw new CurvatureError(
      "ERR_SHAPE",
      `BurerMonteiro: initialization must be ${n} x ${r}; it is ${rows} x ${columns} of ${data.length} numbers.`,
      { path: "initialization", expected: `${n} x ${r}`, received: `${rows} x ${columns}` },
    );
  const at = data.findIndex((entry) => !(entry >= 0 && entry < Number.POSITIVE_INFINITY));
  if (at >= 0 || !data.some((entry) => entry > 0))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      at >= 0
        ? `BurerMonteiro: initialization must be at least 0 and finite; row ${Math.floor(at / r)}, column ${at % r} (counted from 0) has ${data[at]}.`
        : "BurerMonteiro: initialization is zero; it must have a positive entry.",
      { path: "initialization", expected: "numbers of at least 0", received: data[at] },
    );
}
