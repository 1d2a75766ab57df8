/**
 * A solver on a function of the caller's: it counts the calls of that function and keeps to their limit, and makes a step again
 * for which an answer was waited.
 */
import type { Iteration, Outcome, Point, Snapshot, Solver, SynchronousSolver } from "../solver.js";
import { DeclaredSolver, inner, part, stateOf, whole } from "../state.js";
import { type AskedObjective, Waiting } from "./asked-objective.js";
import type { Parameters } from "./parameters.js";

export class MinimizeSolver<P extends Parameters, Details> extends DeclaredSolver implements Solver<Details> {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: object;
  readonly state;

  constructor(
    private readonly solver: SynchronousSolver<Details>,
    private readonly asked: AskedObjective<P>,
  ) {
    super();
    const { name, dimension, fingerprint, options } = solver;
    this.name = name;
    this.dimension = dimension;
    this.fingerprint = fingerprint;
    this.options = options ?? {};
    this.state = stateOf({
      solver: inner(solver),
      asked: part(asked),
      /** The solver's own count. */
      evaluations: whole(),
    });
  }

  get best(): Point {
    return this.solver.best;
  }

  get last(): Point {
    return this.solver.last;
  }

  limitWork(evaluations: number): void {
    this.asked.limit = evaluations;
  }

  step(): Iteration<Details> | Promise<Iteration<Details>> {
    const { asked, solver, state } = this;
    const isFirst = state.evaluations === 0; // its answer is there already
    const most = state.evaluations + Math.max(asked.beginStep(), isFirst ? 1 : 0);
    solver.limitWork?.(most, Number.POSITIVE_INFINITY);
    const before = asked.hasWaited ? solver.save() : undefined;
    try {
      return this.counted(solver.step());
    } catch (error) {
      if (before !== undefined) solver.restore(before);
      if (!(error instanceof Waiting)) throw error;
      return this.stepOnce(error.answer, before ?? solver.save());
    }
  }

  /** The same step once the answer is there, from the same state. */
  private async stepOnce(answer: Promise<void>, before: Snapshot): Promise<Iteration<Details>> {
    const { asked, solver } = this;
    for (let awaited = answer; ; ) {
      await awaited;
      asked.beginAgain();
      try {
        return this.counted(solver.step());
      } catch (error) {
        solver.restore(before);
        if (!(error instanceof Waiting)) throw error;
        awaited = error.answer;
      }
    }
  }

  private counted(iteration: Iteration<Details>): Iteration<Details> {
    const { asked, state } = this;
    state.evaluations = iteration.evaluations;
    const { evaluations, gradientEvaluations, limit, cost } = asked;
    const isSpent = iteration.outcome === undefined && evaluations < limit && evaluations + cost > limit;
    return {
      ...iteration,
      evaluations,
      gradientEvaluations,
      passes: evaluations,
      outcome: isSpent ? spent(evaluations, limit, cost) : iteration.outcome,
    };
  }
}

/** What is left would not do for one gradient more. */
const spent = (value: number, limit: number, cost: number): Outcome => ({
  status: "max-evaluations",
  message: `${value} evaluations are made; a value with its gradient takes ${cost}, and ${limit} were allowed.`,
  test: { name: "evaluations", value, limit },
});
