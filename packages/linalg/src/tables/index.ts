/** `@curvature/linalg/tables`: tables of named columns, and how they become matrices. It parses nothing. */
export { type ColumnAccount, describeTable, leakingColumns, type TableAccount } from "./account.js";
export {
  type DataWarningCode,
  type DataWarningOptions,
  dataWarningCodes,
  dataWarnings,
} from "./data-warnings.js";
export {
  applyPreparation,
  columnChoices,
  isPreparation,
  numericPreparation,
  type Preparation,
  type PreparationOptions,
  type PreparedColumn,
  type PreparedRows,
  preparationOptions,
  prepare,
  preparedNames,
  suggestedPreparation,
} from "./preparation.js";
export {
  type Column,
  type ColumnChoice,
  type ColumnType,
  columnIndex,
  type DataTable,
  type NumberView,
  numberAt,
  type OddCell,
  placeOf,
  textAt,
} from "./table.js";
