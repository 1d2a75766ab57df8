/** What `curvature disentangle` reads: a table of points, a Gram matrix, or distances with or without the objects' names. */

import type { DenseMatrix } from "@curvature/linalg";
import { readDistanceFile } from "./answers.js";
import { type Data, type DataUse, labelFilesOf, type ReadContext, readData } from "./data.js";
import { bytesOf } from "./file.js";
import { readLabels } from "./labels.js";

export interface DisentangleInput
  extends Pick<
    Data<DenseMatrix>,
    | "points"
    | "columns"
    | "labelName"
    | "kept"
    | "notes"
    | "warnings"
    | "preparation"
    | "isLibsvm"
    | "isShort"
  > {
  readonly labels: readonly string[] | undefined;
  /** Of the objects, from the first line or column of their distances. */
  readonly names: readonly string[] | undefined;
}

/** Of files whose rows are no lines of cells. */
const otherForms = /\.(json|jsonl|ndjson|idx)(\.gz)?$/i;

/**
 * @param path - a file, or - for standard input
 * @throws CurvatureError ERR_IO, ERR_PARSE, ERR_NON_FINITE, ERR_SHAPE, ERR_OPTION; an AbortError if `signal` is
 */
export async function readDisentangleInput(
  path: string,
  kind: "points" | "gram" | "distances",
  use: DataUse,
  context: ReadContext,
): Promise<DisentangleInput> {
  const [labelFile] = labelFilesOf(use);
  if (
    kind !== "distances" ||
    (use.labels !== undefined && labelFile === undefined) ||
    otherForms.test(path)
  ) {
    const data = await readData(path, use, context, { isSquare: kind !== "points" });
    const labels = data.labels && Array.from(data.labels, String);
    return { ...data, labels, names: undefined };
  }
  const { signal } = context;
  const { distances, names } = await readDistanceFile(path, signal);
  const fromFile =
    labelFile === undefined
      ? undefined
      : await readLabels(labelFile, bytesOf(labelFile, signal), distances.rows);
  return {
    points: distances,
    columns: undefined,
    preparation: undefined,
    isLibsvm: false,
    isShort: false,
    labels: fromFile?.labels,
    labelName: fromFile?.name ?? "",
    names,
    kept: { names: [], rows: [] },
    notes: [],
    warnings: [],
  };
}
