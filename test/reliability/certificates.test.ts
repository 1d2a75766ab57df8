/**
 * The short form of `npm run fuzz -- --target certificates`, for the solvers whose claims are bounds. The seed is the day's.
 */
import { test } from "vitest";
import { claimsOf } from "./fuzz-certificates.ts";
import { generatorOf } from "./fuzz-target.ts";

const seed = Math.floor(Date.now() / 86_400_000);
/** Newton's decrement is an estimate, and L-BFGS and the stochastic solvers end as converged without a gap. */
const sound = claimsOf(["dcd"]);

test(`dual coordinate descent claims nothing false of 300 problems (seed ${seed})`, async () => {
  for (let index = 0; index < 300; index++) await sound.make(generatorOf(seed, index)).read();
});
