import { apart, library } from "../../tsup.config.base.js";

/**
 * What is loaded on demand is required in CommonJS: an `import()` would bring the ES modules of linalg, and with them a
 * second copy of its state.
 */
export default library({ index: "src/index.ts" }, apart("embed"), {
  name: "one-state",
  setup(build) {
    if (build.initialOptions.format === "cjs")
      build.initialOptions.supported = { ...build.initialOptions.supported, "dynamic-import": false };
  },
});
