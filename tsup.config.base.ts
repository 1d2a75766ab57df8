import { defineConfig, type Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** How every package is built: ESM and CommonJS with types, one output per entry of its `exports`. */
export const library = (entry: Record<string, string>, ...esbuildPlugins: Plugin[]) =>
  defineConfig({
    entry,
    format: ["esm", "cjs"],
    dts: true,
    sourcemap: true,
    clean: true,
    target: "es2023",
    tsconfig: "../../tsconfig.base.json",
    esbuildPlugins,
  });
