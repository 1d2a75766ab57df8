/**
 * Descent over Gram matrices as a solver over maps: what it has found is read out in p coordinates, once for every
 * iteration that is looked at. Iterations carry F of the Gram matrix, which its map of few dimensions may not reach;
 * the best point carries F of the map.
 */
import type { OrdinalObjective } from "@curvature/objectives/ordinal";
import type { Iteration, Point, Snapshot, Solver } from "@curvature/optim-core";
import { GramDescent } from "./gram-descent.js";

export class GramMap implements Solver {
  readonly name = "gram";
  readonly dimension: number;
  readonly fingerprint: string;
  private readonly descent: GramDescent;
  private found: Point | undefined;

  constructor(
    private readonly objective: OrdinalObjective,
    X: Float64Array,
  ) {
    this.descent = new GramDescent(objective, X);
    this.dimension = objective.dimension;
    this.fingerprint = this.descent.fingerprint;
  }

  get best(): Point {
    if (this.found !== undefined) return this.found;
    const x = this.descent.coordinates();
    this.found = { x, value: this.objective.evaluate(x) };
    return this.found;
  }

  get last(): Point {
    return this.best;
  }

  step(): Iteration {
    this.found = undefined;
    return this.descent.step();
  }

  limitWork(evaluations: number, passes: number): void {
    this.descent.limitWork(evaluations, passes);
  }

  save(): Snapshot {
    return this.descent.save();
  }

  restore(snapshot: Snapshot): void {
    this.descent.restore(snapshot);
    this.found = undefined;
  }
}
