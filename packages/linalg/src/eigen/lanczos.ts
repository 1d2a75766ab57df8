/**
 * A few extreme eigenpairs of a symmetric operator, which is known by its products with vectors, one by one or a few together:
 * the search of `krylov-search.ts`. Of n ≤ 200 and the like all pairs, by n products and a dense decomposition.
 *
 * Time per product m n operations for the orthogonality; memory (m + count) n numbers; m is 2 count + 20, or 40, and
 * 50 more for blocks of 8.
 */
import { CurvatureError } from "../errors.js";
import { integerFrom, type OptionsOf, oneOf, optionTable, positive } from "../options.js";
import { type BlockOperator, KrylovSearch, type SearchSettings } from "./krylov-search.js";
import {
  checkOperator,
  denseOperatorEigen,
  LARGEST_DENSE,
  measuredPairs,
  type OperatorPairs,
  type SymmetricOperator,
} from "./operator.js";
import { type EigenPairs, orientRows } from "./pairs.js";

export const lanczosOptions = optionTable({
  /** How many eigenpairs. */
  count: integerFrom(1).default(1),
  /** In increasing order the smallest, in decreasing order the largest. */
  which: oneOf("smallest", "largest").default("largest"),
  /** Residuals are at most this times the largest |θ| seen. */
  tolerance: positive.default(1e-10),
  /** The most products with A. */
  maxProducts: integerFrom(1).default(20_000),
  /** Of the start. */
  seed: integerFrom(0).default(0),
});
export type LanczosOptions = OptionsOf<typeof lanczosOptions>;

/**
 * The `count` smallest or largest eigenvalues of A with their eigenvectors.
 *
 * @param apply - A v into `out`, A symmetric n × n
 * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT; ERR_NON_FINITE if a product is not finite; ERR_NO_CONVERGENCE after
 *   `maxProducts`
 */
export function lanczos(apply: SymmetricOperator, n: number, options?: LanczosOptions): OperatorPairs {
  const settings = lanczosOptions.resolve("lanczos", options);
  const { count, which } = settings;
  checkOperator("lanczos", apply, n, count);
  if (n <= Math.max(LARGEST_DENSE, 3 * count)) {
    const { values, vectors } = denseOperatorEigen("lanczos", apply, n, count, which);
    return measuredPairs(apply, n, values, vectors, n);
  }
  const search = new KrylovSearch({ width: 1, apply }, n, settings);
  const { values, vectors } = search.pairs(count);
  return measuredPairs(apply, n, values, vectors, search.products);
}

/** The settings of a search for the largest pairs. */
type BlockLanczosOptions = Omit<SearchSettings, "which">;

/**
 * The `count` largest eigenvalues of an operator that multiplies several rows together, of n ≥ 200 and ≥ 5 count.
 *
 * @throws CurvatureError ERR_NO_CONVERGENCE after `maxProducts`
 */
export function blockLanczos(
  operator: BlockOperator,
  n: number,
  count: number,
  options: BlockLanczosOptions,
): EigenPairs {
  const { values, vectors } = new KrylovSearch(operator, n, { which: "largest", ...options }).pairs(count);
  const rows = { rows: count, columns: n, data: vectors };
  orientRows(rows);
  return { values, vectors: rows };
}

/** What a search finds, or undefined where it has no end. */
export function unlessEndless<T>(search: () => T): T | undefined {
  try {
    return search();
  } catch (error) {
    if (error instanceof CurvatureError && error.code === "ERR_NO_CONVERGENCE") return undefined;
    throw error;
  }
}
