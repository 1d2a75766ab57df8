/**
 * Programs as text: `program.ts` of a folder `threads` becomes the module beside it that is called `worker.ts`, with all that it
 * imports, as one script; that of a folder `viewer` becomes `page.ts`. By the paths of tsconfig.json that is the source of other
 * packages, too.
 */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "./tsup.config.base.js";

/** What is used of esbuild here, which tsup brings. */
interface Esbuild {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly outputFiles: readonly { readonly text: string }[];
  }>;
}

const esbuild: Esbuild = createRequire(createRequire(import.meta.url).resolve("tsup"))("esbuild");

/** The files whose place a program takes. */
const threadProgram = /[\\/]threads[\\/]program\.ts$/;
const pageProgram = /[\\/]viewer[\\/]program\.ts$/;
export const programFile = /[\\/](?:threads|viewer)[\\/]program\.ts$/;

/** @param path - of a `program.ts` */
export async function programModule(path: string): Promise<string> {
  if (threadProgram.test(path))
    return `export const program = ${JSON.stringify(await bundled(join(dirname(path), "worker.ts"), ofThreads))};`;
  const program = await bundled(join(dirname(path), "page.ts"), { platform: "browser", target: "es2022" });
  const hash = createHash("sha256").update(program).digest("base64");
  return `export const program = ${JSON.stringify(program)};\nexport const programHash = ${JSON.stringify(hash)};`;
}

/** A module with all that it imports, as one script, which is a module, too. */
async function bundled(path: string, options: Readonly<Record<string, unknown>>): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: "iife",
    platform: "neutral",
    target: "es2023",
    write: false,
    logLevel: "error",
    ...options,
  });
  return outputFiles[0].text;
}

/** The WebAssembly comes compiled, with the task. */
const withoutWebAssembly: Plugin = {
  name: "without-webassembly",
  setup(build) {
    build.onLoad({ filter: /[\\/]simd[\\/]module\.ts$/ }, () => ({
      contents: 'export const moduleText = "";',
    }));
  },
};

const ofThreads = { plugins: [withoutWebAssembly] };

/** For the build of a package that has such files. */
export const threadPrograms: Plugin = {
  name: "thread-programs",
  setup(build) {
    build.onLoad({ filter: threadProgram }, async ({ path }) => {
      // beside it, for pages whose policy wants it to have an address
      await mkdir("dist", { recursive: true });
      await writeFile("dist/thread.js", await bundled(join(dirname(path), "script.ts"), ofThreads));
      return { contents: await programModule(path) };
    });
  },
};

/** For the build of the package that has the viewer. */
export const viewerProgram: Plugin = {
  name: "viewer-program",
  setup(build) {
    build.onLoad({ filter: pageProgram }, async ({ path }) => ({ contents: await programModule(path) }));
  },
};

/**
 * For the build of a package that has a worker: a program with all that it imports of the built packages, as one script.
 *
 * @param path - of the program, in the package's folder
 * @param file - in `dist`
 */
export const workerProgram = (path: string, file: string): Plugin => ({
  name: "worker-program",
  setup({ initialOptions, onEnd }) {
    if (initialOptions.format !== "esm") return;
    onEnd(async () => {
      await writeFile(join("dist", file), await bundled(path, { tsconfigRaw: {} }));
    });
  },
});
