/**
 * Losses l = softplus(z) = log(1 + eᶻ) of a margin z(d₁, d₂): all that are the negative logarithm of a probability
 * 1/(1 + eᶻ) of the answer.
 *
 *   e = e^−|z|,   l = max(z, 0) + log(1 + e),   s = 1/(1 + e^−z) = (1 or e)/(1 + e)        nothing can overflow
 *   a = s ∂z/∂d₁,   c = s ∂z/∂d₂
 *
 * One loop for each transcendental function: compilers inline by a budget, which all of them in one function exceed.
 */
import { exp, log1p } from "@curvature/linalg";
import { lossFrom, type OrdinalLoss, type OrdinalLossName } from "./loss.js";

/** A margin, and its derivatives times s. */
interface Margin {
  readonly name: OrdinalLossName;
  readonly description: string;
  /** z of the first `count` pairs of distances. */
  margins(count: number, d1: Float64Array, d2: Float64Array, z: Float64Array): void;
  /** a and c from s. */
  slopesFrom(
    count: number,
    d1: Float64Array,
    d2: Float64Array,
    s: Float64Array,
    a: Float64Array,
    c: Float64Array,
  ): void;
}

export function softplusLoss({ name, description, margins, slopesFrom }: Margin): OrdinalLoss {
  let z = new Float64Array(0);
  let e = z;
  const prepare = (count: number, d1: Float64Array, d2: Float64Array): void => {
    if (z.length < count) {
      z = new Float64Array(count);
      e = new Float64Array(count);
    }
    margins(count, d1, d2, z);
    decays(count, z, e);
  };
  return lossFrom({
    name,
    description,
    values(count, d1, d2, out) {
      prepare(count, d1, d2);
      softpluses(count, z, e, out);
    },
    slopes(count, d1, d2, a, c) {
      prepare(count, d1, d2);
      sigmoids(count, z, e);
      slopesFrom(count, d1, d2, e, a, c);
    },
    valuesAndSlopes(count, d1, d2, out, a, c) {
      prepare(count, d1, d2);
      softpluses(count, z, e, out);
      sigmoids(count, z, e);
      slopesFrom(count, d1, d2, e, a, c);
    },
  });
}

function decays(count: number, z: Float64Array, e: Float64Array): void {
  for (let q = 0; q < count; q++) e[q] = exp(-Math.abs(z[q]));
}

function softpluses(count: number, z: Float64Array, e: Float64Array, out: Float64Array): void {
  for (let q = 0; q < count; q++) out[q] = Math.max(z[q], 0) + log1p(e[q]);
}

/** s into the place of e. */
function sigmoids(count: number, z: Float64Array, e: Float64Array): void {
  for (let q = 0; q < count; q++) {
    const t = 1 / (1 + e[q]);
    e[q] = z[q] >= 0 ? t : e[q] * t;
  }
}
