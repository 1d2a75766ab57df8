export { type SfoOptions, type SfoSettings, sfoDefaults } from "./options.js";
export { Sfo, type SfoDetails, type SumShape } from "./sfo.js";
