/**
 * What of a map is chance: the share of a point's neighbours that it has in other maps of the same data, too.
 *
 *   agreement(i) = 1/(k R) Σ_r |W_k(i) ∩ W_k^r(i)|       W: the k nearest others in the map, W^r: in the r-th other map
 *
 * The others are maps from other seeds (with a random start), other perplexities, or other samples of the rows' noise. Near 1
 * a neighbourhood is what the data and the method make of it each time; near k/(N − 1) it is what one run happened to make. Ties
 * count by their mean over all orders.
 */
import {
  CurvatureError,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  optionTable,
  toDense,
} from "@curvature/linalg";
import { keptShares } from "./metrics.js";

export const mapAgreementOptions = optionTable({
  /** k; the largest number below N/2 at most. */
  neighbors: integerFrom(1).default(10),
});
export type MapAgreementOptions = OptionsOf<typeof mapAgreementOptions>;

/**
 * @param embedding - the map, N × d
 * @param others - at least one, of the same points in the same order, N × any number of dimensions
 * @returns N shares, from 0 to 1; NaN for fewer than three points
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
 * @example
 * import { embed, mapAgreement } from "@curvature/optim-spectral";
 *
 * const points = Array.from({ length: 60 }, (_, i) => [Math.cos(i), Math.sin(i), i % 3]);
 * const { embedding } = await embed(points);
 * const again = await embed(points, { initialization: "random", seed: 1 });
 * const agreement = mapAgreement(embedding, [again.embedding]);
 * console.log(agreement.length); // 60
 */
export function mapAgreement(
  embedding: MatrixLike,
  others: readonly MatrixLike[],
  options?: MapAgreementOptions,
): Float64Array {
  const { neighbors } = mapAgreementOptions.resolve("mapAgreement", options);
  const map = toDense(embedding, "embedding");
  const N = map.rows;
  if (!Array.isArray(others) || others.length === 0)
    throw new CurvatureError("ERR_ARGUMENT", "Give at least one other map of the same points.", {
      where: "mapAgreement",
      path: "others",
      expected: "an array of maps",
      received: others,
    });
  const agreement = new Float64Array(N);
  others.forEach((other, r) => {
    const path = `others[${r}]`;
    const dense = toDense(other, path);
    if (dense.rows !== N)
      throw new CurvatureError("ERR_SHAPE", `${path} has ${dense.rows} points, the map ${N}.`, {
        where: "mapAgreement",
        path,
        expected: `${N} rows`,
        received: dense.rows,
      });
    const kept = keptShares(dense, map, neighbors);
    for (let i = 0; i < N; i++) agreement[i] += kept[i] / others.length;
  });
  return agreement;
}
