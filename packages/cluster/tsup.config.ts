import { library } from "../../tsup.config.base.js";

export default library({ index: "src/index.ts", redis: "src/redis/index.ts" });
