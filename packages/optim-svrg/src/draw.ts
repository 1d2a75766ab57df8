import type { RandomGenerator } from "@curvature/linalg";

/**
 * A whole number of 0 … count − 1 by one word of the generator and a product: several times quicker than an exactly
 * even draw, and uneven by at most count/2³² of each probability.
 */
export function draw(random: RandomGenerator, count: number): number {
  return Math.floor(random.next() * (count / 4294967296));
}
