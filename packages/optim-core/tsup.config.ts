import { library } from "../../tsup.config.base.js";

export default library({
  index: "src/index.ts",
  state: "src/state.ts",
  "conformance/index": "src/conformance/index.ts",
});
