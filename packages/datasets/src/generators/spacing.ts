import { oneOf, type RandomGenerator } from "@curvature/linalg";

/** The option of every generator of points on curves. */
export const spacingEntries = () => ({
  /**
   * Where the points of a curve are: "even", at equal steps along it, in order; "random", each by itself at a place drawn uniformly
   * along its length, in the order drawn.
   */
  spacing: oneOf("even", "random").default("even"),
});
export type Spacing = "even" | "random";

/** The place of point i among steps 0 … `steps` of a curve: i, or a number drawn from 0 to `steps`. */
export const placeOf = (i: number, steps: number, spacing: Spacing, random: RandomGenerator): number =>
  spacing === "even" ? i : steps * random.uniform();
