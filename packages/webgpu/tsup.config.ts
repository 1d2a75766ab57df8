import { library } from "../../tsup.config.base.js";

export default library({ index: "src/index.ts", kernels: "src/kernels.ts" });
