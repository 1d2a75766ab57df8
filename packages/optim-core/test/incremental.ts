/** Incremental gradient descent as a solver that asks and tells: `perStep` subfunctions make one iteration. */
import type { AskTellSolver, Iteration, Point, Question, SumOfFunctions } from "@curvature/optim-core";
import { DeclaredSolver, float64, maybe, number, stateOf, whole } from "@curvature/optim-core/state";

export class Incremental extends DeclaredSolver implements AskTellSolver<{ readonly told: string }> {
  readonly name = "incremental";
  readonly dimension: number;
  readonly fingerprint = "sum";
  readonly options: { readonly perStep: number };
  /** At the end of an iteration nothing is told yet, so this is all. */
  readonly state;
  private readonly sumOfGradients: Float64Array;
  private nextQuestion = 0;
  private told: number[] = [];
  private out = new Map<number, number>();
  private value = 0;

  constructor(
    private readonly count: number,
    start: Float64Array,
    private readonly perStep: number,
  ) {
    super();
    this.dimension = start.length;
    this.options = { perStep };
    this.sumOfGradients = new Float64Array(start.length);
    this.state = stateOf({
      index: whole(),
      evaluations: whole(),
      x: float64(start.slice()),
      bestX: float64(start.slice()),
      bestValue: maybe(number()),
    });
  }

  get best(): Point {
    return { x: this.state.bestX, value: this.state.bestValue };
  }

  get last(): Point {
    return { x: this.state.x, value: undefined };
  }

  ask(limit = Number.POSITIVE_INFINITY): readonly Question[] {
    const questions: Question[] = [];
    while (questions.length < limit && this.nextQuestion < this.perStep) {
      const ticket = 1000 * this.state.index + this.nextQuestion++;
      const index = (this.state.index * this.perStep + this.nextQuestion - 1) % this.count;
      this.out.set(ticket, index);
      questions.push({ index, point: this.state.x, ticket });
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
    this.state.evaluations++;
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
      value < (this.state.bestValue ?? Number.POSITIVE_INFINITY)
    ) {
      this.state.bestX.set(this.state.x);
      this.state.bestValue = value;
    }
    if (Number.isFinite(this.value))
      for (let i = 0; i < this.state.x.length; i++) this.state.x[i] -= 0.02 * this.sumOfGradients[i];
    this.sumOfGradients.fill(0);
    this.value = 0;
    this.told = [];
    this.nextQuestion = 0;
    this.state.index++;
    return {
      index: this.state.index,
      value,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: this.state.evaluations,
      gradientEvaluations: this.state.evaluations,
      monitoringEvaluations: 0,
      passes: this.state.evaluations / this.count,
      phase: "iteration",
      details: { told },
      outcome: undefined,
    };
  }

  protected override restored(): void {
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
