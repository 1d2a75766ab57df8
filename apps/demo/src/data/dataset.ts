/** Data that a view works on, whatever it came from. */
import type { DenseMatrix } from "@curvature/linalg";
import type { PreparationOptions } from "@curvature/linalg/tables";
import { words } from "../state/fields.js";
import type { Reading, TableChoices } from "./table-fields.js";

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
  /** What was left out or filled on the way from a table, in sentences. */
  readonly notes: readonly string[];
  /** The visitor's file, and how it became this. */
  readonly ofFile:
    | {
        /** As it is called on the disk. */
        readonly name: string;
        readonly mark: string;
        readonly reading: Reading;
        readonly preparation: PreparationOptions;
        readonly scale: "none" | "standard";
      }
    | undefined;
  /** The rows that the file has, where not all were taken but a random sample. */
  readonly takenFrom: number | undefined;
}

/** The same for the same file; it tells nothing of it, so that a link may have it. */
export const fileMark = ({ size, lastModified }: File): string => `${size}.${lastModified}`;

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
  notes: [],
  ofFile: undefined,
  takenFrom: undefined,
});

export interface GeneratedRequest {
  readonly kind: "generated";
  readonly set: GeneratedName;
  readonly count: number;
  readonly noise: number;
  readonly seed: number;
}

/** What to load. */
export type DataRequest =
  | { readonly kind: "digits" }
  | GeneratedRequest
  | {
      readonly kind: "file";
      readonly file: File;
      readonly reading: Reading;
      readonly choices: TableChoices;
      /** Whether the labels are to be learned: rows without one are then of no use. */
      readonly areTargets: boolean;
      /** Whether somebody has looked at the table and taken it. */
      readonly isTaken: boolean;
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
  label: "Or a file of your own: CSV, TSV, JSON, ARFF, NPY, Parquet …, or .gz of these",
  accept:
    ".csv,.tsv,.tab,.txt,.dat,.data,.json,.jsonl,.ndjson,.arff,.npy,.npz,.idx,.svm,.libsvm,.mtx,.parquet,.arrow,.feather,.gz,.zst",
} as const;

/** A column's name in a link. */
export const columnName = words(200);
