/**
 * One run from each of several points, one after the other: the lowest end is the best point, and the ends are kept.
 */
import {
  type Iteration,
  jointEvaluations,
  type Outcome,
  type Point,
  type SynchronousSolver,
} from "../solver.js";
import { DeclaredSolver, float64, inner, list, number, outcome, record, stateOf, whole } from "../state.js";

/** Where a run from one of the points has ended. */
export interface End {
  readonly x: Float64Array;
  readonly value: number;
  readonly outcome: Outcome | undefined;
}

export class ManyStarts<Details> extends DeclaredSolver implements SynchronousSolver<Details> {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: object;
  readonly state;
  private limit = Number.POSITIVE_INFINITY;

  /**
   * @param starts - the first points
   * @param make - the solver from one of them
   * @param judged - what is to be said of how it has ended
   */
  constructor(
    private readonly starts: readonly Float64Array[],
    private readonly make: (x: Float64Array) => SynchronousSolver<Details>,
    private readonly judged: (outcome: Outcome) => Outcome,
  ) {
    super();
    const solver = make(starts[0]);
    const { name, dimension, fingerprint, options } = solver;
    this.name = name;
    this.dimension = dimension;
    this.fingerprint = fingerprint;
    this.options = { ...options };
    this.state = stateOf({
      solver: inner(solver),
      ends: list(record({ x: float64(new Float64Array(dimension)), value: number(), outcome: outcome() })),
      /** Of the runs that have ended. */
      iterations: whole(),
      evaluations: whole(),
      outcome: outcome(),
    });
  }

  /** Where the runs have ended so far. */
  get ends(): readonly End[] {
    return this.state.ends;
  }

  get best(): Point {
    const now = this.state.solver.best;
    const lowest = lowestOf(this.state.ends);
    return lowest !== undefined && !((now.value ?? Number.NaN) <= lowest.value) ? lowest : now;
  }

  get last(): Point {
    return this.state.solver.last;
  }

  limitWork(evaluations: number): void {
    this.limit = evaluations;
    this.state.solver.limitWork?.(evaluations - this.state.evaluations, Number.POSITIVE_INFINITY);
  }

  step(): Iteration<Details> {
    const { state, starts } = this;
    const iteration = state.solver.step();
    const { x, value = Number.NaN } = state.solver.best;
    const index = state.iterations + iteration.index;
    const evaluations = state.evaluations + iteration.evaluations;
    if (iteration.outcome !== undefined && state.outcome === undefined) {
      const ended = this.judged(iteration.outcome);
      state.ends = [...state.ends, { x: x.slice(), value, outcome: ended }];
      if (state.ends.length === starts.length) {
        state.outcome = lowestOf(state.ends)?.outcome ?? ended;
      } else {
        state.solver = this.make(starts[state.ends.length]);
        state.iterations = index;
        state.evaluations = evaluations;
        this.limitWork(this.limit);
      }
    }
    return { ...iteration, ...jointEvaluations(evaluations), index, outcome: state.outcome };
  }
}

const lowestOf = (ends: readonly End[]): End | undefined =>
  ends.reduce<End | undefined>(
    (lowest, end) =>
      !Number.isNaN(end.value) && !(end.value >= (lowest?.value ?? Number.NaN)) ? end : lowest,
    undefined,
  );
