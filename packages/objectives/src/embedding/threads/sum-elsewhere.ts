/**
 * The repulsion's sum in one thread while another has the attraction: E's two terms take about the same time where the
 * repulsion is not summed exactly, and have nothing to do with each other. The thread that does it runs the same code on the
 * same map, and so comes to the same bits; where it has not begun by the time that the sum is wanted, the caller does it.
 *
 * It takes a sum of its own, as large as the caller's, and 16 N d bytes for the map and the gradient.
 */
import { SharedUnits } from "@curvature/linalg/threads";
import { kernels } from "../kernels/kernels.js";
import type { EnergyTerm } from "../pair-sum.js";
import { kernelSum } from "../repulsion/kernel-sum.js";
import { sharedMemory } from "./memory.js";
import type { KernelSumShape } from "./threads.js";

export interface SumTask {
  readonly kind: "sum";
  readonly shape: KernelSumShape;
  /** N × d */
  readonly X: Float64Array;
  readonly gradient: Float64Array;
  /** The sum. */
  readonly value: Float64Array;
  /** Whether the gradient is wanted: 1 or 0. */
  readonly wants: Int32Array;
  /** Of `SharedUnits`: evaluations. */
  readonly units: Int32Array;
}

/** Milliseconds after which an evaluation is taken for dead. */
const PATIENCE = 120_000;

export function sumTask(shape: KernelSumShape): SumTask {
  const length = shape.points * shape.dimensions;
  return {
    kind: "sum",
    shape,
    X: sharedMemory.numbers(length),
    gradient: sharedMemory.numbers(length),
    value: sharedMemory.numbers(1),
    wants: sharedMemory.integers(1),
    units: new SharedUnits().integers,
  };
}

/** The thread's life. */
export function serveSum({ shape, X, gradient, value, wants, units }: SumTask): void {
  const { sum } = kernelSum("thread", kernels[shape.kernel], shape.points, shape);
  new SharedUnits(units).serve(() => {
    value[0] = sum.evaluate(X, wants[0] === 1 ? gradient : undefined);
  });
}

/** The caller's side. */
export class SumElsewhere implements EnergyTerm {
  readonly units: SharedUnits;
  private hasBegun = false;

  /**
   * @param own - the same sum in this thread
   * @param whenLost - called when the thread is of no more use
   */
  constructor(
    private readonly task: SumTask,
    private readonly own: EnergyTerm,
    private readonly whenLost: () => void,
  ) {
    this.units = new SharedUnits(task.units);
  }

  begin(X: Float64Array, withGradient: boolean): void {
    const { task, units } = this;
    if (this.hasBegun) this.answer(undefined); // nobody has asked for it
    if (units.isStopped) return;
    task.X.set(X);
    task.wants[0] = Number(withGradient);
    units.open(1);
    this.hasBegun = true;
  }

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    return (this.hasBegun ? this.answer(gradient) : undefined) ?? this.own.evaluate(X, gradient);
  }

  /** Undefined where the thread has not begun, or is dead. */
  private answer(gradient: Float64Array | undefined): number | undefined {
    const { units, task } = this;
    this.hasBegun = false;
    if (units.claim() >= 0) {
      units.finish();
      return undefined;
    }
    if (!units.areDone(PATIENCE)) {
      units.stop();
      this.whenLost();
      return undefined;
    }
    gradient?.set(task.gradient);
    return task.value[0];
  }

  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void {
    this.own.hessianVector(X, v, out);
  }

  diagonalHessian(X: Float64Array, out: Float64Array): void {
    this.own.diagonalHessian(X, out);
  }

  curvatureWeights(X: Float64Array, out: Float64Array): void {
    this.own.curvatureWeights(X, out);
  }
}
