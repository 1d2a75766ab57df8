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
import { anything, callback, checkOptions, integerFrom, optional, positive } from "../options.js";
import { BlockIteration, type Found } from "./lobpcg.js";
import {
  checkOperator,
  denseOperatorEigen,
  LARGEST_DENSE,
  measuredPairs,
  type OperatorPairs,
  type SymmetricOperator,
} from "./operator.js";
import { orientRows } from "./pairs.js";

export interface BlockEigenOptions {
  /** How many eigenpairs. Default 1. */
  readonly count?: number;
  /** Residuals are at most this times the largest |θ| seen. Default 1e-8. */
  readonly tolerance?: number;
  /** The most iterations. Default 5000. */
  readonly maxIterations?: number;
  /** Seed of the start. Default 0. */
  readonly seed?: number;
  /** D's diagonal, n positive numbers. Default: all 1. */
  readonly diagonal?: Float64Array | undefined;
  /** r ↦ T r into `out`, T symmetric positive definite, near A⁻¹. Default: the identity. */
  readonly preconditioner?: SymmetricOperator | undefined;
}

export const blockEigenDefaults: Readonly<Required<BlockEigenOptions>> = /* @__PURE__ */ Object.freeze({
  count: 1,
  tolerance: 1e-8,
  maxIterations: 5000,
  seed: 0,
  diagonal: undefined,
  preconditioner: undefined,
});

/**
 * The `count` smallest eigenvalues of A u = λ D u in increasing order, with uᵢᵀ D uⱼ = 1 for i = j, else 0.
 *
 * @param apply - A v into `out`, A symmetric n × n
 * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT; ERR_NON_FINITE if a product or a preconditioning is not finite;
 *   ERR_NO_CONVERGENCE after `maxIterations`
 */
export function blockEigen(
  apply: SymmetricOperator,
  n: number,
  options: BlockEigenOptions = {},
): OperatorPairs {
  const settings = checkOptions<Required<BlockEigenOptions>>("blockEigen", options, blockEigenDefaults, {
    count: integerFrom(1),
    tolerance: positive,
    maxIterations: integerFrom(1),
    seed: integerFrom(0),
    diagonal: anything,
    preconditioner: optional(callback),
  });
  const { count } = settings;
  checkOperator("blockEigen", apply, n, count);
  const roots = diagonalRoots(settings.diagonal, n);
  const operator = roots === undefined ? apply : scaled(apply, roots, true);
  const found = smallest(operator, n, settings, roots);
  const pairs = measuredPairs(operator, n, found.values, found.vectors, found.products);
  if (roots !== undefined) {
    for (let i = 0; i < count; i++) for (let k = 0; k < n; k++) found.vectors[i * n + k] /= roots[k];
    orientRows(pairs.vectors);
  }
  return pairs;
}

function smallest(
  operator: SymmetricOperator,
  n: number,
  settings: Required<BlockEigenOptions>,
  roots: Float64Array | undefined,
): Found {
  const { count } = settings;
  const b = count + Math.max(2, Math.ceil(count / 4));
  if (n <= Math.max(LARGEST_DENSE, 4 * b))
    return { ...denseOperatorEigen("blockEigen", operator, n, count, "smallest"), products: n };
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
  const good =
    diagonal instanceof Float64Array &&
    diagonal.length === n &&
    diagonal.every((d) => d > 0 && d < Number.POSITIVE_INFINITY);
  if (!good) {
    throw new CurvatureError("ERR_OPTION", `blockEigen: diagonal must be ${n} positive finite numbers.`, {
      path: "diagonal",
      expected: `${n} positive finite numbers`,
      received: diagonal,
    });
  }
  return diagonal.map(Math.sqrt);
}
