import { library } from "../../tsup.config.base.js";

export default library({ index: "src/index.ts", "conformance/index": "src/conformance/index.ts" });
