/** What a map of the cities is, and how well it answers. */
import { answers, names, rowsOf } from "./eurodist.js";

/** The places in a map as CSV, in the order of the cities. */
export function placesOf(csv: string): number[][] {
  const { rows } = rowsOf(csv);
  return names.map((name) => {
    const row = rows.find(([object]) => object === name);
    return (row ?? []).slice(1).map(Number);
  });
}

/** The share of the cities' answers that a map does not meet. */
export function errorOf(csv: string): number {
  const places = placesOf(csv);
  const distance = (a: number, b: number): number =>
    Math.hypot(...places[a].map((x, axis) => x - places[b][axis]));
  const all = answers(1);
  return all.filter(([i, j, k]) => !(distance(i, j) < distance(i, k))).length / all.length;
}
