/**
 * A stream as a solver: a step takes one batch. Snapshots hold the learner and how many batches it has taken; a restored
 * solver opens the stream anew and passes over as many.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import { type Iteration, jointEvaluations, type Point, type Solver } from "@curvature/optim-core";
import { DeclaredSolver, outcome, part, type Stateful, stateOf, whole } from "@curvature/optim-core/state";
import type { LinearDetails } from "../details.js";
import type { Stream } from "../fit/data.js";

/** What learns from batches. */
export interface BatchLearner<Batch> extends Stateful {
  /** @throws CurvatureError for a bad batch, and has then learned nothing from it */
  learn(batch: Batch): void;
  readonly evaluations: number;
  readonly t0: number | undefined;
  /** Whether it predicts worse than the constant that it began as. */
  readonly isWorse: boolean;
  /** Empty before the first rows. */
  parameters(): Float64Array;
  /** Computes what follows from the state, after that was restored. */
  renew(): void;
}

export class StreamSolver<Batch> extends DeclaredSolver implements Solver<LinearDetails> {
  readonly name = "stream";
  /** Not known before the end, and no part of the identity. */
  readonly dimension = 0;
  readonly fingerprint: string;
  readonly state;
  private readonly open: () => Iterator<Batch> | AsyncIterator<Batch>;
  private readonly learner: BatchLearner<Batch>;
  private readonly maxPasses: number;
  private batches: Iterator<Batch> | AsyncIterator<Batch> | undefined;

  /** @throws CurvatureError ERR_ARGUMENT for what is no stream, ERR_OPTION for several passes over what opens but once */
  constructor(source: Stream<Batch>, learner: BatchLearner<Batch>, maxPasses: number, fingerprint: string) {
    super();
    const isFunction = typeof source === "function";
    if (!isFunction && opened(source) === undefined) throw noStream(source);
    if (maxPasses > 1 && !isFunction && !Array.isArray(source))
      throw new CurvatureError(
        "ERR_OPTION",
        "for more than one pass give a function that opens the stream anew, such as () => readBatches(path).",
        { where: "fitStream", path: "maxPasses", expected: "1", received: maxPasses },
      );
    this.open = () => {
      const iterator: unknown = opened(typeof source === "function" ? source() : source)?.();
      if (!isIterator<Batch>(iterator)) throw noStream(source);
      return iterator;
    };
    this.learner = learner;
    this.maxPasses = maxPasses;
    this.fingerprint = fingerprint;
    this.state = stateOf({
      index: whole(),
      passes: whole(),
      /** Batches of this pass that were taken. */
      taken: whole(),
      outcome: outcome(),
      learner: part(learner),
    });
  }

  get best(): Point {
    return { x: this.learner.parameters(), value: undefined };
  }

  get last(): Point {
    return this.best;
  }

  async step(): Promise<Iteration<LinearDetails>> {
    const { state } = this;
    if (state.outcome !== undefined) return this.iteration("pass");
    this.batches ??= await this.reopened();
    const next = await this.batches.next();
    if (next.done !== true) {
      this.learner.learn(next.value);
      state.taken++;
      state.index++;
      return this.iteration("batch");
    }
    if (state.taken === 0)
      throw new CurvatureError("ERR_ARGUMENT", "the stream has no batch.", {
        where: "fitStream",
        path: "source",
      });
    state.index++;
    state.passes++;
    state.taken = 0;
    this.batches = undefined;
    if (state.passes >= this.maxPasses) {
      const ended = `The stream has ended; ${state.passes === 1 ? "1 pass is" : `${state.passes} passes are`} made.`;
      state.outcome = this.learner.isWorse
        ? {
            status: "stalled",
            message: `${ended} The model predicts worse than the constant that it began as.`,
          }
        : { status: "max-iterations", message: ended };
    }
    return this.iteration("pass");
  }

  /** The stream from where the last snapshot left it. */
  private async reopened(): Promise<Iterator<Batch> | AsyncIterator<Batch>> {
    const batches = this.open();
    const { taken } = this.state;
    for (let k = 0; k < taken; k++) {
      const next = await batches.next();
      if (next.done === true)
        throw new CurvatureError(
          "ERR_CHECKPOINT",
          `The stream has ${k} batches; the checkpoint was written after ${taken} of them. Resume with the same stream.`,
          { path: "source", expected: `at least ${taken} batches`, received: k },
        );
    }
    return batches;
  }

  /** Lets the stream free what it holds. */
  async close(): Promise<void> {
    await this.batches?.return?.();
  }

  private iteration(phase: string): Iteration<LinearDetails> {
    const { evaluations, t0 } = this.learner;
    const { index, passes, outcome } = this.state;
    return {
      index,
      value: undefined,
      gradientNorm: undefined,
      stepLength: undefined,
      ...jointEvaluations(evaluations, passes),
      phase,
      details: { gap: undefined, certificate: undefined, t0 },
      outcome,
    };
  }

  protected override restored(): void {
    this.learner.renew();
    const { state, maxPasses } = this;
    if (state.passes < maxPasses) state.outcome = undefined;
    this.batches = undefined;
  }
}

/** @throws CurvatureError ERR_ARGUMENT unless the batch is an object */
export function checkBatch(batch: unknown, answers: string, where: string): void {
  if (typeof batch === "object" && batch !== null) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `a batch must be an object { rows, ${answers} }; received ${shown(batch)}.`,
    { where, path: "batch", expected: `{ rows, ${answers} }`, received: batch },
  );
}

/** What opens the iterator; undefined for what is no stream. */
function opened<Batch>(
  source: Iterable<Batch> | AsyncIterable<Batch>,
): (() => Iterator<Batch> | AsyncIterator<Batch>) | undefined {
  if (typeof source !== "object" || source === null) return undefined;
  if (Symbol.asyncIterator in source && typeof source[Symbol.asyncIterator] === "function")
    return () => source[Symbol.asyncIterator]();
  if (Symbol.iterator in source && typeof source[Symbol.iterator] === "function")
    return () => source[Symbol.iterator]();
  return undefined;
}

const isIterator = <Batch>(value: unknown): value is Iterator<Batch> | AsyncIterator<Batch> =>
  typeof value === "object" && value !== null && "next" in value && typeof value.next === "function";

const noStream = (source: unknown): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    `fitStream takes an (async) iterable of batches, or a function that returns one; received ${shown(source)}.`,
    { path: "source", received: source },
  );
