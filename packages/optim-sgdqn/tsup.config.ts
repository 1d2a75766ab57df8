import { facades, library } from "../../tsup.config.base.js";

export default library({ index: "src/index.ts" }, facades("linear-classifier", "linear-regressor"));
