/**
 * The default recipe for t-SNE in the plane on a GPU: the homotopy and the L-BFGS of `homotopy-lbfgs`, with all vectors on the device.
 * The processor sees inner products: four reads an iteration.
 *
 * Problem    min_X E⁺(X) + λ E⁻(X) within T evaluations
 *              A° = Σ_m N p k (x_n − x_m),  ∇E⁺ = (4/N) A°;     F° = Σ_m k² (x_n − x_m),  ∇E⁻ = −(4/S) F°,  E⁻ = log S
 * Iteration  as in `homotopy-lbfgs`; y = ΔA + λ ΔR + (r/N) s and G are never formed: ⟨s_i, y_j⟩, ‖y_j‖², ⟨s_i, G⟩ follow for every λ
 *            from inner products of s, ΔA, ΔR, X, A°, F°, of which each iteration needs those of its newest pair alone
 *   1.  w_j = (−⟨s_j, G⟩ − Σ_{i newer} w_i ⟨s_j, y_i⟩)/⟨s_j, y_j⟩,   q = −G − Σ w_j y_j
 *   2.  (z, z_y) = C (q, y_newest),  C the polynomial of Chebyshev in the attraction's Laplacian;  γ = ⟨s, y⟩/⟨y, z_y⟩
 *   3.  c_j = w_j − (γ ⟨y_j, z⟩ + Σ_{i older} c_i ⟨y_j, s_i⟩)/⟨s_j, y_j⟩,   D = γ z + Σ c_j s_j
 *   4.  a by backtracking, as in `parts-line`; ‖X + a D‖² = ‖X‖² + 2 a ⟨X, D⟩ + a² ‖D‖²
 *
 * | symbol        | vectors of the slab                      |
 * |---------------|------------------------------------------|
 * | s, ΔA, ΔR     | 3j, 3j + 1, 3j + 2 of pair j             |
 * | X, A°, F°     | `current`, + 1, + 2; a trial's in `other` |
 * | D             | the last                                 |
 *
 * Differs from the CPU's: the whole rows' Laplacian under Chebyshev's polynomial in the place of an incomplete factor of 20
 * neighbours, which ends lower (by 0.0003 to 0.025 on ten sets) and has no order of elimination; single precision, so that the slack
 * of the line search is 1e-7. The same bits twice on one device, not on another.
 */
import { CurvatureError, type DenseMatrix, log, toSparse, type Warning } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import {
  type Iteration,
  jointEvaluations,
  type Outcome,
  type Point,
  type Solver,
} from "@curvature/optim-core";
import {
  DeclaredSolver,
  fixed,
  float32,
  float64,
  int32,
  number,
  stateOf,
  whole,
} from "@curvature/optim-core/state";
import type { Gpu } from "@curvature/webgpu";
import {
  attractionJob,
  type BufferLike,
  chebyshevJobs,
  curveOrder,
  exactRepulsionJobs,
  type Job,
  Slab,
  type SparseRows,
  tiledRepulsionJobs,
} from "@curvature/webgpu/kernels";
import { attractiveGraph, componentWarnings } from "./directions/spectral-matrix.js";
import { type HomotopyLbfgsOptions, homotopyLbfgsOptions, LambdaSchedule } from "./homotopy-lbfgs.js";
import { divergenceOf, type EmbeddingDetails, endedIteration } from "./immediate-solver.js";
import { checkObjective, startPoint } from "./start.js";

const MAX_PAIRS = 10;
/** Vectors of the slab. */
const VECTORS = 3 * MAX_PAIRS + 7;
const SUFFICIENT_DECREASE = 1e-4;
/** Of F, in the line search: sums are of single precision. */
const SLACK = 1e-7;
const MAX_TRIALS = 15;
const USABLE = 1e-10;
/** Points above which far tiles are summed by their moments. */
const MAX_EXACT = 20_000;
/** Iterations after which tiles are formed anew: stale ones cost time, not digits. */
const EVERY = 5;

type Settings = { readonly [K in keyof HomotopyLbfgsOptions]-?: NonNullable<HomotopyLbfgsOptions[K]> };

/** What of a map is on the device beside the slab. */
interface Resident {
  readonly gpu: Gpu;
  readonly slab: Slab;
  /** The point of an evaluation, N vec2f. */
  readonly x: BufferLike;
  /** (Σ N p log(1 + t), A°, 0) and (S_n, F°, 0). */
  readonly attraction: BufferLike;
  readonly repulsion: BufferLike;
  /** Their jobs. */
  readonly forces: readonly Job[];
  /** Points along a curve; undefined where all pairs are summed. */
  readonly order: BufferLike | undefined;
  /** Right-hand sides and what Chebyshev's polynomial makes of them, N vec4f. */
  readonly v: BufferLike;
  readonly solve: readonly Job[];
  readonly z: BufferLike;
}

/** At a point. */
interface Evaluation {
  readonly attractive: number;
  /** S */
  readonly sum: number;
  readonly x: Float32Array;
  /** Of X, A°, F°: XX, XA, XF, AA, AF, FF. */
  readonly products: Float64Array;
}

/** Before anything else is done for a map. @throws CurvatureError ERR_MEMORY for more points than fit */
export function checkPointsFit({ largestBuffer }: Gpu, points: number, neighbors: "all" | number): void {
  const entries = neighbors === "all" ? points - 1 : neighbors; // of a row, without those of the union
  const most = Math.floor(largestBuffer / Math.max(8 * VECTORS, 4 * entries));
  if (points <= most) return;
  throw new CurvatureError(
    "ERR_MEMORY",
    `${points} points are more than the ${most} whose vectors and ${entries} neighbours each fit into the largest buffer of this GPU, ${(largestBuffer / 2 ** 20).toFixed(0)} MiB.`,
    { expected: `at most ${most} points`, received: points },
  );
}

export interface GpuHomotopyOptions extends HomotopyLbfgsOptions {
  /** Whether far pairs are summed by tiles; left out: above 20,000 points. */
  readonly tiles?: boolean | undefined;
  /** The objective's attraction, times N, where it is on the device already. */
  readonly rows?: SparseRows | undefined;
}

export class GpuHomotopy extends DeclaredSolver implements Solver<EmbeddingDetails> {
  readonly name = "auto-gpu";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly warnings: readonly Warning[];
  readonly options: Settings & {
    readonly gradient: "gpu";
    readonly adapter: string;
    readonly sums: "exact" | "tiles";
  };
  private readonly schedule: LambdaSchedule;
  private readonly T: number;
  private readonly N: number;
  /** Inner products of vectors of the slab, K × K. */
  private readonly M: Float64Array;
  private readonly K = VECTORS;
  private readonly D = 3 * MAX_PAIRS + 6;
  /** Vectors of X, A°, F° at the point, and at a trial. */
  private current = 3 * MAX_PAIRS;
  private other = 3 * MAX_PAIRS + 3;
  /** Whether the device has the state's vectors. */
  private isOnDevice = false;
  readonly state;

  private constructor(
    private readonly objective: EmbeddingObjective,
    private readonly device: Resident,
    start: Float64Array,
    settings: Settings,
    schedule: LambdaSchedule,
  ) {
    super();
    const { points: N } = objective;
    [this.N, this.T, this.schedule] = [N, settings.maxEvaluations, schedule];
    const sums = device.order === undefined ? "exact" : "tiles";
    this.options = { ...settings, gradient: "gpu", adapter: device.gpu.name, sums };
    this.dimension = objective.dimension;
    this.fingerprint = `${objective.fingerprint}, gpu ${device.gpu.name}, ${sums}`;
    this.warnings = componentWarnings(attractiveGraph(objective.attractiveWeights()));
    this.M = new Float64Array(this.K * this.K);
    const same = "give it as before";
    this.state = stateOf({
      ...{
        maxEvaluations: fixed(settings.maxEvaluations, same),
        firstLambda: fixed(settings.firstLambda, same),
        sizePenalty: fixed(settings.sizePenalty, same),
        shortening: fixed(settings.shortening, same),
      },
      ...{ x: float64(start), bestX: float64(start.slice()), bestE: number(Number.POSITIVE_INFINITY) },
      /** Pairs, then X, A° and F°, as of the last `sync`. */
      vectors: float32(new Float32Array((3 * MAX_PAIRS + 3) * 2 * N)),
      order: int32(new Int32Array(N), { from: 0, to: N - 1 }),
      ...{ attractive: number(), sum: number(), evaluations: whole() },
      /** Pairs are numbered as they come; number k lies in slot k mod m. */
      newest: whole(),
      count: whole(0, { to: MAX_PAIRS }),
      index: whole(),
      /** Evaluations of the schedule that were skipped because nothing moved at its λ. */
      skipped: whole(),
      lambda: number(),
      gradientNorm: number(),
      ended: endedIteration(),
    });
  }

  /**
   * @param start - X_0, N × 2
   * @throws CurvatureError (the promise rejects) ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION, ERR_MEMORY, ERR_DEVICE
   */
  static async create(
    gpu: Gpu,
    objective: EmbeddingObjective,
    start: DenseMatrix | Float64Array,
    options: GpuHomotopyOptions = {},
  ): Promise<GpuHomotopy> {
    const { tiles, rows, ...given } = options;
    const resolved = homotopyLbfgsOptions.resolve("GpuHomotopy", given);
    checkObjective("GpuHomotopy", objective);
    const { maxEvaluations, firstLambda, sizePenalty, shortening } = resolved;
    const schedule = new LambdaSchedule(objective, maxEvaluations, firstLambda, sizePenalty);
    const settings = {
      maxEvaluations,
      firstLambda: schedule.first,
      sizePenalty: schedule.lastPenalty,
      shortening,
    };
    const X = startPoint(objective, start);
    const device = await resident(gpu, objective, tiles ?? objective.points > MAX_EXACT, rows);
    return new GpuHomotopy(objective, device, X, settings, schedule);
  }

  get best(): Point {
    const { bestX, bestE } = this.state;
    return { x: bestX, value: Number.isFinite(bestE) ? bestE : undefined };
  }

  get last(): Point {
    const E = this.targetValue();
    return { x: this.state.x, value: Number.isFinite(E) ? E : undefined };
  }

  async step(): Promise<Iteration<EmbeddingDetails>> {
    const { schedule, state } = this;
    if (state.ended !== undefined) return state.ended;
    if (state.evaluations === 0) await this.begin();
    else if (!this.isOnDevice) await this.toDevice();
    const n = state.evaluations + state.skipped;
    const lambda = schedule.lambda(n);
    const r = schedule.penalty(n);
    state.lambda = lambda;
    if (!Number.isFinite(this.targetValue()))
      return this.end("diverged", `E is ${this.targetValue()} at the start.`);
    if (state.evaluations >= this.T) return this.scheduleEnded(0);

    let a = await this.search(lambda, r);
    if (a === 0 && state.count > 0) {
      state.count = 0;
      a = await this.search(lambda, r);
    }
    if (state.evaluations >= this.T) return this.scheduleEnded(a);
    return a > 0 ? this.report(a, undefined) : this.nothingMoved(n);
  }

  /** What `save` copies. */
  async sync(): Promise<void> {
    const { slab, gpu } = this.device;
    if (!this.isOnDevice) return;
    const [pairs, point] = await gpu.read(
      [],
      [slab.vectors(0, 3 * MAX_PAIRS), slab.vectors(this.current, 3)],
    );
    this.state.vectors.set(new Float32Array(pairs));
    this.state.vectors.set(new Float32Array(point), 3 * MAX_PAIRS * 2 * this.N);
  }

  protected override restored(): void {
    this.isOnDevice = false;
  }

  // ── The point ───────────────────────────────────────────────────────────────────────────────────────────────────────

  private async begin(): Promise<void> {
    const { state, device } = this;
    device.slab.write(this.current, Float32Array.from(state.x));
    this.reorder(Float32Array.from(state.x));
    const at = await this.evaluate(this.current, []);
    this.arrive(at);
    this.isOnDevice = true;
  }

  /** The vectors of a snapshot, and all their inner products. */
  private async toDevice(): Promise<void> {
    const { device, state } = this;
    const size = 2 * this.N;
    for (let k = 0; k < 3 * MAX_PAIRS; k++)
      device.slab.write(k, state.vectors.subarray(k * size, (k + 1) * size));
    for (let k = 0; k < 3; k++) {
      const from = (3 * MAX_PAIRS + k) * size;
      device.slab.write(this.current + k, state.vectors.subarray(from, from + size));
    }
    if (device.order !== undefined) device.gpu.write(device.order, state.order);
    await this.learn(this.pointPairs(this.current));
    for (const slot of this.slots()) await this.learn(this.pairsOf(slot));
    this.isOnDevice = true;
  }

  /** E⁺, S, A° and F° of a trial, which `before` writes. */
  private async evaluate(at: number, before: readonly Job[]): Promise<Evaluation> {
    const { gpu, slab, x, forces, attraction, repulsion } = this.device;
    const sums = slab.gather(attraction, repulsion, at + 1, at + 2);
    const products = slab.products(this.pointPairs(at));
    const [parts, inner, point] = await gpu.read(
      [...before, slab.copy(at, x), ...forces, sums.job, products.job],
      [sums.wanted, products.wanted, slab.vectors(at)],
    );
    this.state.evaluations += 1;
    const [attractive, sum] = sums.answer(parts);
    return {
      attractive: attractive / this.N,
      sum,
      x: new Float32Array(point),
      products: products.answer(inner),
    };
  }

  private pointPairs(at: number): readonly (readonly [number, number])[] {
    const [X, A, F] = [at, at + 1, at + 2];
    return [
      [X, X],
      [X, A],
      [X, F],
      [A, A],
      [A, F],
      [F, F],
    ];
  }

  /** An evaluated trial becomes the point. */
  private arrive({ attractive, sum, x, products }: Evaluation): void {
    const { state } = this;
    [state.attractive, state.sum] = [attractive, sum];
    state.x.set(x);
    for (const [k, [i, j]] of this.pointPairs(this.current).entries()) this.setProduct(i, j, products[k]);
    const E = this.targetValue();
    if (E < state.bestE) {
      state.bestE = E;
      state.bestX.set(state.x);
    }
  }

  private reorder(x: Float32Array): void {
    const { order, gpu } = this.device;
    if (order === undefined) return;
    this.state.order.set(curveOrder(x));
    gpu.write(order, this.state.order);
  }

  // ── Inner products ──────────────────────────────────────────────────────────────────────────────────────────────────

  private product(i: number, j: number): number {
    return this.M[i * this.K + j];
  }

  private setProduct(i: number, j: number, value: number): void {
    this.M[i * this.K + j] = value;
    this.M[j * this.K + i] = value;
  }

  /** The slots of the memory's pairs, oldest first. */
  private slots(): readonly number[] {
    const { newest, count } = this.state;
    return Array.from({ length: count }, (_, k) => (newest - count + 1 + k) % MAX_PAIRS);
  }

  /** Products that a new pair brings. */
  private pairsOf(slot: number): readonly (readonly [number, number])[] {
    const [s, A, R] = [3 * slot, 3 * slot + 1, 3 * slot + 2];
    const others = this.slots().filter((other) => other !== slot);
    const between = others.flatMap((other) => [
      [3 * other, s] as const,
      [3 * other, A] as const,
      [3 * other, R] as const,
      [s, 3 * other + 1] as const,
      [s, 3 * other + 2] as const,
    ]);
    return [...between, [s, s], [s, A], [s, R], [A, A], [A, R], [R, R]];
  }

  private async learn(pairs: readonly (readonly [number, number])[]): Promise<void> {
    if (pairs.length === 0) return;
    const { gpu, slab } = this.device;
    const products = slab.products(pairs);
    const [inner] = await gpu.read([products.job], [products.wanted]);
    for (const [k, value] of products.answer(inner).entries()) this.setProduct(...pairs[k], value);
  }

  // ── The direction and the step ──────────────────────────────────────────────────────────────────────────────────────

  /** A step along −H G for this λ and r: its length, or 0 where no trial was low enough. */
  private async search(lambda: number, r: number): Promise<number> {
    const { slab, gpu, v, z, solve } = this.device;
    const { N, K, D, current: X } = this;
    const [A, F] = [X + 1, X + 2];
    const [toA, toR, shrink] = [4 / N, -4 / this.state.sum, r / N];
    const slots = this.slots();
    await this.learn(slots.flatMap((slot) => [X, A, F].map((k) => [3 * slot, k] as const)));

    const sy = (i: number, j: number): number =>
      this.product(3 * i, 3 * j + 1) +
      lambda * this.product(3 * i, 3 * j + 2) +
      shrink * this.product(3 * i, 3 * j);
    const yy = (j: number): number => {
      const [s, dA, dR] = [3 * j, 3 * j + 1, 3 * j + 2];
      const cross = this.product(dA, s) + lambda * this.product(dR, s);
      const own =
        this.product(dA, dA) + 2 * lambda * this.product(dA, dR) + lambda * lambda * this.product(dR, dR);
      return own + 2 * shrink * cross + shrink * shrink * this.product(s, s);
    };
    /** ⟨V_k, G⟩ */
    const withG = (k: number): number =>
      toA * this.product(k, A) + lambda * toR * this.product(k, F) + shrink * this.product(k, X);
    const usable = slots.filter((j) => sy(j, j) > USABLE * Math.sqrt(this.product(3 * j, 3 * j) * yy(j)));

    // 1. q = −G − Σ w_j y_j, beside y of the newest pair
    const sides = new Float32Array(2 * K);
    const addY = (from: number, j: number, factor: number): void => {
      sides[from + 3 * j] += factor * shrink;
      sides[from + 3 * j + 1] += factor;
      sides[from + 3 * j + 2] += factor * lambda;
    };
    sides[X] = -shrink;
    sides[A] = -toA;
    sides[F] = -lambda * toR;
    const w = new Float64Array(MAX_PAIRS);
    for (let at = usable.length - 1; at >= 0; at--) {
      const j = usable[at];
      let left = -withG(3 * j);
      for (const i of usable.slice(at + 1)) left -= w[i] * sy(j, i);
      w[j] = left / sy(j, j);
      addY(0, j, -w[j]);
    }
    const newest = usable.at(-1);
    if (newest !== undefined) addY(K, newest, 1);

    // 2. Chebyshev's polynomial, and γ
    const outer = slab.outerProducts(z);
    const [bytes] = await gpu.read([slab.pair(v, sides), ...solve, outer.job], [outer.wanted]);
    const withZ = outer.answer(bytes);
    /** ⟨y_j, z⟩, or with the other half of it */
    const yz = (j: number, half: 0 | 1): number =>
      withZ[6 * j + 2 + half] + lambda * withZ[6 * j + 4 + half] + shrink * withZ[6 * j + half];
    let gamma = newest === undefined ? N / 4 : sy(newest, newest) / yz(newest, 1);
    if (!(gamma > 0 && Number.isFinite(gamma))) gamma = N / 4;

    // 3. D = γ z + Σ c_j s_j
    const coefficients = new Float32Array(K + 1);
    coefficients[K] = gamma;
    const c = new Float64Array(MAX_PAIRS);
    for (const [at, j] of usable.entries()) {
      let yD = gamma * yz(j, 0);
      for (const i of usable.slice(0, at)) yD += c[i] * sy(i, j);
      c[j] = w[j] - yD / sy(j, j);
      coefficients[3 * j] = c[j];
    }
    const slopeOf = async (most?: number): Promise<{ readonly slope: number; readonly longest: number }> => {
      const direction = slab.direction(D, coefficients, z, most);
      const products = slab.products([D, X, A, F].map((k) => [k, D] as const));
      const [rows, inner] = await gpu.read(
        [direction.job, products.job],
        [direction.wanted, products.wanted],
      );
      for (const [k, of] of [D, X, A, F].entries()) this.setProduct(of, D, products.answer(inner)[k]);
      return { slope: withG(D), longest: direction.answer(rows) };
    };

    // 4. No point is to move farther than the map is large
    const most = Math.max(1, Math.sqrt(this.product(X, X) / N));
    let { slope, longest } = await slopeOf();
    let a = 1;
    if (longest > most) {
      const shortened = this.options.shortening === "rows" ? await slopeOf(most) : undefined;
      if (shortened !== undefined && shortened.slope < 0) slope = shortened.slope;
      else {
        if (shortened !== undefined) ({ slope, longest } = await slopeOf());
        a = most / longest;
      }
    }
    return slope < 0 ? this.backtrack(a, slope, lambda, r) : 0;
  }

  private async backtrack(first: number, slope: number, lambda: number, r: number): Promise<number> {
    const { slab } = this.device;
    const { N, K, D, current: X, state } = this;
    const value = (attractive: number, sum: number, square: number): number =>
      attractive + lambda * log(sum) + (r / (2 * N)) * square;
    const F = value(state.attractive, state.sum, this.product(X, X));
    let a = first;
    for (let trial = 0; trial <= MAX_TRIALS && state.evaluations < this.T; trial++) {
      const sum = new Float32Array(K);
      sum[X] = 1;
      sum[D] = a;
      const at = await this.evaluate(this.other, [slab.combine(this.other, sum)]);
      const square = this.product(X, X) + 2 * a * this.product(X, D) + a * a * this.product(D, D);
      const trialF = value(at.attractive, at.sum, square);
      if (Number.isFinite(trialF) && trialF <= F + SUFFICIENT_DECREASE * a * slope + SLACK * Math.abs(F)) {
        await this.accept(a, at);
        return a;
      }
      const minimizer = (-0.5 * slope * a * a) / (trialF - F - slope * a);
      a = Number.isFinite(minimizer) ? Math.min(Math.max(minimizer, 0.1 * a), 0.5 * a) : 0.1 * a;
    }
    return 0;
  }

  /** Takes the trial and remembers the pair: s = a D, ΔA and ΔR. */
  private async accept(a: number, at: Evaluation): Promise<void> {
    const { slab, gpu } = this.device;
    const { K, N, state, current, other } = this;
    const pair = new Float32Array(3 * K);
    pair[this.D] = a;
    pair[K + other + 1] = 4 / N;
    pair[K + current + 1] = -4 / N;
    pair[2 * K + other + 2] = -4 / at.sum;
    pair[2 * K + current + 2] = 4 / state.sum;
    state.newest += 1;
    state.count = Math.min(state.count + 1, MAX_PAIRS);
    const slot = state.newest % MAX_PAIRS;
    gpu.run([slab.combine(3 * slot, pair)]);
    [this.current, this.other] = [other, current];
    this.arrive(at);
    if ((state.index + 1) % EVERY === 0) this.reorder(at.x);
    await this.learn(this.pairsOf(slot));
  }

  // ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Neither the memory's direction nor the plain one decreases F: on to the target λ, or the end. */
  private nothingMoved(n: number): Iteration<EmbeddingDetails> {
    if (n < this.schedule.length) {
      this.state.skipped += this.schedule.length - n;
      return this.report(0, undefined);
    }
    return this.end(
      "stalled",
      "The line search found no decrease that single precision can see, with or without the memory.",
    );
  }

  private scheduleEnded(stepLength: number): Iteration<EmbeddingDetails> {
    return this.end("max-evaluations", `The schedule of ${this.T} evaluations ran to its end.`, stepLength);
  }

  private end(status: Outcome["status"], message: string, stepLength = 0): Iteration<EmbeddingDetails> {
    const last = this.report(stepLength, { status, message });
    this.state.ended = last;
    return last;
  }

  /** E at the target λ. */
  private targetValue(): number {
    return this.state.attractive + this.schedule.target * log(this.state.sum);
  }

  private report(stepLength: number, outcome: Outcome | undefined): Iteration<EmbeddingDetails> {
    const { state, schedule, current, N } = this;
    const [A, F] = [current + 1, current + 2];
    const [toA, toR] = [4 / N, (-4 * schedule.target) / state.sum];
    const square =
      toA * toA * this.product(A, A) + 2 * toA * toR * this.product(A, F) + toR * toR * this.product(F, F);
    state.index += 1;
    const repulsive = log(state.sum);
    return {
      index: state.index,
      value: this.targetValue(),
      gradientNorm: Math.sqrt(Math.max(0, square)),
      stepLength,
      ...jointEvaluations(state.evaluations),
      phase: "iteration",
      details: {
        lambda: state.lambda,
        energy: state.attractive + state.lambda * repulsive,
        klDivergence: this.objective.isDivergence
          ? divergenceOf(this.objective, state.attractive + repulsive)
          : undefined,
      },
      outcome,
    };
  }
}

/** The attraction's rows, times N. */
function uploaded(gpu: Gpu, objective: EmbeddingObjective): SparseRows {
  const N = objective.points;
  const P = toSparse(objective.attractiveWeights());
  const values = Float32Array.from(P.values, (p) => N * p);
  const degrees = new Float32Array(N);
  for (let i = 0; i < N; i++) {
    let sum = 0;
    for (let k = P.rowPointers[i]; k < P.rowPointers[i + 1]; k++) sum += P.values[k];
    degrees[i] = N * sum;
  }
  return {
    rows: N,
    pointers: gpu.upload(Uint32Array.from(P.rowPointers)),
    indices: gpu.upload(Uint32Array.from(P.columnIndices)),
    values: gpu.upload(values),
    degrees: gpu.upload(degrees),
  };
}

/** Kernels and buffers. */
async function resident(
  gpu: Gpu,
  objective: EmbeddingObjective,
  isTiled: boolean,
  rows = uploaded(gpu, objective),
): Promise<Resident> {
  const N = objective.points;
  const x = gpu.buffer(8 * N);
  const [attraction, repulsion, v] = [gpu.buffer(16 * N), gpu.buffer(16 * N), gpu.buffer(16 * N)];
  const slab = await Slab.create(gpu, N, VECTORS);
  const attracts = await attractionJob(gpu, rows, x, attraction);
  const tiled = isTiled ? await tiledRepulsionJobs(gpu, N, x, repulsion) : undefined;
  const repels = tiled?.jobs ?? (await exactRepulsionJobs(gpu, N, x, repulsion));
  const { jobs: solve, z } = await chebyshevJobs(gpu, rows, v);
  return {
    ...{ gpu, slab, x, attraction, repulsion, v, z, solve },
    forces: [attracts, ...repels],
    order: tiled?.order,
  };
}
