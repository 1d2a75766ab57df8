import { readFile } from "node:fs/promises";
import { workerProgram } from "../../thread-programs.config.js";
import { apart, library, type Plugin } from "../../tsup.config.base.js";

/**
 * What is loaded on demand is required in CommonJS: an `import()` would bring the ES modules of linalg, and with them a
 * second copy of its state. There a file knows its address by its name.
 */
const commonJs: Plugin = {
  name: "common-js",
  setup({ initialOptions, onLoad }) {
    if (initialOptions.format !== "cjs") return;
    initialOptions.supported = { ...initialOptions.supported, "dynamic-import": false };
    onLoad({ filter: /[\\/]worker[\\/]host\.ts$/ }, async ({ path }) => {
      const address = 'process.getBuiltinModule("node:url").pathToFileURL(__filename).href';
      return {
        contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", address),
        loader: "ts",
      };
    });
  },
};

export default library(
  { index: "src/index.ts", worker: "src/worker/index.ts" },
  commonJs,
  workerProgram("src/worker/program.ts", "worker-program.js"),
  apart("embed"),
);
