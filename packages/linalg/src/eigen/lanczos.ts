/**
 * A few extreme eigenpairs of a symmetric operator, which is known by its products with vectors, one by one or a few together:
 * the search of `krylov-search.ts`. Of n ≤ 200 and the like all pairs, by n products and a dense decomposition.
 *
 * Time per product m n operations for the orthogonality; memory (m + count) n numbers; m is 2 count + 20, or 40, and
 * 50 more for blocks of 8.
 */
import { CurvatureError } from "../errors.js";
import { dot, norm2, scale } from "../kernels/vector.js";
import {
  callable,
  finite,
  integerFrom,
  type OptionsOf,
  oneOf,
  optionTable,
  positive,
  type SettingsOf,
} from "../options.js";
import { fillNormal, RandomGenerator } from "../random/generator.js";
import { type BlockOperator, KrylovSearch, type SearchSettings } from "./krylov-search.js";
import {
  checkOperator,
  denseOperatorEigen,
  LARGEST_DENSE,
  type OperatorPairs,
  provenPairs,
  type Searched,
  type SymmetricOperator,
} from "./operator.js";
import { project } from "./orthogonal.js";
import { type EigenPairs, orientRows } from "./pairs.js";

export const lanczosOptions = optionTable({
  /** How many eigenpairs. */
  count: integerFrom(1).default(1),
  /** In increasing order the smallest, in decreasing order the largest. */
  which: oneOf("smallest", "largest").default("largest"),
  /** Residuals are at most this times what `relativeTo` names, but for what rounding leaves: see `limits` of the result. */
  tolerance: positive.default(1e-10),
  /** "pair" or "operator": the |θ| of each pair itself, or the largest |θ| seen, which is less work for small pairs. */
  relativeTo: oneOf("pair", "operator").default("pair"),
  /**
   * r ↦ (A − σ I)⁻¹ r into `out`, by a `SparseCholesky` of A − σ I for instance, σ the `shift`: pairs next to σ are found in few
   * products, the smallest above it or the largest below.
   */
  solve: callable<SymmetricOperator>(),
  /** σ, where `solve` is given. */
  shift: finite.default(0),
  /** The most products with A. */
  maxProducts: integerFrom(1).default(20_000),
  /** Of the start. */
  seed: integerFrom(0).default(0),
});
export type LanczosOptions = OptionsOf<typeof lanczosOptions>;

/**
 * The `count` smallest or largest eigenvalues of A with their eigenvectors; with `solve` those next to the shift.
 *
 * @param apply - A v into `out`, A symmetric n × n
 * @throws CurvatureError ERR_OPTION; ERR_ARGUMENT, also for an operator that is seen not to be symmetric; ERR_NON_FINITE if a
 *   product is not finite; ERR_NO_CONVERGENCE after `maxProducts`, with the pairs that are done: see `finishedPairs`
 */
export function lanczos(apply: SymmetricOperator, n: number, options?: LanczosOptions): OperatorPairs {
  const settings = lanczosOptions.resolve("lanczos", options);
  const { count, which } = settings;
  checkOperator("lanczos", apply, n, count);
  if (settings.solve !== undefined) {
    const found = byInverse(apply, settings.solve, n, settings);
    return provenPairs("lanczos", apply, n, found, settings);
  }
  if (n <= Math.max(LARGEST_DENSE, 3 * count)) {
    const found = denseOperatorEigen("lanczos", apply, n, count, which, settings.tolerance);
    return provenPairs("lanczos", apply, n, { ...found, products: n }, settings);
  }
  const found = new KrylovSearch({ width: 1, apply }, n, settings).pairs(count);
  return provenPairs("lanczos", apply, n, found, settings);
}

/** Rounds of power iteration that the operator's size is estimated by. */
const POWERS = 5;

/**
 * Pairs (μ, u) of (A − σ I)⁻¹ from the end where |μ| is large, λ = σ + 1/μ. One more solve takes out of u what is far from σ, and
 * λ is its Rayleigh quotient.
 */
function byInverse(
  apply: SymmetricOperator,
  solve: SymmetricOperator,
  n: number,
  settings: SettingsOf<typeof lanczosOptions>,
): Searched {
  const { count, which } = settings;
  const inverse = { ...settings, which: which === "smallest" ? "largest" : "smallest" } as const;
  const found =
    n <= Math.max(LARGEST_DENSE, 3 * count)
      ? {
          ...denseOperatorEigen("lanczos: solve", solve, n, count, inverse.which, settings.tolerance),
          products: n,
        }
      : new KrylovSearch({ width: 1, apply: solve }, n, inverse).pairs(count);
  const vectors = new Float64Array(count * n);
  const coefficients = new Float64Array(count);
  const values = new Float64Array(count);
  const Au = new Float64Array(n);
  let size = 0;
  for (let i = 0; i < count; i++) {
    const u = vectors.subarray(i * n, (i + 1) * n);
    solve(found.vectors.subarray(i * n, (i + 1) * n), u);
    scale(1 / norm2(u), u);
    project({ data: vectors, count: i }, u, coefficients);
    scale(1 / norm2(u), u);
    apply(u, Au);
    values[i] = dot(u, Au);
    size = Math.max(size, Math.abs(values[i]));
  }
  const products = found.products + 2 * count + POWERS;
  return { values, vectors, size: Math.max(size, sizeOf(apply, n, settings.seed)), products };
}

/** The largest |θ|, or a little less. */
function sizeOf(apply: SymmetricOperator, n: number, seed: number): number {
  const v = new Float64Array(n);
  const Av = new Float64Array(n);
  fillNormal(new RandomGenerator(seed), v);
  let length = norm2(v);
  for (let power = 0; power < POWERS && length > 0; power++) {
    for (let k = 0; k < n; k++) v[k] /= length;
    apply(v, Av);
    v.set(Av);
    length = norm2(v);
  }
  return length;
}

/** The settings of a search for the largest pairs. */
type BlockLanczosOptions = Omit<SearchSettings, "which" | "relativeTo">;

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
  const { values, vectors } = new KrylovSearch(operator, n, {
    which: "largest",
    relativeTo: "operator",
    ...options,
  }).pairs(count);
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
