/** What one evaluation with the way there and back takes: wall clock, and each program's processor time. */
import { type Spread, spreadOf } from "../../spread.ts";
import type { Pool, ProcessorTimes } from "./pool.ts";

/** Seconds, over the repeats. */
export type EvaluationTimes = Readonly<Record<keyof ProcessorTimes | "wall", Spread>>;

/**
 * @param work - makes `count` evaluations
 */
export async function evaluationTimes(
  pool: Pool,
  repeats: number,
  count: number,
  work: () => Promise<unknown>,
): Promise<EvaluationTimes> {
  const found: Record<keyof EvaluationTimes, number>[] = [];
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
  const over = (kind: keyof EvaluationTimes): Spread => spreadOf(found.map((one) => one[kind]));
  return { wall: over("wall"), coordinator: over("coordinator"), hub: over("hub"), workers: over("workers") };
}
