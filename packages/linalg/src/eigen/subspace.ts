/**
 * The smallest eigenpairs of A u = λ D u, A symmetric, D a positive diagonal, with a preconditioner: LOBPCG on an
 * orthonormal basis.
 *
 * D          y = D^½ u turns the problem into that of D^−½ A D^−½, T into D^½ T D^½
 * Small      n ≤ 200, or four times the block: all eigenpairs of the dense matrix
 * Larger     the iteration of `lobpcg.ts`
 *
 * With a solve as preconditioner it converges like inverse iteration on a block, in some ten iterations; without one, count on
 * hundreds or thousands.
 */
import { CurvatureError } from "../errors.js";
import {
  callable,
  instance,
  integerFrom,
  type OptionsOf,
  oneOf,
  optionTable,
  positive,
  type SettingsOf,
} from "../options.js";
import { BlockIteration } from "./lobpcg.js";
import {
  checkOperator,
  denseOperatorEigen,
  finishedPairs,
  LARGEST_DENSE,
  type OperatorPairs,
  provenPairs,
  type Searched,
  type SymmetricOperator,
} from "./operator.js";
import { orientRows } from "./pairs.js";

export const blockEigenOptions = optionTable({
  /** How many eigenpairs. */
  count: integerFrom(1).default(1),
  /** Residuals are at most this times what `relativeTo` names, but for what rounding leaves: see `limits` of the result. */
  tolerance: positive.default(1e-8),
  /** As of `lanczos`. */
  relativeTo: oneOf("pair", "operator").default("pair"),
  /** The most iterations. */
  maxIterations: integerFrom(1).default(5000),
  /** Of the start. */
  seed: integerFrom(0).default(0),
  /** D's diagonal, n positive numbers. Left out: all 1. */
  diagonal: instance<Float64Array>("a Float64Array", Float64Array),
  /** r ↦ T r into `out`, T symmetric positive definite, near A⁻¹. Left out: the identity. */
  preconditioner: callable<SymmetricOperator>(),
});
export type BlockEigenOptions = OptionsOf<typeof blockEigenOptions>;

/**
 * The `count` smallest eigenvalues of A u = λ D u in increasing order, with uᵢᵀ D uⱼ = 1 for i = j, else 0.
 *
 * @param apply - A v into `out`, A symmetric n × n
 * @throws CurvatureError ERR_OPTION; ERR_ARGUMENT, also for an operator that is seen not to be symmetric; ERR_NON_FINITE if a
 *   product or a preconditioning is not finite; ERR_NO_CONVERGENCE after `maxIterations`, with the pairs that are done: see
 *   `finishedPairs`
 */
export function blockEigen(apply: SymmetricOperator, n: number, options?: BlockEigenOptions): OperatorPairs {
  const settings = blockEigenOptions.resolve("blockEigen", options);
  const { count } = settings;
  checkOperator("blockEigen", apply, n, count);
  const roots = diagonalRoots(settings.diagonal, n);
  const operator = roots === undefined ? apply : scaled(apply, roots, true);
  const unscaled = (pairs: OperatorPairs): OperatorPairs => {
    if (roots === undefined) return pairs;
    const { rows, data } = pairs.vectors;
    for (let i = 0; i < rows; i++) for (let k = 0; k < n; k++) data[i * n + k] /= roots[k];
    orientRows(pairs.vectors);
    return pairs;
  };
  try {
    const found = smallest(operator, n, settings, roots);
    return unscaled(provenPairs("blockEigen", operator, n, found, settings));
  } catch (error) {
    const finished = finishedPairs(error);
    if (finished !== undefined) unscaled(finished);
    throw error;
  }
}

function smallest(
  operator: SymmetricOperator,
  n: number,
  settings: SettingsOf<typeof blockEigenOptions>,
  roots: Float64Array | undefined,
): Searched {
  const { count } = settings;
  const b = count + Math.max(2, Math.ceil(count / 4));
  if (n <= Math.max(LARGEST_DENSE, 4 * b))
    return {
      ...denseOperatorEigen("blockEigen", operator, n, count, "smallest", settings.tolerance),
      products: n,
    };
  const given = settings.preconditioner;
  const preconditioner = given !== undefined && roots !== undefined ? scaled(given, roots, false) : given;
  const iteration = new BlockIteration(operator, preconditioner, n, b, settings.seed);
  return iteration.run(count, settings);
}

/** v ↦ D^∓½ A D^∓½ v: divided by the roots for the operator, multiplied for its preconditioner. */
function scaled(apply: SymmetricOperator, roots: Float64Array, divide: boolean): SymmetricOperator {
  const inner = new Float64Array(roots.length);
  const factors = divide ? roots.map((root) => 1 / root) : roots;
  return (v, out) => {
    for (let k = 0; k < inner.length; k++) inner[k] = v[k] * factors[k];
    apply(inner, out);
    for (let k = 0; k < inner.length; k++) out[k] *= factors[k];
  };
}

function diagonalRoots(diagonal: Float64Array | undefined, n: number): Float64Array | undefined {
  if (diagonal === undefined) return undefined;
  const good = diagonal.length === n && diagonal.every((d) => d > 0 && d < Number.POSITIVE_INFINITY);
  if (!good) {
    throw new CurvatureError("ERR_OPTION", `diagonal must be ${n} positive finite numbers.`, {
      where: "blockEigen",
      path: "diagonal",
      expected: `${n} positive finite numbers`,
      received: diagonal,
    });
  }
  return diagonal.map(Math.sqrt);
}
