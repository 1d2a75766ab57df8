/**
 * A few extreme eigenpairs of a symmetric operator: thick-restart Lanczos with full reorthogonalisation.
 *
 * Expansion  w = A v_j;  h = V w;  w ← w − Vᵀ h (twice);  β = ‖w‖;  v_{j+1} = w / β           until V has m rows
 * Projection H = V A Vᵀ = S Θ Sᵀ;  Ritz pairs (θ_i, s_i V) with residuals |β s_{i,m}|
 * Restart    V ← the wanted Ritz vectors and some more, then v_{m+1};  H ← their θ
 *
 * | symbol | variable | shape                            |
 * |--------|----------|----------------------------------|
 * | V      | V        | (m + 1) × n, rows orthonormal     |
 * | H      | H        | m × m                             |
 * | β      | beta     | length of the last residual       |
 *
 * Wu, Simon: Thick-restart Lanczos method for large symmetric eigenvalue problems. SIAM J. Matrix Anal. Appl. 22
 * (2000) 602-616. doi:10.1137/S0895479898334605.
 * Differs from the paper: H is formed from the computed coefficients h, not from its known pattern. Where β vanishes,
 * V spans an invariant subspace, and a random direction goes on. One vector's Krylov space shows a multiple eigenvalue
 * once, so that afterwards the complement of what was found is searched until nothing better turns up there.
 *
 * Time per product m n operations for the orthogonality; memory (m + count) n numbers.
 */
import { type DenseMatrix, zeros } from "../dense/matrix.js";
import { CurvatureError } from "../errors.js";
import { norm2, scale } from "../kernels/vector.js";
import { checkOptions, integerFrom, oneOf, positive } from "../options.js";
import { RandomGenerator } from "../random/generator.js";
import {
  checkOperator,
  denseOperatorEigen,
  fromEnd,
  LARGEST_DENSE,
  measuredPairs,
  type OperatorPairs,
  operatorNotFinite,
  type SpectrumEnd,
  type SymmetricOperator,
} from "./operator.js";
import { combineRows, project, type Rows, randomDirection } from "./orthogonal.js";
import { symmetricEigen } from "./symmetric.js";

export interface LanczosOptions {
  /** How many eigenpairs. Default 1. */
  readonly count?: number;
  /** `"smallest"` (in increasing order) or `"largest"` (in decreasing order). Default `"largest"`. */
  readonly which?: SpectrumEnd;
  /** Residuals are at most this times the largest |θ| seen. Default 1e-10. */
  readonly tolerance?: number;
  /** The most products with A. Default 20 000. */
  readonly maxProducts?: number;
  /** Seed of the start. Default 0. */
  readonly seed?: number;
}

export const lanczosDefaults: Readonly<Required<LanczosOptions>> = /* @__PURE__ */ Object.freeze({
  count: 1,
  which: "largest",
  tolerance: 1e-10,
  maxProducts: 20_000,
  seed: 0,
});

/**
 * The `count` smallest or largest eigenvalues of A with their eigenvectors.
 *
 * @param apply - A v into `out`, A symmetric n × n
 * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT; ERR_NON_FINITE if a product is not finite; ERR_NO_CONVERGENCE after
 *   `maxProducts`
 */
export function lanczos(apply: SymmetricOperator, n: number, options: LanczosOptions = {}): OperatorPairs {
  const settings = checkOptions<Required<LanczosOptions>>("lanczos", options, lanczosDefaults, {
    count: integerFrom(1),
    which: oneOf("smallest", "largest"),
    tolerance: positive,
    maxProducts: integerFrom(1),
    seed: integerFrom(0),
  });
  const { count, which } = settings;
  checkOperator("lanczos", apply, n, count);
  if (n <= Math.max(LARGEST_DENSE, 3 * count)) {
    const { values, vectors } = denseOperatorEigen("lanczos", apply, n, count, which);
    return measuredPairs(apply, n, values, vectors, n);
  }
  const search = new Search(apply, n, settings);
  const found = search.extremes(count, settings.tolerance, { data: new Float64Array(0), count: 0 });
  search.completeMultiples(found);
  return measuredPairs(apply, n, found.values, found.vectors, search.products);
}

interface Found {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

class Search {
  products = 0;
  private readonly random: RandomGenerator;
  /** max |θ| so far: the operator's size. */
  private size = 0;

  constructor(
    private readonly apply: SymmetricOperator,
    private readonly n: number,
    private readonly settings: Required<LanczosOptions>,
  ) {
    this.random = new RandomGenerator(settings.seed);
  }

  /** Looks in the complement of what was found for better pairs, and takes them in, until there are none. */
  completeMultiples(found: Found): void {
    const { values, vectors } = found;
    const { tolerance, which } = this.settings;
    const { n } = this;
    const count = values.length;
    const locked = { data: vectors, count };
    const sign = which === "smallest" ? 1 : -1;
    for (let round = 0; round < count; round++) {
      const worst = sign * values[count - 1];
      const glance = this.extremes(1, Math.max(tolerance, 1e-6), locked);
      if (sign * glance.values[0] > worst + 1e-5 * this.size) return;
      const other = this.extremes(1, tolerance, locked);
      if (sign * other.values[0] >= worst - 2 * tolerance * this.size) return;
      let place = count - 1;
      for (; place > 0 && sign * other.values[0] < sign * values[place - 1]; place--) {
        values[place] = values[place - 1];
        vectors.copyWithin(place * n, (place - 1) * n, place * n);
      }
      values[place] = other.values[0];
      vectors.set(other.vectors, place * n);
    }
  }

  /** The `count` extreme pairs in the complement of `locked`. */
  extremes(count: number, tolerance: number, locked: Rows): Found {
    const { n } = this;
    const m = Math.min(n - locked.count, Math.max(2 * count + 20, 40));
    const V = new Float64Array((m + 1) * n);
    const H = new Float64Array(m * m);
    randomDirection(this.random, { data: V, count: 0 }, V.subarray(0, n), locked);
    for (let start = 0; ; ) {
      const { filled, beta } = this.expand(V, H, m, start, locked);
      const { values: theta, vectors: S } = symmetricEigen(leading(H, m, filled));
      this.size = Math.max(this.size, Math.abs(theta[0]), Math.abs(theta[filled - 1]));
      const order = fromEnd(filled, filled, this.settings.which);
      const residual = (i: number): number => Math.abs(beta * S.data[order[i] * filled + filled - 1]);
      let worst = 0;
      for (let i = 0; i < count; i++) worst = Math.max(worst, residual(i));
      const done = worst <= tolerance * this.size;
      if (!done && this.products >= this.settings.maxProducts)
        throw notConverged(this.settings, worst, this.size);
      const keep = done ? count : Math.min(filled - 1, count + Math.ceil((filled - count) / 3));
      const rows = combineRows(chosenRows(S, order, keep), V, n);
      if (done)
        return { values: Float64Array.from({ length: count }, (_, i) => theta[order[i]]), vectors: rows };
      V.copyWithin(keep * n, filled * n, (filled + 1) * n);
      V.set(rows);
      H.fill(0);
      for (let i = 0; i < keep; i++) H[i * m + i] = theta[order[i]];
      start = keep;
    }
  }

  /** Adds rows to V and H from row `start` on, which is there already, up to m of them or all that there are. */
  private expand(
    V: Float64Array,
    H: Float64Array,
    m: number,
    start: number,
    locked: Rows,
  ): { filled: number; beta: number } {
    const { n } = this;
    const h = new Float64Array(m);
    let beta = 0;
    for (let j = start; j < m; j++) {
      const w = V.subarray((j + 1) * n, (j + 2) * n);
      this.apply(V.subarray(j * n, (j + 1) * n), w);
      this.products++;
      const before = norm2(w);
      if (!Number.isFinite(before)) throw operatorNotFinite("lanczos");
      h.fill(0);
      project({ data: V, count: j + 1 }, w, h, locked);
      for (let i = 0; i <= j; i++) {
        H[i * m + j] = h[i];
        H[j * m + i] = h[i];
      }
      beta = norm2(w);
      const small = beta <= 1e-4 * Math.max(before, this.size);
      if (small && beta <= 1e-12 * Math.max(before, this.size)) {
        beta = 0; // V spans an invariant subspace
        if (!randomDirection(this.random, { data: V, count: j + 1 }, w, locked))
          return { filled: j + 1, beta };
        continue;
      }
      scale(1 / beta, w);
      if (small) {
        project({ data: V, count: j + 1 }, w, h, locked); // what rounding left in w has grown with 1/β
        scale(1 / norm2(w), w);
      }
    }
    return { filled: m, beta };
  }
}

function leading(H: Float64Array, m: number, size: number): DenseMatrix {
  const block = zeros(size, size);
  for (let i = 0; i < size; i++) block.data.set(H.subarray(i * m, i * m + size), i * size);
  return block;
}

function chosenRows(S: DenseMatrix, order: readonly number[], count: number): DenseMatrix {
  const chosen = zeros(count, S.columns);
  for (let i = 0; i < count; i++) {
    chosen.data.set(S.data.subarray(order[i] * S.columns, (order[i] + 1) * S.columns), i * S.columns);
  }
  return chosen;
}

function notConverged(settings: Required<LanczosOptions>, residual: number, size: number): CurvatureError {
  return new CurvatureError(
    "ERR_NO_CONVERGENCE",
    `lanczos: after ${settings.maxProducts} products the residual is ${residual / size} of the operator's size; the tolerance is ${settings.tolerance}. Raise maxProducts or tolerance, or use blockEigen with a preconditioner.`,
    { path: "maxProducts", expected: `${settings.tolerance}`, received: residual / size },
  );
}
