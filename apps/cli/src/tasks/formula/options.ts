/** Of a fit by a formula. */
import { either, optionTable, type SettingsOf } from "@curvature/linalg";
import { leastSquaresOptions } from "@curvature/optim-core";

const { loss, lossScale, level } = leastSquaresOptions.entries;

/** The scale of a loss has no default but by the data. */
export const formulaOptions = optionTable({ loss, level, lossScale: either(lossScale) });
export type FormulaSettings = SettingsOf<typeof formulaOptions>;
