import { readFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";
import { declarations } from "./declarations.config.js";

export type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** How every package is built: ESM and CommonJS with types, one output per entry of its `exports`. */
export const library = (entry: Record<string, string>, ...esbuildPlugins: Plugin[]) =>
  defineConfig({
    entry,
    format: ["esm", "cjs"],
    onSuccess: () => declarations(entry),
    clean: ["!kernels.wasm"], // which linalg's build has put there before
    target: "es2023",
    tsconfig: "../../tsconfig.base.json",
    esbuildPlugins: [...esbuildPlugins, unusedCode],
  });

/** A module's option table, from its name to the bracket that ends it, on the same line or at the beginning of another. */
const table = /^((?:export )?const \w+ = )(optionTable\((?:.*|[\s\S]*?\n[)}\]]*)\));$/gm;

/**
 * Option tables and façades that bundlers leave out where nobody uses them: `.default(…)` of an entry and `facade(…)` are calls
 * of which a bundler cannot know that they only make an object, so they are marked as pure, tables within a function.
 */
const unusedCode: Plugin = {
  name: "unused-code",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const code = await readFile(path, "utf8");
      const contents = code
        .replace(table, "$1/* @__PURE__ */ (() => $2)();")
        .replace(/^(export const \w+ = )facade\(/gm, "$1/* @__PURE__ */ facade(");
      return contents === code ? undefined : { contents, loader: "ts" };
    });
  },
};

/**
 * What each of these modules loads at once (a façade, the options) comes in files apart from the rest: without it both would share
 * files, since the package's index exports all of it. CommonJS is one file.
 */
export const apart = (...modules: readonly string[]): Plugin => ({
  name: "apart",
  setup({ initialOptions }) {
    if (initialOptions.format !== "esm") return;
    const entries = modules.map((module) => [`apart/${module}`, `src/${module}.ts`]);
    initialOptions.entryPoints = { ...initialOptions.entryPoints, ...Object.fromEntries(entries) };
  },
});
