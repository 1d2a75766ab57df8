/** A solver that plays a script, for tests of what drives it. */
import { type Iteration, openSnapshot, type Point, type Snapshot, type Solver } from "@curvature/optim-core";

export interface Scene {
  readonly value?: number | undefined;
  readonly gradientNorm?: number;
  readonly x?: readonly number[];
  readonly evaluations?: number;
  readonly passes?: number;
  readonly outcome?: Iteration["outcome"];
  readonly error?: Error;
}

export class Scripted implements Solver<{ readonly scene: number }> {
  readonly name = "scripted";
  readonly dimension = 2;
  readonly fingerprint: string;
  readonly options = { script: "played" };
  private index = 0;
  private x = new Float64Array([3, 4]);
  private value: number | undefined;
  private bestValue: number | undefined;
  private bestX = this.x.slice();

  constructor(
    private readonly scenes: readonly Scene[],
    private readonly isAsync = false,
    fingerprint = "the same problem",
  ) {
    this.fingerprint = fingerprint;
  }

  get best(): Point {
    return { x: this.bestX, value: this.bestValue };
  }

  get last(): Point {
    return { x: this.x, value: this.value };
  }

  step(): Iteration<{ readonly scene: number }> | Promise<Iteration<{ readonly scene: number }>> {
    return this.isAsync ? Promise.resolve().then(() => this.play()) : this.play();
  }

  private play(): Iteration<{ readonly scene: number }> {
    const scene = this.scenes[Math.min(this.index, this.scenes.length - 1)];
    if (scene.error !== undefined) throw scene.error;
    this.index++;
    if (scene.x !== undefined) this.x = Float64Array.from(scene.x);
    this.value = scene.value;
    if (scene.value !== undefined && !(scene.value >= (this.bestValue ?? Number.POSITIVE_INFINITY))) {
      this.bestValue = scene.value;
      this.bestX = this.x.slice();
    }
    return {
      index: this.index,
      value: scene.value,
      gradientNorm: scene.gradientNorm,
      stepLength: undefined,
      evaluations: scene.evaluations ?? this.index,
      gradientEvaluations: 0,
      monitoringEvaluations: 0,
      passes: scene.passes ?? this.index / 2,
      phase: "scene",
      details: { scene: this.index },
      outcome: scene.outcome,
    };
  }

  save(): Snapshot {
    const { index, x, value, bestValue, bestX } = this;
    return {
      solver: this.name,
      version: 1,
      state: {
        index,
        x: x.slice(),
        value: value ?? null,
        bestValue: bestValue ?? null,
        bestX: bestX.slice(),
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, 1);
    const [index, x, bestX] = [state.integer("index"), state.float64("x", 2), state.float64("bestX", 2)];
    const [value, bestValue] = [state.optionalNumber("value"), state.optionalNumber("bestValue")];
    this.index = index;
    this.x = x.slice();
    this.value = value;
    this.bestValue = bestValue;
    this.bestX = bestX.slice();
  }
}

/** A script of these values. */
export const values = (...given: readonly (number | undefined)[]): readonly Scene[] =>
  given.map((value) => ({ value }));
