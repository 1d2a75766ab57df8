import { library } from "../../tsup.config.base.js";

export default library({
  "embedding/index": "src/embedding/index.ts",
  "linear/index": "src/linear/index.ts",
  "ordinal/index": "src/ordinal/index.ts",
  "networks/index": "src/networks/index.ts",
  "sums/index": "src/sums/index.ts",
});
