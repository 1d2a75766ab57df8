/**
 * Programs of threads as text: `program.ts` of a folder `threads` becomes the module beside it that is called `worker.ts`,
 * with all that it imports, as one script. By the paths of tsconfig.json that is the source of other packages, too.
 */
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
export const threadProgram = /[\\/]threads[\\/]program\.ts$/;

/** @param path - of a `program.ts` */
export async function threadProgramModule(path: string): Promise<string> {
  return `export const program = ${JSON.stringify(await bundled(join(dirname(path), "worker.ts")))};`;
}

/** A module with all that it imports, as one script; the WebAssembly comes compiled, with the task. */
async function bundled(path: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: "iife",
    platform: "neutral",
    target: "es2023",
    write: false,
    logLevel: "error",
    plugins: [withoutWebAssembly],
  });
  return outputFiles[0].text;
}

const withoutWebAssembly: Plugin = {
  name: "without-webassembly",
  setup(build) {
    build.onLoad({ filter: /[\\/]simd[\\/]module\.ts$/ }, () => ({
      contents: 'export const moduleText = "";',
    }));
  },
};

/** For the build of a package that has such files. */
export const threadPrograms: Plugin = {
  name: "thread-programs",
  setup(build) {
    build.onLoad({ filter: threadProgram }, async ({ path }) => {
      // beside it, for pages whose policy wants it to have an address
      await mkdir("dist", { recursive: true });
      await writeFile("dist/thread.js", await bundled(join(dirname(path), "script.ts")));
      return { contents: await threadProgramModule(path) };
    });
  },
};
