/** Lengths whose only prime factors are 2, 3 and 5: those that the transform here takes, and takes quickly. */
import { badOption } from "../options.js";

export type Radix = 2 | 3 | 4 | 5;

/** The radices of a length, fours last, since a last pass of radix 4 has no twiddles; undefined for a length with another prime factor. */
export function factorsOf(length: number): readonly Radix[] | undefined {
  const factors: Radix[] = [];
  let rest = length;
  for (const radix of [4, 2, 3, 5] as const) {
    while (rest % radix === 0) {
      factors.unshift(radix);
      rest /= radix;
    }
  }
  return rest === 1 ? factors : undefined;
}

/**
 * The least even length of at least `least` with no prime factor above 5.
 *
 * @param least - a whole number from 1 to 2^26
 * @throws CurvatureError ERR_OPTION
 */
export function fastLength(least: number): number {
  if (!(Number.isInteger(least) && least >= 1 && least <= 67_108_864))
    throw badOption("fastLength", "least", "a whole number from 1 to 67108864", least);
  let length = least + (least % 2);
  while (factorsOf(length) === undefined) length += 2;
  return length;
}
