/**
 * Training that ends by the error on rows held out: a solver around a solver, which looks at them after every pass, keeps
 * the parameters with the least error, and ends when three passes have brought none less.
 */
import { type LinearProblem, parameterCount, rowAccess } from "@curvature/objectives/linear";
import {
  fingerprintOf,
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import { readIteration, savedIteration } from "../multiclass/saved-iteration.js";

const PATIENCE = 3;
const VERSION = 1;

/** The share of rows that are predicted wrong, or for regression the mean loss. `x` is model after model. */
function validationError(problems: readonly LinearProblem[], x: Float64Array): number {
  const [first] = problems;
  const { rows, bias, loss } = first;
  const { columns, rows: n } = rows;
  const access = rowAccess(rows);
  const length = parameterCount(first);
  const weights = problems.map((_, k) => x.subarray(k * length, (k + 1) * length));
  const score = (i: number, w: Float64Array): number => access.dot(i, w) + (bias === "none" ? 0 : w[columns]);
  let error = 0;
  for (let i = 0; i < n; i++) {
    if (loss.task === "regression") error += loss.value(score(i, weights[0]), first.targets[i]);
    else if (weights.length === 1) error += score(i, weights[0]) > 0 === first.targets[i] > 0 ? 0 : 1;
    else {
      let [best, most] = [0, Number.NEGATIVE_INFINITY];
      for (let k = 0; k < weights.length; k++) {
        const s = score(i, weights[k]);
        if (s > most) [best, most] = [k, s];
      }
      error += problems[best].targets[i] > 0 ? 0 : 1;
    }
  }
  return error / n;
}

export class ValidatedSolver implements Solver<LinearDetails> {
  readonly name: string;
  readonly dimension: number;
  private readonly inner: Solver<LinearDetails>;
  private readonly heldOut: readonly LinearProblem[];
  private bestX: Float64Array;
  private bestValue: number | undefined;
  private bestError = Number.POSITIVE_INFINITY;
  private checkedPasses = 0;
  private checks = 0;
  /** Index of the last iteration, as far as it is known. */
  private lookedAt = 0;
  private notBetter = 0;
  /** The last iteration, once it has an outcome. */
  private ended: Iteration<LinearDetails> | undefined;

  /** @param inner - on other rows than `heldOut` */
  constructor(inner: Solver<LinearDetails>, heldOut: readonly LinearProblem[]) {
    this.inner = inner;
    this.heldOut = heldOut;
    this.name = inner.name;
    this.dimension = inner.dimension;
    this.bestX = inner.best.x.slice();
  }

  get fingerprint(): string {
    return fingerprintOf(this.inner.fingerprint, "validated", this.heldOut[0].rows.rows);
  }

  get options(): object {
    return this.inner.options ?? {};
  }

  get best(): Point {
    return this.checks === 0 ? this.inner.best : { x: this.bestX, value: this.bestValue };
  }

  get last(): Point {
    return this.inner.last;
  }

  async step(): Promise<Iteration<LinearDetails>> {
    if (this.ended !== undefined) return this.ended;
    const made = await this.inner.step();
    const { passes, outcome } = made;
    const isNew = made.index !== this.lookedAt; // one that had ended makes no step
    this.lookedAt = made.index;
    if (isNew && (passes >= this.checkedPasses + 1 || outcome !== undefined)) this.check(made);
    const iteration = {
      ...made,
      monitoringEvaluations: made.monitoringEvaluations + this.checks * this.heldOut[0].rows.rows,
      outcome: outcome ?? this.ending(),
    };
    if (iteration.outcome !== undefined) this.ended = iteration;
    return iteration;
  }

  private check({ passes, value }: Iteration<LinearDetails>): void {
    const { x } = this.inner.last;
    const error = validationError(this.heldOut, x);
    this.checkedPasses = passes;
    this.checks++;
    if (error < this.bestError) {
      this.bestX = x.slice();
      this.bestValue = value;
      this.bestError = error;
      this.notBetter = 0;
    } else this.notBetter++;
  }

  private ending(): Outcome | undefined {
    if (this.notBetter < PATIENCE) return undefined;
    const error = Number(this.bestError.toPrecision(4));
    return {
      status: "converged",
      message: `The error on the held-out rows, ${error} at best, has not fallen for ${PATIENCE} passes.`,
    };
  }

  save(): Snapshot {
    const { bestX, bestValue, bestError, checkedPasses, checks, notBetter, ended } = this;
    const { solver, version, state } = this.inner.save();
    return {
      solver: this.name,
      version: VERSION,
      state: {
        inner: { solver, version, state },
        bestX: bestX.slice(),
        bestValue: bestValue ?? null,
        bestError,
        checkedPasses,
        checks,
        notBetter,
        ended: ended === undefined ? null : savedIteration(ended),
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const bestX = state.float64("bestX", this.dimension);
    const bestValue = state.optionalNumber("bestValue");
    const [bestError, checkedPasses] = [state.number("bestError"), state.number("checkedPasses")];
    const [checks, notBetter] = [state.integer("checks"), state.integer("notBetter")];
    const ended = state.has("ended") ? readIteration(this.name, endedIn(snapshot)) : undefined;
    this.inner.restore(innerOf(snapshot));
    this.bestX = bestX.slice();
    this.bestValue = bestValue;
    [this.bestError, this.checkedPasses] = [bestError, checkedPasses];
    [this.checks, this.notBetter] = [checks, notBetter];
    // A limit of passes or the tolerance may be another now: the inner solver says so, if the end was its own.
    const status = ended?.outcome?.status;
    const isAsked = status === "max-evaluations" || (status === "converged" && notBetter < PATIENCE);
    this.ended = isAsked ? undefined : ended;
    this.lookedAt = ended?.index ?? 0;
  }
}

/** The wrapped solver's snapshot, which that solver checks. */
function innerOf({ state }: Snapshot): Snapshot {
  const inner: unknown = typeof state === "object" && state !== null && "inner" in state ? state.inner : {};
  return isSnapshot(inner) ? inner : { solver: "", version: 0, state: null };
}

const endedIn = ({ state }: Snapshot): unknown =>
  typeof state === "object" && state !== null && "ended" in state ? state.ended : undefined;

function isSnapshot(value: unknown): value is Snapshot {
  return typeof value === "object" && value !== null && "solver" in value && "state" in value;
}
