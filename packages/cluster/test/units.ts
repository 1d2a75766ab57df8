/** Units of fixtures/units.mjs, and what they must answer. */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { SweepPlan, UnitEnd } from "@curvature/cluster";

export const unitModule = pathToFileURL(resolve(import.meta.dirname, "fixtures/units.mjs"));

/** x² + seed for so many units, each after some milliseconds. */
export const squares = (count: number, milliseconds = 0): SweepPlan => ({
  command: "square",
  settings: { milliseconds },
  grid: { x: Array.from({ length: count }, (_, x) => x) },
});

/** Without the seconds, which are nobody's promise. */
export const outcomes = (ends: readonly UnitEnd[]): unknown[] =>
  ends.map((end) => (end.status === "done" ? [end.id, end.result] : [end.id, end.reason, end.tries]));

export const expectedSquares = (count: number): unknown[] =>
  Array.from({ length: count }, (_, x) => [`x=${x},seed=0`, { value: x * x }]);

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
