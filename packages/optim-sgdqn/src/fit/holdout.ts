/**
 * Rows held out, drawn by the seed, from every class its share. Indices come in the order of the rows, so that memory is
 * read in order.
 */
import { permutation, RandomGenerator } from "@curvature/linalg";

export interface Split {
  readonly training: Int32Array;
  readonly heldOut: Int32Array;
}

/**
 * @param places - by row its class; undefined for one class
 * @param share - of each class, from 0 to below 1; rounded down
 */
export function holdOut(n: number, places: Int32Array | undefined, share: number, seed: number): Split {
  const isHeldOut = new Uint8Array(n);
  eachInClass(n, places, seed, (row, k) => {
    if (Math.floor((k + 1) * share) > Math.floor(k * share)) isHeldOut[row] = 1;
  });
  return splitBy(isHeldOut, 1);
}

/** `count` splits, whose held-out rows are disjoint and together all. */
export function folds(n: number, places: Int32Array | undefined, count: number, seed: number): Split[] {
  const fold = new Uint8Array(n);
  eachInClass(n, places, seed, (row, k) => {
    fold[row] = k % count;
  });
  return Array.from({ length: count }, (_, f) => splitBy(fold, f));
}

/** Every row in random order, with its number among the rows of its class. */
function eachInClass(
  n: number,
  places: Int32Array | undefined,
  seed: number,
  visit: (row: number, k: number) => void,
): void {
  const counts: number[] = [];
  for (const row of permutation(new RandomGenerator(seed), n)) {
    const place = places === undefined ? 0 : places[row];
    const k = counts[place] ?? 0;
    counts[place] = k + 1;
    visit(row, k);
  }
}

function splitBy(part: Uint8Array, heldOut: number): Split {
  const count = part.reduce((sum, p) => sum + (p === heldOut ? 1 : 0), 0);
  const split = { training: new Int32Array(part.length - count), heldOut: new Int32Array(count) };
  let [t, h] = [0, 0];
  for (let i = 0; i < part.length; i++) {
    if (part[i] === heldOut) split.heldOut[h++] = i;
    else split.training[t++] = i;
  }
  return split;
}

/** The entries at these indices. */
export function selected(values: Float64Array, indices: Int32Array): Float64Array {
  const out = new Float64Array(indices.length);
  for (let k = 0; k < indices.length; k++) out[k] = values[indices[k]];
  return out;
}
