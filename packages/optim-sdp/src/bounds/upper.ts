/**
 * Upper bounds on NOMAD from any S.
 *
 * For every symmetric S ≥ 0 and every feasible Q = P + E:  Tr(D Q) ≤ Tr(A Q) = 1ᵀA1/n + Tr(A P),  A = D + S, and P lies
 * in the spectraplex {P ⪰ 0, P1 = 0, Tr P = K − 1} as in the Fantope {0 ⪯ P ⪯ I, P1 = 0, Tr P = K − 1}. With l_1 ≥ l_2 ≥ …
 * the n − 1 eigenvalues of A on the complement of 1:
 *
 *   UB_C(S) = 1ᵀA1/n + (K − 1) l_1                                               spectraplex
 *   UB_F(S) = 1ᵀA1/n + l_1 + … + l_k + (K − 1 − k) l_{k+1},  k = ⌊K − 1⌋          Fantope, never larger
 *
 * | symbol | variable    | shape                                 |
 * |--------|-------------|---------------------------------------|
 * | S      | S           | n × n, any numbers: see below         |
 * | l      | eigenvalues | n − 1, increasing                     |
 *
 * UB_C at the S of the method of multipliers is the dual value of Tepper, Sengupta, Chklovskii (J. Mach. Learn. Res. 19,
 * 2018, Lemma 3); UB_F uses that ‖Q‖₂ ≤ 1 for a nonnegative Q with Q1 = 1. The multipliers of Q1 = 1 and of the trace are
 * eliminated, hence no choice of them can spoil the bound.
 *
 * Rounding: all eigenvalues are computed, by an orthogonal reduction whose error is at most a small multiple of n ε ‖A‖_F,
 * and K n ε ‖A‖_F + n ε |terms| is added; K and not K − 1, so that it covers the rounding of a feasible point's Tr(D Q) too, at most
 * ‖D‖_F ‖Q‖_F, ‖Q‖_F ≤ √K, and of its trace. 4/3 n³ operations.
 */
import {
  CurvatureError,
  type DenseMatrix,
  norm2,
  Tridiagonalization,
  type TridiagonalizationState,
  zeros,
} from "@curvature/linalg";
import { float64, type Kind, maybe, number, record, whole } from "@curvature/optim-core/state";
import { checkDense } from "../arguments.js";
import { Complement, restrictedZeros } from "../complement.js";
import { checkProblem, closedBounds, isClosed, type NomadProblem } from "../problem.js";
import type { Steps } from "../steps.js";

export interface UpperBounds {
  /** UB_C, margin included. */
  readonly spectraplex: number;
  /** UB_F, margin included. */
  readonly fantope: number;
  /** What was added for rounding. */
  readonly margin: number;
}

/**
 * Both bounds from any n × n numbers: their symmetric part's positive part is taken as S. No call is wrong, some are
 * useless.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_MEMORY
 */
export function upperBounds(problem: NomadProblem, S: DenseMatrix): UpperBounds {
  return UpperComputation.begin(problem, S).bounds();
}

/** Operations in one part: some 50 ms. */
export const PART = 1e8;

/** The better one, in parts. @throws CurvatureError as `upperBounds` */
export function* smallestUpper(problem: NomadProblem, S: DenseMatrix): Steps<number> {
  const { n } = problem.gram;
  const computation = UpperComputation.begin(problem, S);
  for (let made = PART; !computation.advance(PART); made += PART)
    yield Math.min(1, (3 * made) / (4 * n * n * n));
  return computation.bounds().fantope;
}

/** What a computation of the bounds that was interrupted goes on from. */
export interface UpperState {
  readonly constant: number;
  readonly size: number;
  /** Undefined where only one point is feasible. */
  readonly reduction: TridiagonalizationState | undefined;
}

/** The bounds from one S, in parts. */
export class UpperComputation {
  private constructor(
    private readonly problem: NomadProblem,
    /** 1ᵀA1/n, without the offset. */
    private readonly constant: number,
    /** ‖A‖_F */
    private readonly size: number,
    private readonly reduction: Tridiagonalization | undefined,
  ) {}

  /** @throws CurvatureError as `upperBounds` */
  static begin(problem: NomadProblem, S: DenseMatrix): UpperComputation {
    checkProblem("upperBounds", problem);
    const { gram } = problem;
    const { n } = gram;
    checkDense("upperBounds", "S", S, n, n);
    if (isClosed(problem)) return new UpperComputation(problem, 0, 0, undefined);
    const A = zeros(n, n);
    const constant = shifted(gram.dense(), S, A) / n;
    const B = restrictedZeros(n);
    Complement.ofOnes(n).restrict(A, B);
    const size = norm2(A.data);
    if (!Number.isFinite(size))
      throw new CurvatureError("ERR_NON_FINITE", "S has NaN, infinite or huge entries.", {
        where: "upperBounds",
        path: "S",
      });
    return new UpperComputation(problem, constant, size, new Tridiagonalization(B));
  }

  /** Goes on with about so many operations. @returns whether `bounds` has little left to do */
  advance(operations: number): boolean {
    return this.reduction === undefined || this.reduction.advance(operations);
  }

  bounds(): UpperBounds {
    const { problem, constant, size, reduction } = this;
    if (reduction === undefined) {
      const { upper, margin } = closedBounds(problem);
      return { spectraplex: upper, fantope: upper, margin };
    }
    const { gram, clusters: K } = problem;
    const { n } = gram;
    const l = reduction.eigenvalues();
    const k = Math.floor(K - 1);
    let top = 0;
    for (let i = 0; i < k; i++) top += l[n - 2 - i];
    if (K - 1 > k) top += (K - 1 - k) * l[n - 2 - k];
    const rounding = n * Number.EPSILON;
    const margin = rounding * (K * size + Math.abs(constant) + Math.abs(gram.offset));
    const base = constant + gram.offset + margin;
    return { spectraplex: base + (K - 1) * l[n - 2], fantope: base + top, margin };
  }

  /** A copy. */
  save(): UpperState {
    const { constant, size, reduction } = this;
    return { constant, size, reduction: reduction?.save() };
  }

  /** @throws CurvatureError ERR_SHAPE */
  static from(problem: NomadProblem, { constant, size, reduction }: UpperState): UpperComputation {
    return new UpperComputation(
      problem,
      constant,
      size,
      reduction === undefined ? undefined : Tridiagonalization.from(reduction),
    );
  }
}

/** A computation in a solver's state, where there is one. */
export function upperComputation(problem: NomadProblem): Kind<UpperComputation | undefined> {
  const m = problem.gram.n - 1;
  const array = float64(new Float64Array(0), { anyLength: true });
  const form = record({
    constant: number(),
    size: number(),
    reduction: maybe(
      record({ A: array, d: array, e: array, size: number(), remaining: whole(0, { to: Math.max(0, m) }) }),
    ),
  });
  return {
    shape: `${form.shape}?`,
    initial: undefined,
    save(value) {
      if (value === undefined) return null;
      const { constant, size, reduction } = value.save();
      return { constant, size, reduction: reduction === undefined ? null : { ...reduction } };
    },
    open(at, value) {
      if (value === null) return () => undefined;
      const state = form.open(at, value, form.initial)();
      const { reduction } = state;
      const fits =
        reduction === undefined ||
        (reduction.A.length === m * m && reduction.d.length === m && reduction.e.length === m);
      if (!fits) return at.within("reduction").refuse(`that of ${m} x ${m} numbers`, value);
      const computation = UpperComputation.from(problem, state);
      return () => computation;
    },
  };
}

/** A ← D + the positive part of S's symmetric part. @returns 1ᵀ(A − D)1, all of whose terms are at least 0 */
function shifted(D: DenseMatrix, S: DenseMatrix, A: DenseMatrix): number {
  const n = D.rows;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const s = Math.max(0, S.data[i * n + j] / 2 + S.data[j * n + i] / 2);
      const a = D.data[i * n + j] + s;
      A.data[i * n + j] = a;
      A.data[j * n + i] = a;
      sum += i === j ? s : 2 * s;
    }
  }
  return sum;
}
