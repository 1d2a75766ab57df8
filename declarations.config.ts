/**
 * The declarations of a package: one file per entry, and one for what several share, for `import` (`.d.ts`) and `require`
 * (`.d.cts`). TypeScript 7 writes those of all sources in a tenth of the time that TypeScript 6 takes, and the bundler keeps
 * what the entries export. tsup runs it in the package's folder when its scripts are built.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const folder = join("node_modules", ".cache", "declarations");
const compiler = join(
  dirname(createRequire(import.meta.url).resolve("typescript-7/package.json")),
  "bin",
  "tsc",
);

export async function declarations(entry: Readonly<Record<string, string>>): Promise<void> {
  writeAll();
  const entries = Object.entries(entry);
  const input = entries.map(([name, source]) => [
    name,
    resolve(folder, relative("src", source).replace(/ts$/, "d.ts")),
  ]);
  for (const ending of ["d.ts", "d.cts"]) {
    const bundle = await rolldown({
      input: Object.fromEntries(input),
      external: /^[@a-z]/,
      plugins: [dts({ dtsOnly: true, tsconfig: false })],
    });
    await bundle.write({
      dir: "dist",
      format: "es",
      entryFileNames: `[name].${ending}`,
      chunkFileNames: `[name]-[hash].${ending}`,
    });
    await bundle.close();
  }
}

/** Those of every source, as every TypeScript from 5.4 on reads them. */
function writeAll(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const config = join(folder, "tsconfig.json");
  const up = relative(folder, ".");
  const compilerOptions = { emitDeclarationOnly: true, outDir: ".", rootDir: join(up, "src") };
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(up, "../../tsconfig.base.json"),
      compilerOptions,
      include: [join(up, "src")],
    }),
  );
  const { status } = spawnSync(process.execPath, [compiler, "-p", config], { stdio: "inherit" });
  if (status !== 0) throw new Error("The package's types are wrong.");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".d.ts")) writePlain(join(folder, name));
}

/** `Float64Array` where TypeScript 5.9 and later write `Float64Array<ArrayBufferLike>`, which means the same. */
function writePlain(file: string): void {
  const text = readFileSync(file, "utf8");
  const arrays = /\b((?:Float|Int|Uint|BigInt|BigUint)\d+(?:Clamped)?Array)<ArrayBufferLike>/g;
  const plain = text.replaceAll(arrays, "$1");
  if (plain !== text) writeFileSync(file, plain);
}
