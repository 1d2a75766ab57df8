import { apart, library } from "../../tsup.config.base.js";

const entry = {
  index: "src/index.ts",
  state: "src/state.ts",
  "conformance/index": "src/conformance/index.ts",
};

export default library(
  entry,
  apart(
    "facade",
    "facade-run",
    "least-squares/residual-blocks",
    "solvers/box",
    "solvers/start",
    "validation-options",
  ),
);
