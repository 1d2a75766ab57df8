/** What the columns of a file of points are: numbers, unless they are its labels or left out. */
import { statSync } from "node:fs";
import type { ColumnChoice } from "@curvature/datasets";
import type { Command } from "commander";
import { columnList } from "../arguments.js";

/** Where the labels are: in a column of the points' file (by name, or index counted from 0), or in a file. */
export type LabelSource =
  | { readonly kind: "none" }
  | { readonly kind: "column"; readonly column: ColumnChoice }
  | { readonly kind: "file"; readonly path: string };

export interface ColumnUse {
  readonly labels: LabelSource;
  /** What is left out, whatever stands in it. */
  readonly ignore: readonly ColumnChoice[];
}

/** As the command line says it. */
export interface ColumnFlags {
  readonly labels?: string;
  readonly ignore?: readonly ColumnChoice[];
}

export const columnUse = ({ labels, ignore = [] }: ColumnFlags): ColumnUse => ({
  labels: labelSource(labels),
  ignore,
});

/** A whole number is a column's index; what names an existing file, or has a path's form, is a file; else a column's name. */
export function labelSource(choice: string | undefined): LabelSource {
  if (choice === undefined) return { kind: "none" };
  if (/^\d{1,9}$/.test(choice)) return { kind: "column", column: Number(choice) };
  if (choice === "-" || /[\\/]/.test(choice) || isFile(choice)) return { kind: "file", path: choice };
  return { kind: "column", column: choice };
}

/** Of labels whose place is known already. */
export function labelSourceOf(column: ColumnChoice | undefined, path: string | undefined): LabelSource {
  if (path !== undefined) return { kind: "file", path };
  return column === undefined ? { kind: "none" } : { kind: "column", column };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

export const addIgnoreOption = (command: Command): Command =>
  command.option(
    "--ignore <columns>",
    "columns that are left out, by name or by index from 0, with commas between: id,date",
    columnList,
  );
