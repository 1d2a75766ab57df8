import { library } from "../../tsup.config.base.js";

export default library({
  index: "src/index.ts",
  "digits/index": "src/digits/index.ts",
  "eurodist/index": "src/eurodist/index.ts",
});
