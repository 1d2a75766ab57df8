/**
 * Least squares over many blocks of residuals, F(x) = Σ ½‖r_i(x)‖²: incremental Gauss-Newton, then Levenberg-Marquardt on the whole.
 *
 * Order      blocks at random, in groups B_0, …, B_G: of N/2^G, N/2^G, N/2^(G−1), …, N/2 blocks
 * Sample     Levenberg-Marquardt on B_0 alone, until what it could still lower is small beside what the other rows will change
 * Group g    ½‖R_g y + e_g‖² ≈ Σ_{i ∈ B_g} ½‖r_i(x) + J_i(x)(y − x)‖², up to a constant: QR keeps n rows of each group
 * Step       x ← argmin_y Σ_{h ≤ g} ½‖R_h y + e_h‖²
 * Whole      F is evaluated at x: Levenberg-Marquardt on all blocks goes on from there
 * Doubt      it begins at the first point where that is lower; where the sample ends on a plateau or leaves a parameter within
 *            two standard errors of 0; and where the squares of a group are four times those of the groups before it
 *
 * | symbol | variable     | shape                                    |
 * |--------|--------------|------------------------------------------|
 * | x      | x            | n                                        |
 * | N      | blocks.count |                                          |
 * | B_g    | groups[g]    | indices                                  |
 * | R, e   | R, e         | a place of n × n and of n for each group |
 *
 * The step after a group is that of the extended Kalman filter (Bertsekas 1996) in its square-root form, which does not square the
 * condition of J. Groups double, so that each is as large as all before it: a pass takes G + 1 steps and not N, and rows that were
 * linearised farther away weigh little in the end. B_0 has 16 rows for each parameter and a 32nd of all rows at least, and an
 * eighth at most; where that is not to be had, Levenberg-Marquardt begins at the first point. What is in doubt costs what the
 * sample took, a pass at most, and two in the last case. A sample of few rows may well have minima that the whole has not.
 *
 * Bertsekas: Incremental least squares methods and the extended Kalman filter. SIAM J. Optim. 6 (1996) 807-822. Differs from it:
 * groups for single blocks, the sample, and the end, which is that of Levenberg-Marquardt.
 */
import { axpy, dot, norm2, PivotedQr, permutation, RandomGenerator } from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import type { Iteration, Outcome, Point, Solver, SumDetails } from "../solver.js";
import type { Box } from "../solvers/box.js";
import { boolean, DeclaredSolver, float64, madeInner, number, outcome, stateOf, whole } from "../state.js";
import { DenseForm } from "./jacobian-form.js";
import { JoinedBlocks } from "./joined-blocks.js";
import { LevenbergMarquardt } from "./levenberg-marquardt.js";
import { LinearModel } from "./linear-model.js";
import { lossOf } from "./loss.js";
import type { ResidualBlocks } from "./residual-blocks.js";
import { areFinite, checkFirst, numbersOf, Residuals, Spent } from "./residual-function.js";
import { statisticsOf } from "./statistics.js";

/** Of the sample: rows for each parameter, and the least and the largest part of all rows. */
const SAMPLE_ROWS = 16;
const LEAST_SHARE = 1 / 32;
const LARGEST_SHARE = 1 / 8;
/** Of √(n / rows), about the part by which new rows change the residuals: the cosine at which the sample is done. */
const SETTLED = 0.1;
/** Standard errors that a parameter of the sample is at least away from 0. */
const SIGNIFICANT = 2;
/** How much larger the mean square of a group may be than of those before it, and of the first one's what is nothing. */
const UNLIKE = 4;
const NOTHING = 1e-12;
/** Parameters up to which n × n numbers of each group are kept. */
const MOST_PARAMETERS = 500;
/** Rows that are linearised at once: so many for each parameter. */
const CHUNK_ROWS = 16;

/** ½‖R y + e‖², and ½‖r‖² where it was linearised. */
interface Linearized {
  readonly R: Float64Array;
  readonly e: Float64Array;
  readonly value: number;
}

/** What a step says of itself. */
type Made = Partial<Pick<Iteration, "stepLength" | "gradientNorm">>;

export class IncrementalGaussNewton extends DeclaredSolver implements Solver<SumDetails> {
  readonly name = "gauss-newton";
  readonly options = {};
  readonly dimension: number;
  readonly fingerprint: string;
  readonly state;
  private readonly groups: readonly Int32Array[];
  private readonly box: Box;
  /** Evaluations of blocks that are allowed in all. */
  private most = Number.POSITIVE_INFINITY;

  /**
   * @param rows - their sizes known
   * @param first - r at the start, finite
   * @param all - the residuals of all blocks
   */
  constructor(
    private readonly blocks: ResidualBlocks,
    private readonly rows: JoinedBlocks,
    private readonly start: Float64Array,
    private readonly first: Float64Array,
    private readonly all: Residuals,
    private readonly settings: { readonly seed: number; readonly valueNoise: number },
  ) {
    super();
    const n = start.length;
    const { count } = blocks;
    this.dimension = n;
    this.box = boundless(n);
    this.groups = groupsOf(count, first.length, n, settings.seed);
    const G = this.groups.length;
    this.fingerprint = fingerprintOf(
      blocks.fingerprint ?? "blocks",
      ...[n, count, first.length, settings.seed],
      start,
    );
    this.state = stateOf({
      x: float64(start.slice()),
      /** Of each group. */
      R: float64(new Float64Array(G * n * n)),
      e: float64(new Float64Array(G * n)),
      values: float64(new Float64Array(G)),
      /** Groups that were linearised. */
      known: whole(),
      predicted: number(0),
      hasFailed: boolean(false),
      /** Of blocks, without those of `sample` and `fit`; the first residuals are there already. */
      evaluations: whole(count),
      jacobians: whole(),
      index: whole(),
      sample: madeInner(() => this.fitOfSample()),
      fit: madeInner(() => this.fitOf(this.all, this.start, this.first)),
      outcome: outcome(),
    });
    if (G > 0) this.state.sample = this.fitOfSample();
  }

  get best(): Point {
    return this.state.fit?.best ?? { x: this.start, value: lossOf(this.first, "squared", 1) };
  }

  get last(): Point {
    const { fit, sample, x } = this.state;
    return fit?.last ?? { x: sample?.last.x ?? x, value: undefined };
  }

  /** F(x); it is in no count. */
  async measure(x: Float64Array): Promise<number> {
    return lossOf(numbersOf(await this.rows.of().residuals(x.slice())), "squared", 1);
  }

  limitWork(evaluations: number, passes: number): void {
    this.most = Math.min(evaluations, passes * this.blocks.count);
  }

  async step(): Promise<Iteration<SumDetails>> {
    const { state } = this;
    const { fit, sample, known } = state;
    if (state.outcome !== undefined) return this.iteration({});
    try {
      const made = await (fit !== undefined
        ? this.stepOfAll(fit)
        : sample !== undefined
          ? this.stepOfSample(sample)
          : known < this.groups.length
            ? this.stepOfGroup(known)
            : this.handOver());
      state.index++;
      return this.iteration(made);
    } catch (error) {
      if (!(error instanceof Spent)) throw error;
      // no part of the state: with more passes the run goes on
      return {
        ...this.iteration({}),
        index: state.index + 1,
        outcome: spent(this.passes, this.most / this.blocks.count),
      };
    }
  }

  /** A step on the first group alone; its last linearisation is the first of the model. */
  private async stepOfSample(sample: LevenbergMarquardt): Promise<Made> {
    const { state } = this;
    const { residuals } = sample;
    const [group] = this.groups;
    const most = Math.floor((this.jacobianCost * this.blocks.count) / group.length);
    const left = this.left(group.length);
    if (residuals.evaluations >= left) throw new Spent();
    sample.limitWork(Math.min(most, left));
    const { outcome: end, details, ...made } = await sample.step();
    const { residuals: r, jacobian } = sample.linearization;
    const { cosine = 1 } = details;
    const isDone = cosine * cosine <= SETTLED * SETTLED * (this.dimension / r.length);
    if (end === undefined && !isDone && residuals.evaluations < most) return made;
    this.countIn(residuals, group.length);
    state.x.set(sample.last.x);
    state.sample = undefined;
    const isFit = (isDone || end?.status === "converged") && jacobian !== undefined;
    if (!isFit || !this.isDetermined(residuals, jacobian, r)) return this.giveUp();
    this.keep(0, reduced(undefined, jacobian, r, state.x));
    return made;
  }

  /** What the groups say is not used. */
  private giveUp(): Made {
    const { state } = this;
    state.x.set(this.start);
    state.known = this.groups.length;
    state.hasFailed = true;
    return {};
  }

  /** Whether all parameters of the sample are other than 0. */
  private isDetermined({ form }: Residuals, jacobian: Float64Array, residuals: Float64Array): boolean {
    const { box } = this;
    const { x } = this.state;
    const loss = { loss: "squared", lossScale: 1, level: 0.95 } as const;
    const { standardErrors } = statisticsOf(form, {
      x,
      residuals,
      jacobian,
      error: this.error,
      box,
      ...loss,
    });
    return x.every((xj, j) => SIGNIFICANT * standardErrors[j] <= Math.abs(xj));
  }

  /** Linearises group g at x, and goes to the minimum of all that is linearised so far. */
  private async stepOfGroup(g: number): Promise<Made> {
    const { state } = this;
    if (this.left(this.groups[g].length * this.jacobianCost) < 1) throw new Spent();
    const linearized = await this.linearized(this.groups[g]);
    if (linearized === undefined || this.isUnlike(linearized, g)) return this.giveUp();
    this.keep(g, linearized);
    const model = this.model();
    const p = new Float64Array(this.dimension);
    model.write(model.newton(), p);
    axpy(1, p, state.x);
    state.predicted = model.expected;
    return { stepLength: 1 };
  }

  /** All blocks of a group at x, some rows at a time; undefined where residuals are not finite. */
  private async linearized(group: Int32Array): Promise<Linearized | undefined> {
    const { rows, state, dimension: n } = this;
    const { x } = state;
    let found: Linearized | undefined;
    for (let from = 0, to = 0; from < group.length; from = to) {
      let m = 0;
      while (to < group.length && (to === from || m < CHUNK_ROWS * n)) m += rows.sizes[group[to++]];
      if (m === 0) continue;
      const chunk = group.subarray(from, to);
      const residuals = this.residualsOf(chunk, m);
      residuals.limit = this.left(chunk.length);
      try {
        const r = await residuals.at(x);
        if (!areFinite(r)) return undefined;
        const J = await residuals.jacobianAt(x, r, x.map(Math.abs), norm2(r), false);
        found = reduced(found, J, r, x);
      } finally {
        this.countIn(residuals, chunk.length);
      }
    }
    return found ?? { R: new Float64Array(n * n), e: new Float64Array(n), value: 0 };
  }

  private keep(g: number, { R, e, value }: Linearized): void {
    const { state, dimension: n } = this;
    state.R.set(R, g * n * n);
    state.e.set(e, g * n);
    state.values[g] = value;
    state.known++;
  }

  /** Whether the mean square of a group is not that of the groups before it. */
  private isUnlike({ value }: Linearized, g: number): boolean {
    const before = this.state.values.subarray(0, g).reduce((sum, each) => sum + each, 0);
    const rows = (groups: readonly Int32Array[]): number =>
      groups.reduce((sum, group) => group.reduce((m, i) => m + this.rows.sizes[i], sum), 0);
    const [own, theirs] = [rows([this.groups[g]]), rows(this.groups.slice(0, g))];
    const least = NOTHING * (lossOf(this.first, "squared", 1) / this.first.length);
    return value / own > Math.max(UNLIKE * (before / theirs), least);
  }

  /** ½ Σ ‖R_h y + e_h‖² as a function of p = y − x. */
  private model(): LinearModel {
    const { state, dimension: n } = this;
    const { x, known, R, e } = state;
    const m = known * n;
    const jacobian = R.subarray(0, m * n);
    const residuals = e.slice(0, m);
    for (let i = 0; i < m; i++) residuals[i] += dot(jacobian.subarray(i * n, (i + 1) * n), x);
    const D = new Float64Array(n).fill(1);
    return new LinearModel({ jacobian, residuals }, Int32Array.from(x.keys()), D, this.error);
  }

  /** To Levenberg-Marquardt on all blocks, from x or from the first point. */
  private async handOver(): Promise<Made> {
    const { state, all, start, first } = this;
    let [from, r] = [start, first];
    if (this.groups.length > 0 && !state.hasFailed) {
      all.limit = this.left(this.blocks.count);
      const there = await all.at(state.x);
      state.hasFailed = !areFinite(there) || lossOf(there, "squared", 1) >= lossOf(first, "squared", 1);
      if (!state.hasFailed) [from, r] = [state.x, there];
    }
    await all.prepare(from, r.length);
    state.fit = this.fitOf(all, from, r);
    return {};
  }

  private async stepOfAll(fit: LevenbergMarquardt): Promise<Made> {
    const left = this.left(this.blocks.count);
    if (this.all.evaluations >= left) throw new Spent();
    fit.limitWork(left);
    const { outcome: end, ...made } = await fit.step();
    this.state.outcome = end;
    return made;
  }

  private fitOfSample(): LevenbergMarquardt {
    const r: number[] = [];
    const offsets = new Float64Array(this.blocks.count + 1);
    for (const [i, size] of this.rows.sizes.entries()) offsets[i + 1] = offsets[i] + size;
    for (const i of this.groups[0]) r.push(...this.first.subarray(offsets[i], offsets[i + 1]));
    return this.fitOf(this.residualsOf(this.groups[0], r.length), this.start, Float64Array.from(r));
  }

  /** It has arrays of its own. */
  private fitOf(residuals: Residuals, x: Float64Array, r: Float64Array): LevenbergMarquardt {
    const settings = { box: this.box, loss: "squared", lossScale: 1, ...this.settings } as const;
    return new LevenbergMarquardt(residuals, x.slice(), r.slice(), settings, "");
  }

  private residualsOf(indices: Int32Array, m: number): Residuals {
    const residuals = new Residuals(this.rows.of(indices), this.box, this.settings.valueNoise);
    residuals.form = new DenseForm(m, this.dimension);
    return residuals;
  }

  private countIn({ evaluations, jacobians }: Residuals, blocks: number): void {
    this.state.evaluations += evaluations * blocks;
    this.state.jacobians += jacobians * blocks;
  }

  /** The relative error of J's columns. */
  private get error(): number {
    return this.all.isGiven ? Number.EPSILON : this.all.forwardError;
  }

  /** How often so many blocks may still be evaluated. */
  private left(blocks: number): number {
    return Math.floor((this.most - this.state.evaluations) / blocks);
  }

  /** Evaluations of r that a step takes with its Jacobian. */
  private get jacobianCost(): number {
    return this.all.isGiven ? 1 : this.dimension + 1;
  }

  private get evaluations(): number {
    const { sample, evaluations } = this.state;
    const ofSample = sample === undefined ? 0 : sample.residuals.evaluations * this.groups[0].length;
    return evaluations + ofSample + this.all.evaluations * this.blocks.count;
  }

  private get passes(): number {
    return this.evaluations / this.blocks.count;
  }

  private iteration({ stepLength, gradientNorm }: Made): Iteration<SumDetails> {
    const { state, groups, blocks } = this;
    const { known, sample, fit } = state;
    const inModel = groups.slice(0, Math.max(known, 1)).reduce((sum, { length }) => sum + length, 0);
    const isAll = groups.length > 0 && known >= groups.length;
    return {
      ...{ index: state.index, value: fit?.best.value, gradientNorm, stepLength },
      evaluations: this.evaluations,
      gradientEvaluations:
        state.jacobians +
        (sample === undefined ? 0 : sample.residuals.jacobians * groups[0].length) +
        this.all.jacobians * blocks.count,
      ...{ monitoringEvaluations: 0, passes: this.passes },
      phase: fit !== undefined ? "whole sum" : known === 0 ? "sample" : "group",
      details: {
        ...{ subfunctions: [], subspaceDimension: this.dimension, stepScale: stepLength ?? 1, restarts: 0 },
        activeSubfunctions: fit === undefined ? inModel : blocks.count,
        predictedDecrease: state.predicted,
        hasFailed: state.hasFailed,
        estimate: isAll ? state.values.reduce((sum, value) => sum + value, 0) : undefined,
      },
      outcome: state.outcome,
    };
  }
}

/**
 * The solver, once the residuals at the start are there.
 *
 * @param x - its own
 * @param isResumed - whether the form of the Jacobian is needed at once
 */
export async function incrementalFrom(
  blocks: ResidualBlocks,
  x: Float64Array,
  seed: number,
  concurrency: number,
  isResumed: boolean,
): Promise<IncrementalGaussNewton> {
  const valueNoise = Number.EPSILON;
  const rows = new JoinedBlocks(blocks, concurrency);
  const all = new Residuals(rows.of(), boundless(x.length), valueNoise);
  const first = await all.at(x);
  all.evaluations = 0;
  checkFirst(first, lossOf(first, "squared", 1));
  const solver = new IncrementalGaussNewton(blocks, rows, x, first, all, { seed, valueNoise });
  if (isResumed) await all.prepare(x, first.length);
  return solver;
}

/** ½‖R y + e‖² of rows r + J (y − x), beside those that are there. @param J - m × n, row by row */
function reduced(
  before: Linearized | undefined,
  J: Float64Array,
  r: Float64Array,
  x: Float64Array,
): Linearized {
  const n = x.length;
  const top = before === undefined ? 0 : n;
  const m = top + r.length;
  const A = new Float64Array(n * m);
  const y = new Float64Array(m);
  if (before !== undefined) y.set(before.e);
  for (let i = 0; i < m; i++) {
    const row = before !== undefined && i < top ? before.R : J;
    const at = (i < top ? i : i - top) * n;
    for (let j = 0; j < n; j++) A[j * m + i] = row[at + j];
    if (i >= top) y[i] = r[i - top] - dot(J.subarray(at, at + n), x);
  }
  const qr = new PivotedQr(A, m, n);
  qr.applyTransposed(y);
  const R = new Float64Array(n * n);
  const e = new Float64Array(n);
  for (let i = 0; i < qr.steps; i++) {
    e[i] = y[i];
    for (let j = i; j < n; j++) R[i * n + qr.order[j]] = qr.entry(i, j);
  }
  return { R, e, value: (before?.value ?? 0) + lossOf(r, "squared", 1) };
}

/** Blocks in random order, in groups that double; none where there are too few rows or too many parameters. */
function groupsOf(count: number, rows: number, n: number, seed: number): readonly Int32Array[] {
  const least = Math.max(SAMPLE_ROWS * n, LEAST_SHARE * rows);
  let doublings = 0;
  while (rows >= 2 ** (doublings + 1) * least) doublings++;
  if (least > LARGEST_SHARE * rows || n > MOST_PARAMETERS || count < 2 ** doublings) return [];
  const order = permutation(new RandomGenerator(seed), count);
  const ends = Array.from({ length: doublings + 1 }, (_, g) => Math.round(count * 2 ** (g - doublings)));
  return ends.map((end, g) => order.subarray(g === 0 ? 0 : ends[g - 1], end));
}

const boundless = (n: number): Box => ({
  lower: new Float64Array(n).fill(Number.NEGATIVE_INFINITY),
  upper: new Float64Array(n).fill(Number.POSITIVE_INFINITY),
});

const spent = (passes: number, limit: number): Outcome => ({
  status: "max-iterations",
  message: `${passes.toPrecision(3)} passes are made, and no more than ${limit} were allowed.`,
  test: { name: "passes", value: passes, limit },
});
