import { defineConfig } from "tsup";

const shared = { target: "es2023", tsconfig: "../../tsconfig.base.json" } as const;

/** The command, its worker, the thread of a sweep's runs, and the viewer that goes into HTML plots as one script. */
export default defineConfig([
  {
    ...shared,
    entry: { main: "src/main.ts", worker: "src/run/worker.ts", "run-thread": "src/sweep/run-thread.ts" },
    format: ["esm"],
    clean: ["!viewer*"],
  },
  {
    entry: { viewer: "src/map-view/viewer/viewer.ts" },
    format: ["iife"],
    platform: "browser",
    target: "es2020",
    minify: true,
    tsconfig: "../../tsconfig.base.json",
  },
]);
