import { defineConfig, type Options } from "tsup";

export type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** How every package is built: ESM and CommonJS with types, one output per entry of its `exports`. */
export const library = (entry: Record<string, string>, ...esbuildPlugins: Plugin[]) =>
  defineConfig({
    entry,
    format: ["esm", "cjs"],
    dts: true,
    clean: ["!kernels.wasm"], // which linalg's build has put there before
    target: "es2023",
    tsconfig: "../../tsconfig.base.json",
    esbuildPlugins,
  });

/**
 * What each of these modules loads at once, in files apart from what it loads on demand: without it both would share
 * files, since the package's index exports all of it. CommonJS is one file.
 */
export const facades = (...modules: readonly string[]): Plugin => ({
  name: "facades",
  setup({ initialOptions }) {
    if (initialOptions.format !== "esm") return;
    const entries = modules.map((module) => [`facades/${module}`, `src/${module}.ts`]);
    initialOptions.entryPoints = { ...initialOptions.entryPoints, ...Object.fromEntries(entries) };
  },
});
