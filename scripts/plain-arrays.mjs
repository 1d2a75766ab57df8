/**
 * Typed arrays in declarations as every TypeScript from 5.4 on knows them: `Float64Array` where 5.9 and later write
 * `Float64Array<ArrayBufferLike>`, which means the same. Part of each package's build, in its folder.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

for (const name of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
  if (!/\.d\.[cm]?ts$/.test(name)) continue;
  const path = join("dist", name);
  const text = readFileSync(path, "utf8");
  const plain = text.replaceAll(
    /\b((?:Float|Int|Uint|BigInt|BigUint)\d+(?:Clamped)?Array)<ArrayBufferLike>/g,
    "$1",
  );
  if (plain !== text) writeFileSync(path, plain);
}
