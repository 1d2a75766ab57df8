/**
 * The classic solvers of optim-core as solvers of embeddings: the same steps, with the details of this package.
 */
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import {
  CurvatureError,
  type DescentDetails,
  type Iteration,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import { divergenceOf } from "./divergence.js";
import type { EmbeddingDetails, ImmediateSolver } from "./immediate-solver.js";

interface Descent extends Solver<DescentDetails> {
  step(): Iteration<DescentDetails>;
}

export class ClassicSolver implements ImmediateSolver {
  readonly dimension: number;
  readonly fingerprint: string;

  /** @param name - in options, reports and snapshots */
  constructor(
    readonly name: string,
    private readonly objective: EmbeddingObjective,
    private readonly descent: Descent,
  ) {
    this.dimension = descent.dimension;
    this.fingerprint = descent.fingerprint;
  }

  get options(): object {
    return this.descent.options ?? {};
  }

  get best(): Point {
    return this.descent.best;
  }

  get last(): Point {
    return this.descent.last;
  }

  limitWork(evaluations: number, passes: number): void {
    this.descent.limitWork?.(evaluations, passes);
  }

  step(): Iteration<EmbeddingDetails> {
    const iteration = this.descent.step();
    const { lambda, isDivergence } = this.objective;
    const E = iteration.value ?? Number.NaN;
    return {
      ...iteration,
      details: {
        lambda,
        energy: E,
        klDivergence: isDivergence && lambda === 1 ? divergenceOf(this.objective, E) : undefined,
      },
    };
  }

  save(): Snapshot {
    return { ...this.descent.save(), solver: this.name };
  }

  restore(snapshot: Snapshot): void {
    if (snapshot.solver !== this.name)
      throw new CurvatureError(
        "ERR_SNAPSHOT",
        `The snapshot was written by the solver "${snapshot.solver}", not by "${this.name}". Restore it with that one.`,
        { path: "solver", expected: this.name, received: snapshot.solver },
      );
    this.descent.restore({ ...snapshot, solver: this.descent.name });
  }
}
