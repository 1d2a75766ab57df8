/**
 * The search behind `lanczos`: thick-restart Lanczos with full reorthogonalisation, by blocks of b rows.
 *
 * Expansion  w = A v_j for the next b rows of V together;  for each: h = V w;  w ← w − Vᵀ h (twice);  β = ‖w‖;
 *            v_{j+b} = w / β                                                              until m rows have been multiplied
 * Projection H = V A Vᵀ = S Θ Sᵀ;  Ritz pairs (θ_i, s_i V) with residuals ‖R s_i‖
 * Restart    V ← the wanted Ritz vectors and some more, then the last b rows;  H ← their θ
 *
 * | symbol | variable | shape                                                      |
 * |--------|----------|------------------------------------------------------------|
 * | V      | V        | (m + b) × n, rows orthonormal                               |
 * | H, R   | H        | m × m, and b rows more: what A V has of the last b rows      |
 * | b      | width    | rows that are multiplied together                           |
 *
 * Wu, Simon: Thick-restart Lanczos method for large symmetric eigenvalue problems. SIAM J. Matrix Anal. Appl. 22
 * (2000) 602-616. doi:10.1137/S0895479898334605. Rows that are taken one by one out of a block, as here: Ruhe, Math. Comp. 33
 * (1979) 680-687.
 * Differs from the papers: H is formed from the computed coefficients h, not from its known pattern. Where β vanishes,
 * V spans an invariant subspace, and a random direction goes on. A block's Krylov space shows an eigenvalue at most b times, so
 * that the complement of what was found is searched for more of them, until nothing better turns up there.
 */
import { type DenseMatrix, zeros } from "../dense/matrix.js";
import { CurvatureError } from "../errors.js";
import { norm2, scale } from "../kernels/vector.js";
import { allocated } from "../memory.js";
import { RandomGenerator } from "../random/generator.js";
import {
  fromEnd,
  type Limits,
  measuredPairs,
  type OperatorPairs,
  operatorNotFinite,
  partialPairs,
  type Searched,
  type SpectrumEnd,
  target,
} from "./operator.js";
import { combineRows, project, type Rows, randomDirection } from "./orthogonal.js";
import { symmetricEigen } from "./symmetric.js";

/** A symmetric A, known by its products with rows. */
export interface BlockOperator {
  /** b, the most rows that it multiplies together. */
  readonly width: number;
  /** W ← V A, rows of length n; W is as long as V. */
  apply(V: Float64Array, W: Float64Array): void;
}

export interface SearchSettings extends Limits {
  readonly which: SpectrumEnd;
  readonly maxProducts: number;
  readonly seed: number;
}

interface Found {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

/** Pairs whose complement is searched. */
interface Locked extends Rows {
  readonly values: Float64Array;
}

const none: Locked = {
  data: /* @__PURE__ */ new Float64Array(0),
  count: 0,
  values: /* @__PURE__ */ new Float64Array(0),
};

/** Of the largest |θ|: eigenvalues within it may be copies of one. */
const COPIES = 1e-5;
/**
 * Rows more that V has for each row more of a block, and the share of V beyond the wanted vectors that a restart keeps. Blocks of
 * 8 found 2 to 100 pairs of six kinds of spectra (27 cases) in 4606 products; in 4911 with a third kept, in 5107 with 4 rows.
 */
const SLACK = 6;
const keptShare = (width: number): number => (width === 1 ? 1 / 3 : 2 / 3);

export class KrylovSearch {
  private products = 0;
  private readonly random: RandomGenerator;
  /** max |θ| so far: the operator's size. */
  private size = 0;

  /** @param n - for b > 1 well above the number of pairs: 5 times, and 200 */
  constructor(
    private readonly operator: BlockOperator,
    private readonly n: number,
    private readonly settings: SearchSettings,
  ) {
    this.random = new RandomGenerator(settings.seed);
  }

  /** The `count` extreme pairs. */
  pairs(count: number): Searched {
    const found = this.extremes(count, this.settings.tolerance, none);
    this.completeMultiples(found);
    return this.searched(found);
  }

  private searched({ values, vectors }: Found): Searched {
    return { values, vectors, size: this.size, products: this.products };
  }

  /** Looks in the complement of what was found for better pairs, b at a time, and takes them in, until there are none. */
  private completeMultiples(found: Found): void {
    const { tolerance, which } = this.settings;
    const count = found.values.length;
    const locked = { data: found.vectors, count, values: found.values };
    const sign = which === "smallest" ? 1 : -1;
    for (let round = 0; round < count && this.mayHideCopies(found.values); round++) {
      const worst = sign * found.values[count - 1];
      const glance = this.extremes(1, Math.max(tolerance, 1e-6), locked);
      if (sign * glance.values[0] > worst + COPIES * this.size) return;
      const others = this.extremes(Math.min(this.operator.width, count), tolerance, locked);
      for (let i = 0; i < others.values.length; i++) {
        const last = sign * found.values[count - 1];
        if (sign * others.values[i] >= last - 2 * tolerance * this.size) return;
        this.insert(others, i, found);
      }
    }
  }

  /** Pair i of others in the place of the last that was found, in order. */
  private insert(others: Found, i: number, { values, vectors }: Found): void {
    const { n } = this;
    const value = others.values[i];
    const isBefore = (one: number, other: number): boolean =>
      this.settings.which === "smallest" ? one < other : one > other;
    let place = values.length - 1;
    for (; place > 0 && isBefore(value, values[place - 1]); place--) {
      values[place] = values[place - 1];
      vectors.copyWithin(place * n, (place - 1) * n, place * n);
    }
    values[place] = value;
    vectors.set(others.vectors.subarray(i * n, (i + 1) * n), place * n);
  }

  private mayHideCopies(values: Float64Array): boolean {
    const last = this.operator.width - 1;
    for (let i = 0; i + last < values.length; i++)
      if (Math.abs(values[i] - values[i + last]) <= COPIES * this.size) return true;
    return false;
  }

  /** The `count` extreme pairs in the complement of `locked`. */
  private extremes(count: number, tolerance: number, locked: Locked): Found {
    const { n } = this;
    const { width: b } = this.operator;
    const m = Math.min(n - locked.count - b + 1, Math.max(2 * count + 20, 40) + SLACK * (b - 1));
    const V = allocated((m + b) * n, "lanczos");
    const H = allocated((m + b) * m, "lanczos");
    for (let l = 0; l < b; l++)
      randomDirection(this.random, { data: V, count: l }, V.subarray(l * n, (l + 1) * n), locked);
    for (let start = 0; ; ) {
      this.expand(V, H, m, start, locked);
      const { values: theta, vectors: S } = symmetricEigen({
        rows: m,
        columns: m,
        data: H.subarray(0, m * m),
      });
      this.size = Math.max(this.size, Math.abs(theta[0]), Math.abs(theta[m - 1]));
      const order = fromEnd(m, m, this.settings.which);
      const limits = { tolerance, relativeTo: this.settings.relativeTo };
      let [done, worst, limit] = [true, 0, 0];
      for (let i = 0; i < count; i++) {
        const norm = residual(H, m, b, S.data.subarray(order[i] * m, (order[i] + 1) * m));
        const most = target(limits, theta[order[i]], this.size, n);
        if (norm <= most) continue;
        done = false;
        if (worst === 0 || norm / most > worst / limit) [worst, limit] = [norm, most];
      }
      if (!done && this.products >= this.settings.maxProducts) {
        const reached = {
          values: Float64Array.from({ length: count }, (_, i) => theta[order[i]]),
          vectors: combineRows(chosenRows(S, order, count), V, n),
        };
        throw notConverged(this.settings, worst, limit, this.finished(reached, locked));
      }
      const keep = done ? count : Math.min(m - b, count + Math.ceil((m - count) * keptShare(b)));
      const rows = combineRows(chosenRows(S, order, keep), V, n);
      if (done)
        return { values: Float64Array.from({ length: count }, (_, i) => theta[order[i]]), vectors: rows };
      V.copyWithin(keep * n, m * n, (m + b) * n);
      V.set(rows);
      H.fill(0);
      for (let i = 0; i < keep; i++) H[i * m + i] = theta[order[i]];
      start = keep;
    }
  }

  /** Of what a search has reached the pairs that are done; those that were found before it, if it searches their complement. */
  private finished(reached: Found, locked: Locked): OperatorPairs {
    const { operator, n, settings } = this;
    const found = locked.count > 0 ? { values: locked.values, vectors: locked.data } : reached;
    const apply = (v: Float64Array, out: Float64Array): void => operator.apply(v, out);
    const pairs = measuredPairs(apply, n, this.searched(found), settings);
    return partialPairs("lanczos", apply, pairs, this.size);
  }

  /** Multiplies rows of V from `start` on, up to m of them, each of which adds a row behind those that there are. */
  private expand(V: Float64Array, H: Float64Array, m: number, start: number, locked: Rows): void {
    const { n, operator } = this;
    const { width: b } = operator;
    for (let j = start; j < m; j += b) {
      const end = Math.min(j + b, m);
      operator.apply(V.subarray(j * n, end * n), V.subarray((j + b) * n, (end + b) * n));
      this.products += end - j;
      for (let k = j; k < end; k++) this.orthogonalise(V, H, m, k, locked);
    }
  }

  /** Of A v_j, which is row j + b of V, its coefficients into H, and the rest of length 1 in its place. */
  private orthogonalise(V: Float64Array, H: Float64Array, m: number, j: number, locked: Rows): void {
    const { n } = this;
    const row = j + this.operator.width;
    const before = { data: V, count: row };
    const w = V.subarray(row * n, (row + 1) * n);
    const h = new Float64Array(row);
    const length = norm2(w);
    if (!Number.isFinite(length)) throw operatorNotFinite("lanczos");
    project(before, w, h, locked);
    for (let i = 0; i < row; i++) {
      H[i * m + j] = h[i];
      if (i < m) H[j * m + i] = h[i];
    }
    const beta = norm2(w);
    const size = Math.max(length, this.size);
    if (beta <= 1e-12 * size) {
      H[row * m + j] = 0; // V spans an invariant subspace
      randomDirection(this.random, before, w, locked); // there is none where V spans all
      return;
    }
    H[row * m + j] = beta;
    scale(1 / beta, w);
    if (beta > 1e-4 * size) return;
    project(before, w, h, locked); // what rounding left in w has grown with 1/β
    scale(1 / norm2(w), w);
  }
}

/** ‖R s‖ */
function residual(H: Float64Array, m: number, b: number, s: Float64Array): number {
  const sums = new Float64Array(b);
  for (let l = 0; l < b; l++) for (let k = m - b; k < m; k++) sums[l] += H[(m + l) * m + k] * s[k];
  return norm2(sums);
}

function chosenRows(S: DenseMatrix, order: readonly number[], count: number): DenseMatrix {
  const chosen = zeros(count, S.columns);
  for (let i = 0; i < count; i++) {
    chosen.data.set(S.data.subarray(order[i] * S.columns, (order[i] + 1) * S.columns), i * S.columns);
  }
  return chosen;
}

function notConverged(
  settings: SearchSettings,
  residual: number,
  limit: number,
  partial: OperatorPairs,
): CurvatureError {
  return new CurvatureError(
    "ERR_NO_CONVERGENCE",
    `after ${settings.maxProducts} products a residual is ${residual}, above its limit ${limit}; ${partial.values.length} pairs are done. Raise maxProducts or tolerance, compare residuals with the operator's size (relativeTo: "operator"), or give solve for a shifted inverse.`,
    { where: "lanczos", path: "maxProducts", expected: `at most ${limit}`, received: residual, partial },
  );
}
