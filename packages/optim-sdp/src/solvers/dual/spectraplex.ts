/**
 * The projection of J M J onto the spectraplex {P ⪰ 0, P1 = 0, Tr P = K − 1}, with few eigenpairs where few are active
 * and with all of them where many are.
 *
 * Projection   M = Σ w_i v_i v_iᵀ on the complement of 1;  P = Σ [w_i − θ]_+ v_i v_iᵀ, θ such that Tr P = K − 1
 *
 * The few pairs follow M by one sweep of degree 2 per call. Where nearly all of the block is active it grows, and the
 * sweep is made again or the next call finds it wider; where much of it is not, it shrinks. It gives up for all pairs when
 * it would be larger than `GIVE_UP_ABOVE` n, and takes over again when the rank is below `START_BELOW` n. Whatever the
 * block is, P lies in the spectraplex to rounding: inexact pairs make an inexact step, and no bound wrong.
 */
import { type DenseMatrix, RandomGenerator, symmetricEigen, zeros } from "@curvature/linalg";
import { boolean, generator, matrix, part, stateIn, whole } from "@curvature/optim-core/state";
import { Complement, restrictedZeros } from "../../complement.js";
import { activeCount, simplexThreshold } from "../simplex-projection.js";
import { LeadingSubspace } from "./leading-subspace.js";
import { singularRows } from "./rows.js";
import type { SymmetricSum } from "./symmetric-sum.js";

const DEGREE = 2;
/**
 * Shares of n. Full decompositions are slower against products here than with LAPACK, hence blocks up to half of n: on 500
 * images of zeros (rank 188) a step takes 0.11 s with them, 0.39 s without, and as many steps are needed.
 */
const GIVE_UP_ABOVE = 0.5;
const START_BELOW = 0.36;
/** Share of n up to which a rough projection widens its block, and how many times K that must be for it to be of use. */
const ROUGH_BELOW = 0.2;
const ROUGH_CLUSTERS = 3;
/** Singular values of the start below this share of the largest are left out. */
const SHARE = 1e-3;
/** Sweeps in one exact call before a block that is too narrow is made do with. */
const SWEEPS = 2;
/** Calls between two estimates of the lower end of the spectrum. */
const LOOK = 10;

export class SpectraplexProjection {
  /** √p_i v_iᵀ, one row for each active pair: P = RᵀR. */
  R: DenseMatrix;
  /** Whether the last call computed all eigenpairs. */
  complete = false;
  readonly subspace: LeadingSubspace;
  private readonly complement: Complement;
  readonly random: RandomGenerator;
  private readonly spare: number;
  calls = 0;
  readonly state;

  /** @param seed - of the random rows */
  constructor(
    private readonly n: number,
    private readonly clusters: number,
    seed: number,
  ) {
    this.R = zeros(0, n);
    this.subspace = new LeadingSubspace(n);
    this.complement = Complement.ofOnes(n);
    this.random = new RandomGenerator(seed);
    this.spare = Math.max(8, Math.ceil(clusters / 2));
    this.state = stateIn(this, {
      R: matrix(this.R, { columns: n, maxRows: n }),
      complete: boolean(),
      subspace: part(this.subspace),
      random: generator(this.random),
      calls: whole(),
    });
  }

  /** Begins near the span of these rows. */
  start(rows: DenseMatrix): void {
    const most = Math.floor(GIVE_UP_ABOVE * this.n) - this.spare;
    const span = singularRows(rows, SHARE, most);
    if (span.rows === 0) return;
    this.subspace.start(span);
    this.subspace.widen(this.spare, this.random);
  }

  /** The matrix is scaled anew. */
  forget(): void {
    this.subspace.forget();
  }

  /** The rows that follow the leading eigenvectors; none while all pairs are computed. */
  get block(): DenseMatrix {
    return this.subspace.V;
  }

  /**
   * @param precise - whether all pairs are to be computed where half of n are not enough; otherwise the leading ones are
   *   projected as if there were no others, unless K is too large a share of n for that
   */
  project(M: SymmetricSum, precise: boolean): void {
    const exact = precise || ROUGH_CLUSTERS * this.clusters > ROUGH_BELOW * this.n;
    this.complete = !this.follow(M, exact);
    if (this.complete) this.decompose(M);
  }

  /** @returns whether the few pairs were enough */
  private follow(M: SymmetricSum, exact: boolean): boolean {
    const { subspace, n, spare, random } = this;
    if (subspace.V.rows === 0) return false;
    if (++this.calls % LOOK === 0) subspace.lookBelow(M, random);
    for (let left = exact ? SWEEPS : 1; ; left--) {
      const w = subspace.sweep(M, DEGREE, random);
      const k = subspace.V.rows;
      const by = spare + Math.ceil(k / 4);
      const hasRoom = k + by <= (exact ? GIVE_UP_ABOVE : ROUGH_BELOW) * n;
      const theta = w === undefined ? 0 : simplexThreshold(w, this.clusters - 1);
      const rank = w === undefined ? 0 : activeCount(w, theta);
      const isNarrow = rank > k - Math.max(3, spare / 3);
      if (w === undefined || (isNarrow && exact && !hasRoom)) {
        subspace.start(zeros(0, n));
        return false;
      }
      const isLast = !isNarrow || left === 1;
      if (isLast) this.R = weighted(subspace.V, w, theta, rank);
      if (isNarrow && hasRoom) subspace.widen(by, random);
      else if (k > 1.5 * rank + 3 * spare) subspace.narrow(rank + spare, w[rank + spare - 1]);
      if (isLast) return true;
    }
  }

  /** All eigenpairs. */
  private decompose(M: SymmetricSum): void {
    const { n, complement, subspace, spare } = this;
    const restricted = restrictedZeros(n);
    const dense = zeros(n, n);
    M.writeDense(dense);
    complement.restrict(dense, restricted);
    const { values, vectors } = symmetricEigen(restricted);
    const w = values.slice().reverse();
    const theta = simplexThreshold(w, this.clusters - 1);
    const rank = activeCount(w, theta);
    const kept = Math.min(n - 1, rank + spare);
    const V = zeros(kept, n);
    for (let i = 0; i < kept; i++)
      complement.extendVector(
        vectors.data.subarray((n - 2 - i) * (n - 1), (n - 1 - i) * (n - 1)),
        V.data.subarray(i * n, (i + 1) * n),
      );
    this.R = weighted(V, w, theta, rank);
    if (rank < START_BELOW * n && kept < GIVE_UP_ABOVE * n) subspace.start(V);
  }
}

/** √(w_i − θ) v_iᵀ for the first `rank` rows. */
function weighted(V: DenseMatrix, w: Float64Array, theta: number, rank: number): DenseMatrix {
  const n = V.columns;
  const R = { rows: rank, columns: n, data: V.data.slice(0, rank * n) };
  for (let i = 0; i < rank; i++) {
    const root = Math.sqrt(w[i] - theta);
    for (let k = i * n; k < (i + 1) * n; k++) R.data[k] *= root;
  }
  return R;
}
