import { apart, library } from "../../tsup.config.base.js";

export default library(
  { index: "src/index.ts", onnx: "src/onnx.ts" },
  apart("linear-classifier", "linear-regressor"),
);
