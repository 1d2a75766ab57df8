/**
 * GD: B = I, P = −G. The yardstick, not a method to choose: entries of P are of order 1/N, so with steps of at most 1
 * it hardly moves.
 */
import { type Direction, stateless } from "./direction.js";

export function gradientDirection(): Direction {
  return {
    name: "gd",
    warnings: [],
    compute: (_objective, _X, G, P) => {
      for (let k = 0; k < G.length; k++) P[k] = -G[k];
    },
    ...stateless(),
  };
}
