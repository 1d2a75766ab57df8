import { badOption } from "../options.js";
import { ColumnsInTypeScript, type Precision, type TallColumns } from "./columns.js";
import { memories } from "./memories.js";

const LONGEST = 2 ** 31;

/**
 * A matrix of no columns yet, in the form that is in use now.
 *
 * @param length - of its columns, at least 1
 * @param most - how many columns it will have at the most, at least 1; memory is taken as it grows
 * @param precision - that columns are kept in; sums are in double precision with either
 * @throws CurvatureError ERR_OPTION
 */
export function tallColumns(length: number, most: number, precision: Precision): TallColumns {
  for (const [name, size] of [
    ["length", length],
    ["most", most],
  ] as const)
    if (!(Number.isInteger(size) && size >= 1 && size <= LONGEST))
      throw badOption("tallColumns", name, `a whole number from 1 to ${LONGEST}`, size);
  if (precision !== "float64" && precision !== "float32")
    throw badOption("tallColumns", "precision", '"float64" or "float32"', precision);
  return memories.columns(length, most, precision) ?? new ColumnsInTypeScript(length, precision);
}
