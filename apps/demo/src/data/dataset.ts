/** Data that a view works on, whatever it came from. */
import type { DenseMatrix } from "@curvature/linalg";
import { words } from "../state/fields.js";

export interface Dataset {
  /** For headings and files: "digits", "swiss-roll", a file's name without its ending. */
  readonly name: string;
  readonly points: DenseMatrix;
  /** The names of the columns of points. */
  readonly columns: readonly string[];
  /** One per point. */
  readonly labels: readonly string[] | undefined;
  /** What the labels are: a column's name. */
  readonly labelName: string | undefined;
  /** Where each point is a picture: its rows, columns and largest grey value (0 is the ground). */
  readonly image: { readonly rows: number; readonly columns: number; readonly most: number } | undefined;
  /** Columns that could be labels, of a file with names. */
  readonly choices: readonly string[];
  /** Columns of words that are no labels, and no data, by their places in the file. */
  readonly leftOut: readonly { readonly index: number; readonly name: string }[];
  /** The visitor's file, as it is called on the disk. */
  readonly fileName: string | undefined;
  /** The rows that the file has, where not all were taken but a random sample. */
  readonly takenFrom: number | undefined;
}

/** Without labels, and what only files have. */
export const plainDataset = (
  name: string,
  points: DenseMatrix,
  columns: readonly string[] = Array.from({ length: points.columns }, (_, j) => `x${j + 1}`),
): Dataset => ({
  name,
  points,
  columns,
  labels: undefined,
  labelName: undefined,
  image: undefined,
  choices: [],
  leftOut: [],
  fileName: undefined,
  takenFrom: undefined,
});

export interface GeneratedRequest {
  readonly kind: "generated";
  readonly set: GeneratedName;
  readonly count: number;
  readonly noise: number;
  readonly seed: number;
}

/** What to load. A file's labels: a column's name, "" for none, undefined for the one that looks like it. */
export type DataRequest =
  | { readonly kind: "digits" }
  | GeneratedRequest
  | {
      readonly kind: "file";
      readonly file: File;
      readonly labels: string | undefined;
      readonly mostBytes: number;
      /** Rows beyond which a random sample is taken. */
      readonly mostRows: number;
    };

export const generatedNames = {
  "swiss-roll": "Swiss roll",
  "s-curve": "S-curve",
  trefoil: "Trefoil knot",
  rings: "Concentric rings",
  blobs: "Gaussian clouds, 10-D",
  loops: "Closed loops, 50-D",
  curves: "Pictures of curves, 784-D",
} as const;
type GeneratedName = keyof typeof generatedNames;

export const dataNames = {
  digits: "Handwritten digits (1,797)",
  ...generatedNames,
  file: "Your file",
} as const;

/** What one is asked for: any table of points that the packages read. */
export const pointFiles = {
  label: "Or a file of your own: CSV, TSV, NPY, IDX, JSON, LIBSVM, or .gz of these",
  accept: ".csv,.tsv,.tab,.txt,.dat,.npy,.idx,.json,.jsonl,.ndjson,.svm,.libsvm,.gz",
} as const;

/** A column's name in a link. */
export const columnName = words(200);
