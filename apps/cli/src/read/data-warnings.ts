/**
 * What is odd about the data of a command, as `dataWarnings` says it, with flags for remedies. It is said of the data as read, with
 * the columns' names; what a façade says of the data that it is given would be the same again.
 */
import type { Warning } from "@curvature/linalg";
import { type DataWarningOptions, dataWarningCodes, dataWarnings } from "@curvature/linalg/tables";
import { inFlags } from "../run/flag-names.js";
import type { FeatureMatrix } from "./rows.js";

export const oddities = (points: FeatureMatrix, options: DataWarningOptions): readonly string[] =>
  dataWarnings(points, { ...options, remedies: { ...remedies, ...options.remedies } }).map(inFlags);

const remedies = {
  "distinct-labels":
    "For numbers to be predicted choose --loss squared-error; or other labels with --labels.",
  "counting-column": "Leave it out with --ignore, unless the order of the rows is meant.",
} as const;

/** What is said of a run, but for its data, and what is only good to know. */
export const runWarnings = (warnings: readonly Warning[]): readonly string[] =>
  warnings
    .filter(({ code }) => !isNote(code) && !dataWarningCodes.some((each) => each === code))
    .map(inFlags);

/** What is good to know of a run, and wrong with nothing. */
export const runNotes = (warnings: readonly Warning[]): readonly string[] =>
  warnings.filter(({ code }) => isNote(code)).map(inFlags);

const isNote = (code: string): boolean => code === "separable";
