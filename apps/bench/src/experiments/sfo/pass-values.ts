/**
 * F after every pass of any solver: looked at from outside, at the point where it stands when its evaluations reach a
 * pass. A solver that steps over the end of a pass is looked at where it stood before that step.
 */

import type { MinibatchSum } from "@curvature/objectives/sums";
import {
  createSumSolver,
  HessianFree,
  maxPasses,
  parseSumSolverName,
  run,
  type Solver,
} from "@curvature/optim-core";
import { minimizeSum, type SfoOptions } from "@curvature/optim-sfo";
import { cpuSeconds } from "../../processor.ts";

export interface Trace {
  /** F after 0, 1, … passes; Infinity after a run has broken off. */
  readonly values: readonly number[];
  /** Processor time of the solver with its evaluations, without those that only look. */
  readonly seconds: number;
  /** The passes after which its first step is done; Infinity if there was none. */
  readonly firstStep: number;
}

class Watch {
  readonly values: number[];
  private readonly before: Float64Array;
  private firstStep = Number.POSITIVE_INFINITY;
  private lookingSeconds = 0;
  private readonly startedAt = cpuSeconds();

  private readonly sum: MinibatchSum;
  private readonly passes: number;

  constructor(sum: MinibatchSum, passes: number) {
    this.sum = sum;
    this.passes = passes;
    this.before = sum.initial.slice();
    this.values = [this.valueAt(sum.initial)];
  }

  /** @param x - the point after the iteration with which the solver has made `passes` */
  see(passes: number, x: Float64Array): void {
    this.firstStep = Math.min(this.firstStep, passes);
    const whole = Math.floor(passes + 1e-9);
    while (this.values.length <= Math.min(whole, this.passes)) {
      const isHere = Math.abs(passes - this.values.length) < 1e-9;
      this.values.push(this.valueAt(isHere ? x : this.before));
    }
    this.before.set(x);
  }

  /** @param isBroken - whether the solver gave up for lack of numbers; one that has converged stays where it is */
  end(isBroken: boolean): Trace {
    const seconds = cpuSeconds() - this.startedAt - this.lookingSeconds;
    const last = isBroken ? Number.POSITIVE_INFINITY : this.valueAt(this.before);
    while (this.values.length <= this.passes) this.values.push(last);
    return { values: this.values, seconds, firstStep: this.firstStep };
  }

  private valueAt(x: Float64Array): number {
    const started = cpuSeconds();
    const value = this.sum.whole.evaluate(x);
    this.lookingSeconds += cpuSeconds() - started;
    return Number.isFinite(value) ? value : Number.POSITIVE_INFINITY;
  }
}

const isBroken = (status: string): boolean => status === "diverged" || status === "failed";

export async function traceOfSfo(sum: MinibatchSum, passes: number, options: SfoOptions): Promise<Trace> {
  const watch = new Watch(sum, passes);
  const { status } = await minimizeSum(sum, {
    ...options,
    maxPasses: passes,
    finalize: false,
    yieldEvery: Number.POSITIVE_INFINITY,
    onIteration: (iteration, { last }) => watch.see(iteration.passes, last.x),
  });
  return watch.end(isBroken(status));
}

/** @param name - of a classic solver with its numbers, as adam:0.01 */
export async function traceOf(sum: MinibatchSum, passes: number, name: string, seed: number): Promise<Trace> {
  const watch = new Watch(sum, passes);
  const { status } = await run(solverOf(sum, name, seed), {
    stop: maxPasses(passes),
    yieldEvery: Number.POSITIVE_INFINITY,
    onIteration: (iteration, { last }) => watch.see(iteration.passes, last.x),
  });
  return watch.end(isBroken(status));
}

function solverOf(sum: MinibatchSum, name: string, seed: number): Solver {
  const { method, numbers } = parseSumSolverName(name);
  if (method !== "hessian-free") return createSumSolver(name, sum, sum.initial, { seed });
  const [initialDamping] = numbers;
  return new HessianFree(sum.whole, sum.initial, initialDamping === undefined ? {} : { initialDamping });
}
