import { apart, library } from "../../tsup.config.base.js";

export default library({ index: "src/index.ts" }, apart("nomad", "cluster-points"));
