/** Newton's method for linear models with a smooth loss, as a solver: see `newton-iteration.ts` for the method. */
import { fingerprintOfLinear, type LinearProblem, parameterCount } from "@curvature/objectives/linear";
import {
  checkPoint,
  type Iteration,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import type { LinearDetails } from "../../details.js";
import { NewtonIteration } from "./newton-iteration.js";
import { checkNewton, type NewtonOptions, type NewtonSettings } from "./options.js";

const WHERE = "Newton";
const VERSION = 3;

export class Newton implements Solver<LinearDetails> {
  readonly name = "newton";
  readonly dimension: number;
  readonly options: NewtonSettings;
  private readonly problem: LinearProblem;
  private readonly iteration: NewtonIteration;
  private hash: string | undefined;

  /**
   * @param problem - with any loss but the hinge, whose curvature is 0
   * @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option or the hinge; ERR_SHAPE or ERR_NON_FINITE
   *   for `initial`
   */
  constructor(problem: LinearProblem, options?: NewtonOptions) {
    const { initial, shared, ...settings } = checkNewton(WHERE, problem, options);
    this.options = Object.freeze(settings);
    this.problem = problem;
    this.dimension = parameterCount(problem);
    this.iteration = new NewtonIteration(problem, this.options, shared);
    if (initial === undefined) return;
    checkPoint(WHERE, initial, this.dimension);
    this.iteration.line.w.set(initial);
  }

  /** Costs a read of all rows the first time. */
  get fingerprint(): string {
    this.hash ??= fingerprintOfLinear(this.problem);
    return this.hash;
  }

  /** P falls in every iteration: the current point is the best one. */
  get best(): Point {
    const { line, progress } = this.iteration;
    return { x: line.w, value: progress.value };
  }

  get last(): Point {
    return this.best;
  }

  step(): Iteration<LinearDetails> {
    const { iteration } = this;
    const { progress } = iteration;
    let phase = "iteration";
    if (progress.outcome === undefined) {
      progress.index++;
      phase = iteration.advance();
    }
    return progress.told(phase, phase === "iteration" ? iteration.stepLength : undefined, iteration.passes);
  }

  save(): Snapshot {
    return { solver: this.name, version: VERSION, state: this.iteration.save() };
  }

  restore(snapshot: Snapshot): void {
    this.iteration.restore(openSnapshot(snapshot, this.name, VERSION));
  }
}
