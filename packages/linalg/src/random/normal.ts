/**
 * Normal deviates by the polar method, with the portable logarithm: the same on every engine.
 *
 * Draw (u, v) uniform on the unit disc, s = u² + v²; then u √(−2 log s / s) and v √(−2 log s / s) are independent
 * standard normal. Nothing is kept between calls, so that the generator's four words are the whole state.
 *
 * Marsaglia, Bray: A convenient method for generating normal variables. SIAM Review 6 (1964) 260-264.
 */

import { badOption } from "../options.js";
import { log } from "../portable/log.js";
import { checkRandom, type RandomGenerator } from "./generator.js";

/**
 * A standard normal number. Costs two uniform ones and a quarter more; `fillNormal` wastes none.
 *
 * @throws CurvatureError ERR_ARGUMENT
 */
export function normal(random: RandomGenerator): number {
  checkRandom("normal", random);
  let u: number;
  let s: number;
  do {
    u = 2 * random.uniform() - 1;
    const v = 2 * random.uniform() - 1;
    s = u * u + v * v;
  } while (s >= 1 || s === 0);
  return u * Math.sqrt((-2 * log(s)) / s);
}

/** Fills `out` with independent standard normal numbers. @throws CurvatureError ERR_ARGUMENT, ERR_OPTION */
export function fillNormal(random: RandomGenerator, out: Float64Array): void {
  checkRandom("fillNormal", random);
  if (!(out instanceof Float64Array)) throw badOption("fillNormal", "out", "a Float64Array", out);
  for (let k = 0; k < out.length; ) {
    const u = 2 * random.uniform() - 1;
    const v = 2 * random.uniform() - 1;
    const s = u * u + v * v;
    if (s >= 1 || s === 0) continue;
    const length = Math.sqrt((-2 * log(s)) / s);
    out[k++] = u * length;
    if (k < out.length) out[k++] = v * length;
  }
}
