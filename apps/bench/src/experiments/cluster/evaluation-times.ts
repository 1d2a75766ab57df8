/** What one evaluation with the way there and back takes: wall clock, and each program's processor time. */
import { median } from "../../machine.ts";
import type { Pool, ProcessorTimes } from "./pool.ts";

export interface EvaluationTimes extends ProcessorTimes {
  readonly wall: number;
}

/**
 * Medians, in seconds.
 *
 * @param work - makes `count` evaluations
 */
export async function evaluationTimes(
  pool: Pool,
  repeats: number,
  count: number,
  work: () => Promise<unknown>,
): Promise<EvaluationTimes> {
  const found: EvaluationTimes[] = [];
  for (let r = 0; r < repeats; r++) {
    const before = await pool.processor();
    const started = performance.now();
    await work();
    const seconds = (performance.now() - started) / 1000;
    const after = await pool.processor();
    found.push({
      wall: seconds / count,
      coordinator: (after.coordinator - before.coordinator) / count,
      hub: (after.hub - before.hub) / count,
      workers: (after.workers - before.workers) / count,
    });
  }
  const middle = (of: (one: EvaluationTimes) => number): number => median(found.map(of));
  return {
    wall: middle(({ wall }) => wall),
    coordinator: middle(({ coordinator }) => coordinator),
    hub: middle(({ hub }) => hub),
    workers: middle(({ workers }) => workers),
  };
}
