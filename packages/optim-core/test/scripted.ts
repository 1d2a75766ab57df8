/** A solver that plays a script, for tests of what drives it. */
import type { Iteration, Point, Solver } from "@curvature/optim-core";
import { DeclaredSolver, float64, maybe, number, stateOf, whole } from "@curvature/optim-core/state";

export interface Scene {
  readonly value?: number | undefined;
  readonly gradientNorm?: number;
  readonly x?: readonly number[];
  readonly evaluations?: number;
  readonly passes?: number;
  readonly outcome?: Iteration["outcome"];
  readonly error?: Error;
}

export class Scripted extends DeclaredSolver implements Solver<{ readonly scene: number }> {
  readonly name = "scripted";
  readonly dimension = 2;
  readonly fingerprint: string;
  readonly options = { script: "played" };
  readonly state = stateOf({
    index: whole(),
    x: float64(Float64Array.of(3, 4)),
    value: maybe(number()),
    bestValue: maybe(number()),
    bestX: float64(Float64Array.of(3, 4)),
  });

  constructor(
    private readonly scenes: readonly Scene[],
    private readonly isAsync = false,
    fingerprint = "the same problem",
  ) {
    super();
    this.fingerprint = fingerprint;
  }

  get best(): Point {
    return { x: this.state.bestX, value: this.state.bestValue };
  }

  get last(): Point {
    return { x: this.state.x, value: this.state.value };
  }

  step(): Iteration<{ readonly scene: number }> | Promise<Iteration<{ readonly scene: number }>> {
    return this.isAsync ? Promise.resolve().then(() => this.play()) : this.play();
  }

  private play(): Iteration<{ readonly scene: number }> {
    const scene = this.scenes[Math.min(this.state.index, this.scenes.length - 1)];
    if (scene.error !== undefined) throw scene.error;
    this.state.index++;
    if (scene.x !== undefined) this.state.x = Float64Array.from(scene.x);
    this.state.value = scene.value;
    if (scene.value !== undefined && !(scene.value >= (this.state.bestValue ?? Number.POSITIVE_INFINITY))) {
      this.state.bestValue = scene.value;
      this.state.bestX = this.state.x.slice();
    }
    return {
      index: this.state.index,
      value: scene.value,
      gradientNorm: scene.gradientNorm,
      stepLength: undefined,
      evaluations: scene.evaluations ?? this.state.index,
      gradientEvaluations: 0,
      monitoringEvaluations: 0,
      passes: scene.passes ?? this.state.index / 2,
      phase: "scene",
      details: { scene: this.state.index },
      outcome: scene.outcome,
    };
  }
}

/** A script of these values. */
export const values = (...given: readonly (number | undefined)[]): readonly Scene[] =>
  given.map((value) => ({ value }));
