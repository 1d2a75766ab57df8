/** `@curvature/linalg/tables`: what is to be known of a table before it is mapped, clustered or learned from. */
export {
  type DataWarningCode,
  type DataWarningOptions,
  dataWarningCodes,
  dataWarnings,
} from "./data-warnings.js";
