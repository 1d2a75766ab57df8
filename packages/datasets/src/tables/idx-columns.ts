/** IDX as a table. */
import { idxMatrix } from "../formats/idx.js";
import { matrixTable } from "./column-store.js";
import type { Found } from "./table-form.js";

/** @throws CurvatureError as `readIdx`, but NaN is a missing value */
export const idxColumns = (bytes: Uint8Array<ArrayBuffer>): Found => matrixTable(idxMatrix(bytes));
