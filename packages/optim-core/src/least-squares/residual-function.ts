/**
 * The residuals of the user's, and their Jacobian: given, or by differences. Each answer is checked and copied.
 *
 *   forward   J_j = (r(x + h e_j) − r(x)) / h                h = τ |x_j|, τ = √ε
 *   central   J_j = (8 d(h) − d(2h)) / 12h, d(h) = r(x + h e_j) − r(x − h e_j)      τ = ε^⅕
 *
 * ε is the relative error of the residuals, |x_j| is 1 where it is 0. Beside a bound the differences are taken inwards. A
 * difference that is lost in rounding is taken again with a longer h, up to τ max(|x_j| so far, 1); a central one whose two halves
 * d(h)/2h and d(2h)/4h differ by more than 50 ε^⅖ with a shorter h, which it keeps: about the square of that is its error.
 * With a pattern, columns that share no row take their steps in one evaluation (`coloring.ts`).
 */
import {
  CurvatureError,
  exp,
  isSparse,
  log,
  type MatrixLike,
  norm2,
  type SparseMatrix,
  type SparseMatrixLike,
  shown,
  toSparse,
} from "@curvature/linalg";
import type { Box } from "../solvers/box.js";
import { isNumbers } from "../solvers/start.js";
import { type Declared, float64, stateIn, whole } from "../state.js";
import { columnGroups } from "./coloring.js";
import { DenseForm, type JacobianForm } from "./jacobian-form.js";
import { SparseForm } from "./sparse-form.js";

/** r(x), m numbers, always as many. */
export type ResidualFunction = (x: Float64Array) => ArrayLike<number> | Promise<ArrayLike<number>>;

export interface LeastSquaresProblem {
  /** r(x), m numbers, always as many; leaves x as it is. The array may be the same in each call. */
  readonly residuals: ResidualFunction;
  /** The derivatives of r, m × n: row i holds those of r_i. Left out: by differences. One that is sparse at the start stays so. */
  readonly jacobian?:
    | ((x: Float64Array) => MatrixLike | SparseMatrixLike | Promise<MatrixLike | SparseMatrixLike>)
    | undefined;
  /**
   * The entries of the Jacobian that may be other than 0, m × n: the stored entries of a sparse matrix, whatever their values, or
   * those of a dense one that are not 0. Left out: of a sparse Jacobian its entries at the start; else all.
   */
  readonly jacobianPattern?: SparseMatrixLike | undefined;
  /** Names problem and data in checkpoints. */
  readonly fingerprint?: string | undefined;
}

const where = "leastSquares";

/** A difference that is no larger beside r, or beside what the parameters make of it, is lost in rounding. */
const LOST = 1e-10;
const LOST_CENTRAL = 1e-9;
const LONGER = 1000;
const TRIES = 6;
/** How much the halves of a central difference may differ, in ε^⅖, and the shortest h that this leads to, as a part of the first. */
const BENT = 50;
const SHORTEST = 1e-6;

/** What asks for steps along one parameter and is given the residuals there: all, or those that it has a part in. */
type Steps<Result> = Generator<number, Result, Float64Array>;

interface ColumnSearch {
  readonly j: number;
  readonly answers: Steps<Float64Array>;
  /** Of all residuals those that the parameter has a part in. */
  readonly of: (all: Float64Array) => Float64Array;
}

/** Thrown where no evaluation is left. */
export class Spent extends Error {}

/** What may be looked at in one run, which it counts. */
export class Residuals {
  /** Evaluations of r. */
  evaluations = 0;
  /** Evaluations that are allowed in all. */
  limit = Number.POSITIVE_INFINITY;
  /** Jacobians. */
  jacobians = 0;
  /** How Jacobians are kept; dense until `prepare`. */
  form: JacobianForm = new DenseForm(0, 0);
  /** Of a given Jacobian what was found at the start; not yet asked for. */
  private early: { readonly x: Float64Array; readonly found: () => Float64Array } | undefined;
  private groups: readonly Int32Array[] = [];
  /** By how much h is shorter than τ |x_j| in central differences. */
  shares: Float64Array;
  readonly state: Declared;
  /** How many numbers r has, as soon as that is known. */
  private count: number | undefined;
  /** The relative errors of columns, with room to spare. */
  readonly forwardError: number;
  readonly centralError: number;
  private readonly forwardStep: number;
  private readonly centralStep: number;
  private readonly bent: number;

  constructor(
    private readonly problem: LeastSquaresProblem,
    private readonly box: Box,
    valueNoise: number,
  ) {
    this.shares = new Float64Array(box.lower.length).fill(1);
    this.state = stateIn(this, { evaluations: whole(), jacobians: whole(), shares: float64(this.shares) });
    this.forwardStep = Math.sqrt(valueNoise);
    this.centralStep = exp(log(valueNoise) / 5);
    this.forwardError = this.forwardStep;
    this.centralError = 300 * (this.centralStep * this.centralStep) * (this.centralStep * this.centralStep);
    this.bent = BENT * this.centralStep * this.centralStep;
  }

  get isGiven(): boolean {
    return this.problem.jacobian !== undefined;
  }

  /** Whether the Jacobian is the user's in its values or its pattern, so that it can be wrong. */
  get isClaimed(): boolean {
    return this.isGiven || this.problem.jacobianPattern !== undefined;
  }

  /**
   * Chooses the form of Jacobians: by the pattern, or by the Jacobian at the start, which is kept. An error of that is thrown
   * where it is asked for.
   *
   * @throws CurvatureError for the pattern: ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  async prepare(start: Float64Array, m: number): Promise<void> {
    const { jacobian, jacobianPattern } = this.problem;
    const n = start.length;
    this.form = new DenseForm(m, n);
    if (jacobianPattern !== undefined) this.useSparse(patternOf(jacobianPattern, m, n));
    else if (jacobian !== undefined) {
      const x = start.slice();
      try {
        const given = x.slice();
        const answer = await jacobian(given);
        checkUnwritten("jacobian", given, x);
        if (typeof answer === "object" && answer !== null && isSparse(answer)) {
          const pattern = toSparse(answer, `${where}: the Jacobian`);
          if (pattern.rows === m && pattern.columns === n) this.useSparse(ownPattern(pattern));
        }
        const entries = this.form.entriesOf(answer);
        this.early = { x, found: () => entries };
      } catch (error) {
        const found = (): never => {
          throw error;
        };
        this.early = { x, found };
      }
    }
  }

  private useSparse(pattern: SparseMatrix): void {
    const { lower, upper } = this.box;
    this.form = new SparseForm(pattern);
    if (!this.isGiven) this.groups = columnGroups(pattern, (j) => !(lower[j] < upper[j]));
  }

  /** r(x), a copy; entries may be NaN. @throws Spent; CurvatureError ERR_ARGUMENT, ERR_SHAPE; whatever the function throws */
  async at(x: Float64Array): Promise<Float64Array> {
    if (this.evaluations >= this.limit) throw new Spent();
    const given = x.slice();
    this.evaluations++;
    const answer: unknown = await this.problem.residuals(given);
    const residuals = numbersOf(answer);
    checkUnwritten("residuals", given, x);
    this.count ??= residuals.length;
    if (residuals.length !== this.count)
      throw new CurvatureError(
        "ERR_SHAPE",
        `residuals gave ${this.count} numbers at the first point and ${residuals.length} at a later one. Return as many at every point.`,
        { where, path: "residuals", expected: `${this.count} numbers`, received: residuals.length },
      );
    return residuals;
  }

  /**
   * J at x, as the form keeps it.
   *
   * @param r - r(x)
   * @param typical - |x_j| as large as it was in the run
   * @param scale - the size of what r is the difference of, as far as that is known
   * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT, and whatever the functions throw
   */
  async jacobianAt(
    x: Float64Array,
    r: Float64Array,
    typical: Float64Array,
    scale: number,
    isCentral: boolean,
  ): Promise<Float64Array> {
    const { jacobian } = this.problem;
    this.jacobians++;
    if (jacobian === undefined) return this.byDifferences(x, r, typical, scale, isCentral);
    const { early } = this;
    this.early = undefined;
    if (early?.x.every((entry, j) => entry === x[j])) return early.found();
    const given = x.slice();
    const answer = await jacobian(given);
    checkUnwritten("jacobian", given, x);
    return this.form.entriesOf(answer);
  }

  /** Column after column, or with a pattern group after group: the columns of a group take their steps in one evaluation. */
  private async byDifferences(
    x: Float64Array,
    r: Float64Array,
    typical: Float64Array,
    scale: number,
    isCentral: boolean,
  ): Promise<Float64Array> {
    const { form } = this;
    const [m, n] = [r.length, x.length];
    const J = new Float64Array(form.count);
    if (!(form instanceof SparseForm)) {
      for (let j = 0; j < n; j++) {
        if (!(this.box.lower[j] < this.box.upper[j])) continue; // it never moves
        const [column] = await this.together(
          [{ j, answers: this.column(j, x, r, typical[j], scale, isCentral), of: (all) => all }],
          x,
        );
        for (let i = 0; i < m; i++) J[i * n + j] = column[i];
      }
      return J;
    }
    const { pointers, rows, positions } = form.columns;
    for (const group of this.groups) {
      const searches = Array.from(group, (j): ColumnSearch => {
        const [start, end] = [pointers[j], pointers[j + 1]];
        const of = (all: Float64Array): Float64Array => {
          const own = new Float64Array(end - start);
          for (let t = start; t < end; t++) own[t - start] = all[rows[t]];
          return own;
        };
        return { j, answers: this.column(j, x, of(r), typical[j], scale, isCentral), of };
      });
      const columns = await this.together(searches, x);
      for (const [k, j] of group.entries())
        for (const [t, entry] of columns[k].entries()) J[positions[pointers[j] + t]] = entry;
    }
    return J;
  }

  /** Columns that ask for steps, each of its own: those asked for at a time are one point. */
  private async together(
    searches: readonly ColumnSearch[],
    x: Float64Array,
  ): Promise<readonly Float64Array[]> {
    const columns = searches.map((): Float64Array => new Float64Array(0));
    const there = x.slice();
    let residuals: Float64Array | undefined;
    for (let working = Array.from(searches.keys()); ; ) {
      const left: number[] = [];
      for (const k of working) {
        const { j, answers, of } = searches[k];
        const next = residuals === undefined ? answers.next() : answers.next(of(residuals));
        there[j] = x[j];
        if (next.done) columns[k] = next.value;
        else {
          there[j] += next.value;
          left.push(k);
        }
      }
      if (left.length === 0) return columns;
      working = left;
      residuals = await this.at(there);
    }
  }

  private *column(
    j: number,
    x: Float64Array,
    r: Float64Array,
    typical: number,
    scale: number,
    isCentral: boolean,
  ): Steps<Float64Array> {
    const size = Math.abs(x[j]) || typical || 1;
    const longest = Math.max(size, typical, 1);
    const lost = (isCentral ? LOST_CENTRAL : LOST) * scale;
    let column: Float64Array | undefined;
    for (let tries = 0, share = 1; tries < TRIES; tries++, share *= LONGER) {
      const h = this.stepOf(j, x[j], Math.min(share * size, longest), isCentral);
      const taken = isCentral ? yield* this.central(j, x, r, h) : yield* this.oneSided(j, x, r, h, false);
      if (taken === undefined) break;
      column = taken;
      if (norm2(column) * h > lost || longest <= share * size) return column;
    }
    if (column !== undefined) return column;
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `the residuals are not finite beside the point reached, in either direction of parameter ${j} (counted from 0), ${x[j]}. Set lower and upper so that they are finite between them, or give a jacobian.`,
      { where, path: `x[${j}]` },
    );
  }

  /** h, such that x + h is a number, and four of it have room in the box. */
  private stepOf(j: number, xj: number, size: number, isCentral: boolean): number {
    const { lower, upper } = this.box;
    const room = Math.max(upper[j] - xj, xj - lower[j]) / 4;
    const wanted = isCentral ? this.centralStep * this.shares[j] : this.forwardStep;
    return xj + Math.min(wanted * size, room) - xj || room;
  }

  private *central(j: number, x: Float64Array, r: Float64Array, h: number): Steps<Float64Array | undefined> {
    let best = yield* this.halves(j, x, r, h);
    for (let step = h; best !== undefined && best.bend > this.bent && this.shares[j] > SHORTEST; ) {
      const shorter = Math.sqrt(this.bent / best.bend / 2);
      step = x[j] + step * shorter - x[j];
      const found = step === 0 ? undefined : yield* this.halves(j, x, r, step);
      if (found === undefined || found.bend > best.bend / 2) break; // it is not h that they differ by
      best = found;
      this.shares[j] *= shorter;
    }
    return best?.column ?? (yield* this.oneSided(j, x, r, h, true));
  }

  /** The central difference, and how much its halves differ; undefined where one has no room, or is not finite. */
  private *halves(
    j: number,
    x: Float64Array,
    r: Float64Array,
    h: number,
  ): Steps<{ readonly column: Float64Array; readonly bend: number } | undefined> {
    const { lower, upper } = this.box;
    if (x[j] + 2 * h > upper[j] || x[j] - 2 * h < lower[j]) return undefined;
    const sides = [];
    for (const times of [2, 1, -1, -2]) sides.push(yield times * h);
    if (!sides.every(areFinite)) return undefined;
    const [a, b, c, d] = sides;
    const near = r.map((_, i) => (b[i] - c[i]) / (2 * h));
    const far = r.map((_, i) => (a[i] - d[i]) / (4 * h));
    return {
      column: near.map((entry, i) => (4 * entry - far[i]) / 3),
      bend: norm2(near.map((entry, i) => entry - far[i])) / norm2(near),
    };
  }

  private *oneSided(
    j: number,
    x: Float64Array,
    r: Float64Array,
    h: number,
    isExact: boolean,
  ): Steps<Float64Array | undefined> {
    const { lower, upper } = this.box;
    for (const step of x[j] + 4 * h <= upper[j] ? [h, -h] : [-h, h]) {
      if (x[j] + step > upper[j] || x[j] + step < lower[j]) continue;
      const a = yield step;
      if (!areFinite(a)) continue;
      const points = [];
      if (isExact && x[j] + 4 * step <= upper[j] && x[j] + 4 * step >= lower[j])
        for (const times of [2, 3, 4]) points.push(yield times * step);
      if (points.length === 0 || !points.every(areFinite)) return r.map((at, i) => (a[i] - at) / step);
      const [b, c, d] = points;
      return r.map((at, i) => (-25 * at + 48 * a[i] - 36 * b[i] + 16 * c[i] - 3 * d[i]) / (12 * step));
    }
    return undefined;
  }
}

export const areFinite = (residuals: Float64Array): boolean => residuals.every(Number.isFinite);

/** @param value - F of these residuals. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE */
export function checkFirst(r: Float64Array, value: number): void {
  if (r.length === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      "residuals gave no number at the start. Return one for each observation.",
      {
        where,
        path: "residuals",
        expected: "at least one number",
        received: 0,
      },
    );
  const at = r.findIndex((entry) => !Number.isFinite(entry));
  if (at >= 0)
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `residuals gave ${r[at]} at ${at} (counted from 0) at the start. Start where all are finite, or leave out that observation.`,
      { where, path: `residuals[${at}]`, expected: "a finite number", received: r[at] },
    );
  if (!Number.isFinite(value) || (value === 0 && r.some((entry) => entry !== 0)))
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `the squares of the residuals at the start are beyond the range of numbers. Give the residuals in other units.`,
      { where, path: "residuals", expected: "squares in the range of numbers", received: r },
    );
}

/** @param name - whose answer it is, for the message */
export function numbersOf(answer: unknown, name = "residuals"): Float64Array {
  if (answer instanceof Float64Array) return answer.slice();
  if (!isNumbers(answer) && !Array.isArray(answer))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${name} must return an array of numbers, one for each observation; received ${shown(answer)}.`,
      { where, path: name, expected: "an array of numbers", received: answer },
    );
  const given: readonly unknown[] = Array.from(answer);
  const at = given.findIndex((entry) => typeof entry !== "number");
  if (at >= 0)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${name} gave ${shown(given[at])} at ${at} (counted from 0), which is not a number.`,
      { where, path: `${name}[${at}]`, expected: "a number", received: given[at] },
    );
  return Float64Array.from(given, Number);
}

function checkUnwritten(name: string, given: Float64Array, x: Float64Array): void {
  const at = given.findIndex((entry, j) => !Object.is(entry, x[j]));
  if (at >= 0)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${name} has written into its point (entry ${at}, counted from 0). It must leave x as it is: work on a copy.`,
      { where, path: name, expected: "x as it was" },
    );
}

/** @throws CurvatureError unless it is an m × n matrix */
function patternOf(given: SparseMatrixLike, m: number, n: number): SparseMatrix {
  const pattern = toSparse(given, `${where}: jacobianPattern`);
  if (pattern.rows === m && pattern.columns === n) return ownPattern(pattern);
  throw new CurvatureError(
    "ERR_SHAPE",
    `jacobianPattern is ${pattern.rows} x ${pattern.columns}; it must be ${m} x ${n}, a row for each residual and a column for each parameter.`,
    {
      ...{ where, path: "jacobianPattern" },
      ...{ expected: `${m} x ${n}`, received: `${pattern.rows} x ${pattern.columns}` },
    },
  );
}

const ownPattern = ({ rows, columns, rowPointers, columnIndices, values }: SparseMatrix): SparseMatrix => ({
  ...{ rows, columns, rowPointers: rowPointers.slice(), columnIndices: columnIndices.slice() },
  values: new Float64Array(values.length),
});
