/** The lower bound that a factor on its places gives. */
import { type FactoredPoint, factoredValue } from "../bounds/factored-point.js";
import { repairFactor } from "../bounds/repair.js";
import type { NomadProblem } from "../problem.js";
import { balance, densified, type Places, valuesAt } from "./burer-monteiro-factor.js";
import type { FactorProducts } from "./factor-products.js";

const SWEEPS = 100;

/**
 * Y made feasible, with its value Tr(D Q). The sweeps and the product are those of the places, 100 of one and one of the other.
 *
 * @param given - Y at the places
 */
export function repairedAt(
  problem: NomadProblem,
  places: Places,
  given: Float64Array,
  products: FactorProducts,
): { readonly point: FactoredPoint; readonly value: number } {
  const { gram, clusters } = problem;
  const values = given.slice();
  const hasEmptyRow = balance(places, values, SWEEPS);
  const point = repairFactor(clusters, densified(places, values), hasEmptyRow ? SWEEPS : 0);
  if (hasEmptyRow) return { point, value: factoredValue(gram, point) }; // it has entries beyond the places
  let value = gram.offset + products.atPlaces(places, valuesAt(places, point.factor.data), undefined);
  for (let i = 0; i < places.n; i++) value += gram.diagonal[i] * point.diagonal[i];
  return { point, value };
}
