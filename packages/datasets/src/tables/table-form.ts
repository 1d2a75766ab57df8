/** What is asked of the reading of a table, and what it gives. */
import { integerFrom, type OptionsOf, oneOf, optionTable, type SettingsOf, text } from "@curvature/linalg";
import type { Column, DataTable } from "@curvature/linalg/tables";
import { indexBase, recordSizes } from "../formats/shared-options.js";

export const fileForm = () => ({
  /** What the file is, if it does not tell by itself. */
  format: oneOf(
    ...(["auto", "csv", "tsv", "json", "jsonl", "arff", "npy", "npz"] as const),
    ...(["parquet", "arrow", "idx", "libsvm", "matrix-market"] as const),
  ).default("auto"),
  /** Of text: a name that TextDecoder knows (`"utf-16le"`, `"windows-1252"`), or decided. */
  encoding: text.default("auto"),
});

export const tableOptions = optionTable({
  /** The file's name, where it helps: `.gz`, `.svm`. */
  name: text,
  ...fileForm(),
  /** The mark between columns, `" "` for runs of blanks. Left out: decided. */
  delimiter: text.default("auto"),
  /** Whether the first line of the table names the columns. */
  header: oneOf("auto", "yes", "no").default("auto"),
  /** Lines before the table, its names included in what follows. Left out: decided. */
  skip: integerFrom(0),
  /** The decimal mark. */
  decimal: oneOf("auto", ".", ",").default("auto"),
  /** The mark between groups of three digits. */
  thousands: oneOf("auto", "none", ",", ".", "'", " ").default("auto"),
  /** For LIBSVM text: see `LibsvmOptions`. */
  indexBase,
  ...recordSizes,
});
export type TableOptions = OptionsOf<typeof tableOptions>;
export type TableSettings = SettingsOf<typeof tableOptions>;

export type TableKind = "table" | "distances" | "edges";

export interface ReadTable extends DataTable {
  /** What rows and columns are, where they are no points. */
  readonly kind: TableKind;
  /** The index of the column that holds labels, where the file says so: of LIBSVM text, and of what `writeJson` writes. */
  readonly labels: number | undefined;
  /** What was decided beside the plain case, in sentences. */
  readonly notes: readonly string[];
  /** How the file is written. */
  readonly form: {
    readonly format: "delimited" | Exclude<TableSettings["format"], "auto" | "csv" | "tsv">;
    /** Of text. */
    readonly encoding: string | undefined;
    readonly delimiter: string | undefined;
  };
}

/** What a reader of one format found. */
export interface Found {
  readonly rows: number;
  readonly columns: readonly Column[];
  readonly isNamed: boolean;
  /** The index of the column that holds labels, where the format says so. */
  readonly labels?: number;
}
