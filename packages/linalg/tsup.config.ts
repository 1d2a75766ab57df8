import { threadPrograms } from "../../thread-programs.config.js";
import { apart, library } from "../../tsup.config.base.js";

const entry = {
  index: "src/index.ts",
  "ml/index": "src/ml/index.ts",
  "onnx/index": "src/onnx/index.ts",
  "simd/index": "src/simd/index.ts",
  "tables/index": "src/tables/index.ts",
  "threads/index": "src/threads/index.ts",
};

/**
 * Sub-paths that change the package's state import it as `../index.js`, which stays an import of the built package:
 * bundled, it would be a second copy in CommonJS.
 */
export default library(entry, threadPrograms, apart("options", "tables/data-warnings"), {
  name: "one-state",
  setup(build) {
    const path = build.initialOptions.format === "cjs" ? "../index.cjs" : "../index.js";
    build.onResolve({ filter: /^\.\.\/index\.js$/ }, () => ({ path, external: true }));
  },
});
