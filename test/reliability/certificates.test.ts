/** The short form of `npm run fuzz -- --target certificates`, for every solver. The seed is the day's. */
import { test } from "vitest";
import { certificates } from "./fuzz-certificates.ts";
import { generatorOf } from "./fuzz-target.ts";

const seed = Math.floor(Date.now() / 86_400_000);

for (const [from, to, tags] of [
  [0, 500, []],
  [500, 10_000, ["full"]],
] as const)
  test(`solvers of linear models claim nothing false of problems ${from} to ${to} (seed ${seed})`, {
    tags: [...tags],
    timeout: 300_000,
  }, async () => {
    for (let index = from; index < to; index++) await certificates.make(generatorOf(seed, index)).read();
  });
