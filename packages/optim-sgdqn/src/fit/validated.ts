/**
 * Training that ends by the error on rows held out: a solver around a solver, which looks at them after every pass, keeps
 * the parameters with the least error, and ends when three passes have brought none less.
 */
import { type LinearProblem, parameterCount, rowAccess } from "@curvature/objectives/linear";
import { fingerprintOf, type Iteration, type Outcome, type Point, type Solver } from "@curvature/optim-core";
import { DeclaredSolver, float64, inner, maybe, number, stateOf, whole } from "@curvature/optim-core/state";
import { endedIteration, type LinearDetails } from "../details.js";

const PATIENCE = 3;

/** The share of rows that are predicted wrong, or for regression the mean loss, by importances. `x` is model after model. */
function validationError(problems: readonly LinearProblem[], x: Float64Array): number {
  const [first] = problems;
  const { rows, bias, loss, importances } = first;
  const { columns, rows: n } = rows;
  const access = rowAccess(rows);
  const length = parameterCount(first);
  const weights = problems.map((_, k) => x.subarray(k * length, (k + 1) * length));
  const score = (i: number, w: Float64Array): number => access.dot(i, w) + (bias === "none" ? 0 : w[columns]);
  let error = 0;
  let total = 0;
  for (let i = 0; i < n; i++) {
    const c = importances === undefined ? 1 : importances[i];
    total += c;
    if (loss.task === "regression") error += c * loss.value(score(i, weights[0]), first.targets[i]);
    else if (weights.length === 1) error += score(i, weights[0]) > 0 === first.targets[i] > 0 ? 0 : c;
    else {
      let [best, most] = [0, Number.NEGATIVE_INFINITY];
      for (let k = 0; k < weights.length; k++) {
        const s = score(i, weights[k]);
        if (s > most) [best, most] = [k, s];
      }
      error += problems[best].targets[i] > 0 ? 0 : c;
    }
  }
  return total > 0 ? error / total : 0;
}

export class ValidatedSolver extends DeclaredSolver implements Solver<LinearDetails> {
  readonly name: string;
  readonly dimension: number;
  readonly state;
  private readonly inner: Solver<LinearDetails>;
  private readonly heldOut: readonly LinearProblem[];
  /** Index of the last iteration, as far as it is known. */
  private lookedAt = 0;

  /** @param solver - on other rows than `heldOut` */
  constructor(solver: Solver<LinearDetails>, heldOut: readonly LinearProblem[]) {
    super();
    this.inner = solver;
    this.heldOut = heldOut;
    this.name = solver.name;
    this.dimension = solver.dimension;
    this.state = stateOf({
      inner: inner(solver),
      bestX: float64(solver.best.x.slice()),
      bestValue: maybe(number()),
      bestError: number(Number.POSITIVE_INFINITY),
      checkedPasses: number(0),
      checks: whole(),
      notBetter: whole(),
      /** The last iteration, once it has an outcome. */
      ended: endedIteration(),
    });
  }

  get fingerprint(): string {
    return fingerprintOf(this.inner.fingerprint, "validated", this.heldOut[0].rows.rows);
  }

  get options(): object {
    return this.inner.options ?? {};
  }

  get best(): Point {
    const { checks, bestX, bestValue } = this.state;
    return checks === 0 ? this.inner.best : { x: bestX, value: bestValue };
  }

  get last(): Point {
    return this.inner.last;
  }

  async step(): Promise<Iteration<LinearDetails>> {
    const { state } = this;
    if (state.ended !== undefined) return state.ended;
    const made = await this.inner.step();
    const { passes, outcome } = made;
    const isNew = made.index !== this.lookedAt; // one that had ended makes no step
    this.lookedAt = made.index;
    if (isNew && (passes >= state.checkedPasses + 1 || outcome !== undefined)) this.check(made);
    const looked = {
      ...made,
      monitoringEvaluations: made.monitoringEvaluations + state.checks * this.heldOut[0].rows.rows,
      outcome: outcome ?? this.ending(),
    };
    if (looked.outcome !== undefined) state.ended = looked;
    return looked;
  }

  private check({ passes, value }: Iteration<LinearDetails>): void {
    const { state } = this;
    const { x } = this.inner.last;
    const error = validationError(this.heldOut, x);
    state.checkedPasses = passes;
    state.checks++;
    if (error < state.bestError) {
      state.bestX = x.slice();
      state.bestValue = value;
      state.bestError = error;
      state.notBetter = 0;
    } else state.notBetter++;
  }

  private ending(): Outcome | undefined {
    if (this.state.notBetter < PATIENCE) return undefined;
    const error = Number(this.state.bestError.toPrecision(4));
    return {
      status: "stalled",
      message: `The error on the held-out rows, ${error} at best, has not fallen for ${PATIENCE} passes.`,
    };
  }

  protected override restored(): void {
    const { state } = this;
    const { ended, notBetter } = state;
    this.lookedAt = ended?.index ?? 0;
    // A limit of passes or the tolerance may be another now: the inner solver says so, if the end was its own.
    const status = ended?.outcome?.status;
    if (status === "max-iterations" || (status === "converged" && notBetter < PATIENCE))
      state.ended = undefined;
  }
}
