/**
 * Compiles the AssemblyScript of this folder to `src/simd/module.ts`: the module's bytes as text, so that no bundler and no
 * page has to fetch a file; and to `dist/kernels.wasm`, for engines that compile nothing at run time. Whole bytes stay whole characters, for gzip to find what is alike: compressed, hexadecimal digits
 * take a tenth more and base64 two fifths.
 *
 *   r = (byte + 5) mod 256: the character 35 + r mod 90, behind } for the second 90 values of r and ~ for the rest
 *
 * Of all summands 5 adds least to a bundle of the package (`test/budgets.test.ts`; by itself the text is half a per cent smaller
 * with 16): operations and small numbers are single characters.
 */
import { mkdirSync, writeFileSync } from "node:fs";
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
    "1",
    "--converge",
    "--runPasses",
    "reorder-locals",
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
const characterOf = (byte) => {
  const r = (byte + 5) % 256;
  return ["", "}", "~"][Math.floor(r / 90)] + String.fromCharCode(35 + (r % 90));
};
const dist = join(folder, "..", "dist");
mkdirSync(dist, { recursive: true });
writeFileSync(join(dist, "kernels.wasm"), bytes);
writeFileSync(
  join(folder, "..", "src", "simd", "module.ts"),
  `/** Made by \`assembly/build.mjs\` of the AssemblyScript beside it; not to be edited. */
export const moduleText =
  ${JSON.stringify(Array.from(bytes, characterOf).join(""))};
`,
);
