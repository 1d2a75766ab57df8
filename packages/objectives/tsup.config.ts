import { library } from "../../tsup.config.base.js";

export default library({ "embedding/index": "src/embedding/index.ts" });
