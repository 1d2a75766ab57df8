/** Incremental gradient descent as a solver that asks and tells: `perStep` subfunctions make one iteration. */
import {
  type AskTellSolver,
  type Iteration,
  openSnapshot,
  type Point,
  type Question,
  type Snapshot,
  type SumOfFunctions,
} from "@curvature/optim-core";

export class Incremental implements AskTellSolver<{ readonly told: string }> {
  readonly name = "incremental";
  readonly dimension: number;
  readonly fingerprint = "sum";
  readonly options: { readonly perStep: number };
  private readonly x: Float64Array;
  private readonly sumOfGradients: Float64Array;
  private index = 0;
  private evaluations = 0;
  private nextQuestion = 0;
  private told: number[] = [];
  private out = new Map<number, number>();
  private value = 0;
  private readonly bestPoint: { x: Float64Array; value: number | undefined };

  constructor(
    private readonly count: number,
    start: Float64Array,
    private readonly perStep: number,
  ) {
    this.dimension = start.length;
    this.options = { perStep };
    this.x = start.slice();
    this.sumOfGradients = new Float64Array(start.length);
    this.bestPoint = { x: start.slice(), value: undefined };
  }

  get best(): Point {
    return this.bestPoint;
  }

  get last(): Point {
    return { x: this.x, value: undefined };
  }

  ask(limit = Number.POSITIVE_INFINITY): readonly Question[] {
    const questions: Question[] = [];
    while (questions.length < limit && this.nextQuestion < this.perStep) {
      const ticket = 1000 * this.index + this.nextQuestion++;
      const index = (this.index * this.perStep + this.nextQuestion - 1) % this.count;
      this.out.set(ticket, index);
      questions.push({ index, point: this.x, ticket });
    }
    return questions;
  }

  tell(
    ticket: number,
    value: number,
    gradient: Float64Array,
  ): Iteration<{ readonly told: string }> | undefined {
    const index = this.out.get(ticket);
    if (index === undefined) throw new Error(`nobody asked ${ticket}`);
    this.out.delete(ticket);
    this.told.push(index);
    this.evaluations++;
    this.value += value;
    for (let i = 0; i < gradient.length; i++) this.sumOfGradients[i] += gradient[i];
    return this.told.length === this.perStep ? this.complete() : undefined;
  }

  private complete(): Iteration<{ readonly told: string }> {
    const told = this.told.join();
    const value = this.perStep === this.count ? this.value : undefined;
    if (
      value !== undefined &&
      Number.isFinite(value) &&
      value < (this.bestPoint.value ?? Number.POSITIVE_INFINITY)
    ) {
      this.bestPoint.x.set(this.x);
      this.bestPoint.value = value;
    }
    if (Number.isFinite(this.value))
      for (let i = 0; i < this.x.length; i++) this.x[i] -= 0.02 * this.sumOfGradients[i];
    this.sumOfGradients.fill(0);
    this.value = 0;
    this.told = [];
    this.nextQuestion = 0;
    this.index++;
    return {
      index: this.index,
      value,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: this.evaluations,
      gradientEvaluations: this.evaluations,
      monitoringEvaluations: 0,
      passes: this.evaluations / this.count,
      phase: "iteration",
      details: { told },
      outcome: undefined,
    };
  }

  /** At the end of an iteration nothing is told yet, so this is all. */
  save(): Snapshot {
    const { index, evaluations, x, bestPoint } = this;
    const best = { x: bestPoint.x.slice(), value: bestPoint.value ?? null };
    return { solver: this.name, version: 1, state: { index, evaluations, x: x.slice(), best } };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, 1);
    const [index, evaluations] = [state.integer("index"), state.integer("evaluations")];
    const x = state.float64("x", this.dimension);
    const best = state.object("best");
    const [bestX, bestValue] = [best.float64("x", this.dimension), best.optionalNumber("value")];
    this.index = index;
    this.evaluations = evaluations;
    this.x.set(x);
    this.bestPoint.x.set(bestX);
    this.bestPoint.value = bestValue;
    this.told = [];
    this.out.clear();
    this.nextQuestion = 0;
    this.value = 0;
    this.sumOfGradients.fill(0);
  }
}

/** Σ ½ (xᵢ − i)² over i: each subfunction touches one coordinate; the whole is quadratic(n, 1). */
export function separable(count: number): SumOfFunctions {
  return {
    dimension: count,
    count,
    evaluate(index, x, gradient) {
      const d = x[index] - index;
      if (gradient !== undefined) gradient.fill(0)[index] = d;
      return 0.5 * d * d;
    },
  };
}
