import { viewerProgram } from "../../thread-programs.config.js";
import { library } from "../../tsup.config.base.js";

export default library(
  { index: "src/index.ts", mount: "src/mount.ts", pictures: "src/pictures.ts" },
  viewerProgram,
);
