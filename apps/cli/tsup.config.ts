import { defineConfig } from "tsup";

export default defineConfig({
  entry: { main: "src/main.ts", worker: "src/worker.ts" },
  format: ["esm"],
  sourcemap: true,
  clean: true,
  target: "es2023",
  tsconfig: "../../tsconfig.base.json",
});
