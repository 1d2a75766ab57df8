/**
 * Compiles the AssemblyScript of this folder to `src/simd/module.ts`: the module's bytes as a string of hexadecimal digits, so
 * that no bundler and no page has to fetch a file. Base64 is shorter, but gzip finds nothing to shorten in it: compressed,
 * it takes a third more.
 */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const folder = dirname(fileURLToPath(import.meta.url));
let bytes = new Uint8Array();

const { error, stderr } = await asc.main(
  [
    "assembly/index.ts",
    "--baseDir",
    dirname(folder),
    "--outFile",
    "module.wasm",
    "--optimizeLevel",
    "3",
    "--shrinkLevel",
    "0",
    "--converge",
    "--noAssert",
    "--runtime",
    "stub",
    "--importMemory",
    "--enable",
    "simd",
    "--use",
    "abort=",
  ],
  {
    writeFile: (name, contents) => {
      if (name.endsWith(".wasm")) bytes = contents;
    },
  },
);
if (error !== null || bytes.length === 0) {
  process.stderr.write(`${stderr.toString()}\n${error?.message ?? "no module was written"}\n`);
  process.exit(1);
}
writeFileSync(
  join(folder, "..", "src", "simd", "module.ts"),
  `/** Made by \`assembly/build.mjs\` of the AssemblyScript beside it; not to be edited. */
export const moduleDigits =
  "${Buffer.from(bytes).toString("hex")}";
`,
);
