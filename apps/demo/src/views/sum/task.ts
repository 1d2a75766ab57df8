/** One solver's race over a sum, in a worker: by the façade or `run`, reported at the pace of the display. */
import {
  createSumSolver,
  type Iteration,
  maxPasses as passLimit,
  type RunContext,
  type RunResult,
  run,
} from "@curvature/optim-core";
import { minimizeSum } from "@curvature/optim-sfo";
import type { Channel, Task } from "../../worker/protocol.js";
import { modelsIn, type Quadratic } from "./models.js";
import { wholeValue } from "./planar.js";
import { type Problem, problemOf } from "./problem.js";
import type { ProblemRequest } from "./problem-request.js";

export interface SumJob {
  readonly problem: ProblemRequest;
  /** "sfo", or a word of `createSumSolver`. */
  readonly solver: string;
  readonly maxPasses: number;
  readonly seed: number;
}

/** F after a pass. */
export interface CurvePoint {
  readonly passes: number;
  readonly value: number;
}

/** Where a solver was in the plane. */
export interface Place {
  readonly passes: number;
  readonly x: number;
  readonly y: number;
}

/** SFO's models then. */
export interface ModelsAt {
  readonly passes: number;
  readonly models: readonly Quadratic[];
}

export interface SumProgress {
  /** Those since the last progress; places and models only for sums of two variables. */
  readonly curve: readonly CurvePoint[];
  readonly path: readonly Place[];
  readonly models: readonly ModelsAt[];
  readonly passes: number;
  /** The best point at which F was measured. */
  readonly best: Best;
}

export interface Best {
  readonly x: Float64Array;
  readonly value: number;
}

export interface SumAnswer {
  readonly best: Best;
  readonly passes: number;
  readonly status: RunResult["status"];
}

/** Of a longer run only every second place is kept, or every third …: there is more of it than one can see. */
const mostPlaces = 4000;

export const sumTask: Task<SumJob, SumProgress, SumAnswer> = {
  async run(job, channel) {
    channel.phase("making the problem");
    const problem = await problemOf(job.problem);
    channel.phase("the first point");
    const record = new RaceRecord(problem, job.maxPasses, channel);
    channel.phase("minimising");
    const result = await (job.solver === "sfo" ? bySfo : byOther)(job, problem, record, channel);
    const { status, passes } = result;
    record.settle(result);
    record.flush();
    return { content: { best: record.best, passes, status }, transfer: [] };
  },
};

async function bySfo(
  { maxPasses, seed }: SumJob,
  problem: Problem,
  record: RaceRecord,
  channel: Channel<SumProgress>,
): Promise<RunResult> {
  const isDrawn = problem.dimension === 2;
  const result = await minimizeSum(problem, {
    seed,
    maxPasses,
    measureEvery: 1,
    signal: channel.signal,
    onIteration: (iteration, context) => record.take(iteration, context),
    // A checkpoint holds all models.
    checkpoint: isDrawn ? { write: (bytes) => record.keepModels(bytes), everyIterations: 1 } : undefined,
  });
  for (const { message } of result.warnings) channel.warning(message);
  return result;
}

async function byOther(
  { solver, maxPasses, seed }: SumJob,
  problem: Problem,
  record: RaceRecord,
  channel: Channel<SumProgress>,
): Promise<RunResult> {
  return run(createSumSolver(solver, problem, problem.initial, { seed }), {
    stop: passLimit(maxPasses),
    signal: channel.signal,
    onIteration: (iteration, context) => {
      const { value } = iteration;
      const isDue = record.isPassOver(iteration);
      // Solvers that do not know F are looked at after every pass.
      if (value !== undefined || !isDue) return record.take(iteration, context);
      return record.take({ ...iteration, value: record.measure(context.last.x) }, context);
    },
  });
}

/** What is known of a run, and what the page has not yet asked for. */
class RaceRecord {
  best: Best;
  private curve: CurvePoint[];
  private path: Place[] = [];
  private models: ModelsAt[] = [];
  private readonly stride: number;
  private iterations = 0;
  private passes = 0;
  private passesSeen = 0;

  constructor(
    private readonly problem: Problem,
    passes: number,
    private readonly channel: Channel<SumProgress>,
  ) {
    const { initial, count } = problem;
    this.stride = Math.max(1, Math.ceil((count * passes) / mostPlaces));
    this.best = { x: initial.slice(), value: wholeValue(problem, initial) };
    this.curve = [{ passes: 0, value: this.best.value }];
    this.visit(initial);
  }

  isPassOver({ passes, outcome }: Iteration): boolean {
    const passed = Math.floor(passes + 1e-9);
    const isOver = passed > this.passesSeen || outcome !== undefined;
    this.passesSeen = passed;
    return isOver;
  }

  /** F at a point, which is kept if it is the best. */
  measure(x: Float64Array): number {
    const value = wholeValue(this.problem, x);
    this.offer(x, value);
    return value;
  }

  private offer(x: Float64Array, value: number): void {
    if (value <= this.best.value) this.best = { x: x.slice(), value };
  }

  take({ passes, value }: Iteration<unknown>, { last, best }: RunContext): void {
    this.passes = passes;
    if (value !== undefined && Number.isFinite(value)) this.curve.push({ passes, value });
    if (best.value !== undefined) this.offer(best.x, best.value);
    if (this.iterations++ % this.stride === 0) this.visit(last.x);
    if (this.channel.isWanted) this.flush();
  }

  private visit(x: Float64Array): void {
    if (this.problem.dimension !== 2 || !x.every(Number.isFinite)) return;
    this.path.push({ passes: this.passes, x: x[0], y: x[1] });
  }

  keepModels(checkpoint: Uint8Array): void {
    if (this.iterations % this.stride === 0)
      this.models.push({ passes: this.passes, models: modelsIn(checkpoint) });
  }

  /** SFO measures its last points when it has ended. */
  settle({ x, value, last }: RunResult): void {
    if (value !== undefined) this.offer(x, value);
    this.visit(last);
  }

  flush(): void {
    const { curve, path, models, passes, best } = this;
    this.channel.progress({ content: { curve, path, models, passes, best }, transfer: [] });
    this.curve = [];
    this.path = [];
    this.models = [];
  }
}
