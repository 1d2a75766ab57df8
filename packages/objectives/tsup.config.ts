import { threadPrograms } from "../../thread-programs.config.js";
import { apart, library } from "../../tsup.config.base.js";

const entry = {
  "embedding/index": "src/embedding/index.ts",
  "embedding/threads/index": "src/embedding/threads/index.ts",
  "linear/index": "src/linear/index.ts",
  "ordinal/index": "src/ordinal/index.ts",
  "networks/index": "src/networks/index.ts",
  "onnx/index": "src/onnx/index.ts",
  "sums/index": "src/sums/index.ts",
};

export default library(entry, threadPrograms, apart("embedding/options"));
