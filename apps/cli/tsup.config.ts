import { defineConfig } from "tsup";

/** The command, its worker, and the thread of a sweep's runs. */
export default defineConfig({
  target: "es2023",
  tsconfig: "../../tsconfig.base.json",
  entry: { main: "src/main.ts", worker: "src/run/worker.ts", "run-thread": "src/sweep/run-thread.ts" },
  format: ["esm"],
  clean: true,
});
