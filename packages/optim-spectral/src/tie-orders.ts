/**
 * Means over all orders of the rows, where of points at one distance those go first that come first in the order.
 *
 * S ∪ U is a class of ties in the data, S ∪ U′ the class at the end of the neighbours in the map, of s, u and u′ points; n = s + u + u′.
 * Before a point j of S come x others of S, y of U and z of U′ with probability
 *
 *   p(x, y, z) = C(s−1, x) C(u, y) C(u′, z) / (n C(n−1, x+y+z))
 *
 * so that sums up to a bound are as many terms as the bound allows, however large the classes are. U and U′ may be empty.
 */

/** Sizes of classes. */
export interface TieSizes {
  readonly s: number;
  readonly u: number;
  readonly uMap: number;
}

/** P(x + y < places, x + z < placesInMap): that j is among the first of both classes. */
export function bothFirst(sizes: TieSizes, places: number, placesInMap: number): number {
  let sum = 0;
  forTerms(sizes, places, placesInMap, (probability) => {
    sum += probability;
  });
  return sum;
}

/**
 * E[(x + y + 1 − places)⁺; x + z < placesInMap]: how far beyond its class's places in the data j ranks on the mean where it is among
 * the first in the map. `places` may be negative: then all of the class ranks so much further.
 */
export function meanExcess(sizes: TieSizes, places: number, placesInMap: number): number {
  const { s, u, uMap } = sizes;
  let sum = meanBeyond(s, u, uMap, places, placesInMap);
  // (v)⁺ = v + (−v)⁺
  if (places > 1)
    forTerms(sizes, places - 1, placesInMap, (probability, x, y) => {
      sum += probability * (places - 1 - x - y);
    });
  return sum;
}

/**
 * The same without (…)⁺, which is nothing for `places` ≤ 1. Of the n places of S ∪ U′ j has each as often. Before the w-th of them come
 * w (s − 1)/(n − 1) of S on the mean, and of the u of U, each of which is as often in each of the n + 1 gaps, u (w + 1)/(n + 1).
 */
export function meanBeyond(s: number, u: number, uMap: number, places: number, placesInMap: number): number {
  const n = s + uMap;
  const first = Math.min(placesInMap, n);
  const pairs = (first * (first - 1)) / 2; // Σ w
  const ofS = n > 1 ? (pairs * (s - 1)) / (n - 1) : 0;
  return (first * (1 - places) + ofS + (u * (pairs + first)) / (n + 1)) / n;
}

/** The terms with x + y < `first` and x + z < `second`; each follows from one before by a ratio. */
function forTerms(
  { s, u, uMap }: TieSizes,
  first: number,
  second: number,
  found: (probability: number, x: number, y: number, z: number) => void,
): void {
  const n = s + u + uMap;
  /** C(c, i + 1)/C(c, i) · C(n−1, w)/C(n−1, w + 1) */
  const ratio = (c: number, i: number, w: number): number => ((c - i) / (i + 1)) * ((w + 1) / (n - 1 - w));
  let atX = 1 / n;
  for (let x = 0; x < s && x < first && x < second; x++) {
    let atY = atX;
    for (let y = 0; y <= u && x + y < first; y++) {
      let probability = atY;
      for (let z = 0; z <= uMap && x + z < second; z++) {
        found(probability, x, y, z);
        if (z < uMap) probability *= ratio(uMap, z, x + y + z);
      }
      if (y < u) atY *= ratio(u, y, x + y);
    }
    if (x < s - 1) atX *= ratio(s - 1, x, x);
  }
}
