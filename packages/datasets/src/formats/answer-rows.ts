/** The lines of a table of answers as arrays, and some of them. */
import type { ComparisonColumns } from "./comparison-roles.js";

/** What the lines say, one entry for each. */
export interface Rows {
  readonly objects: Int32Array;
  readonly answers: Int32Array;
  readonly lines: Int32Array;
  readonly weights: Float64Array | undefined;
  readonly choose: Int32Array | undefined;
  readonly ratings: Float64Array | undefined;
  readonly times: Float64Array | undefined;
  readonly trial: Int32Array | undefined;
  readonly participant: Int32Array | undefined;
  readonly split: Int32Array | undefined;
}

export function rowsWhere(
  rows: Rows,
  { objects, answers }: ComparisonColumns,
  keeps: (row: number) => boolean,
): Rows {
  const kept = Int32Array.from(rows.lines.keys()).filter(keeps);
  const some = (values: Int32Array | undefined): Int32Array | undefined => values && chosen(values, 1, kept);
  const numbers = (values: Float64Array | undefined): Float64Array | undefined =>
    values && Float64Array.from(kept, (row) => values[row]);
  return {
    objects: chosen(rows.objects, objects.length, kept),
    answers: chosen(rows.answers, answers.length, kept),
    lines: chosen(rows.lines, 1, kept),
    weights: numbers(rows.weights),
    choose: some(rows.choose),
    ratings: numbers(rows.ratings),
    times: numbers(rows.times),
    trial: some(rows.trial),
    participant: some(rows.participant),
    split: some(rows.split),
  };
}

/** `width` values for each of these rows. */
export function chosen(values: Int32Array, width: number, rows: Int32Array): Int32Array {
  const some = new Int32Array(width * rows.length);
  for (let at = 0; at < rows.length; at++)
    for (let k = 0; k < width; k++) some[width * at + k] = values[width * rows[at] + k];
  return some;
}

/** The same groups, counted from 0 in the order in which they come. */
export function counted(groups: Int32Array): Int32Array {
  const places = new Map<number, number>();
  return groups.map((group) => {
    const place = places.get(group) ?? places.size;
    places.set(group, place);
    return place;
  });
}

/** The rows' values for each comparison. */
export function spread(values: Int32Array, rows: Int32Array): Int32Array {
  return rows.map((row) => values[row]);
}
