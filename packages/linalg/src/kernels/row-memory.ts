import type { RowMemory } from "./row-steps.js";
import { installed } from "./table.js";

/**
 * A memory for so many rows, columns and stored entries, in double or single precision. Only with SIMD
 * (`@curvature/linalg/simd`): without, loops over plain arrays do the same.
 *
 * @param stored - undefined for dense rows
 * @returns undefined where there is none; all its arrays are 0
 */
export function takeRowMemory(
  rows: number,
  columns: number,
  stored: number | undefined,
  isDouble: boolean,
): RowMemory | undefined {
  return installed.rowMemory?.(rows, columns, stored, isDouble);
}
