/**
 * What `curvature embed` reads: points with their labels. Where principal components are asked for, LIBSVM text stays
 * sparse (in single precision) up to them; else its zeros are written out.
 */
import { readRows } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";
import { inFlags } from "../run/flag-names.js";
import { checkComponentsFit } from "../run/memory.js";
import type { ColumnUse } from "./column-use.js";
import { bytesOf, inFile, shownName } from "./file.js";
import { readLabels } from "./labels.js";
import { columnOptions, type ReadContext, readInput, readWith, warningsOn } from "./points.js";
import type { FeatureMatrix } from "./rows.js";

export interface EmbedInput {
  readonly points: FeatureMatrix;
  /** Names of the columns, where the input has any. */
  readonly columns: readonly string[] | undefined;
  readonly labels: readonly string[] | undefined;
  /** What the labels are called; "" without labels. */
  readonly labelName: string;
  readonly warnings: readonly string[];
}

/**
 * @param path - a file, or - for standard input
 * @param pca - how many components are asked for
 * @throws CurvatureError ERR_IO, ERR_PARSE, ERR_NON_FINITE, ERR_SHAPE, ERR_OPTION, ERR_MEMORY; an AbortError if
 *   `signal` is
 */
export async function readEmbedInput(
  path: string,
  use: ColumnUse,
  pca: number | undefined,
  context: ReadContext,
): Promise<EmbedInput> {
  const source = use.labels;
  if (pca === undefined || source.kind === "column") return readDense(path, use, context);
  const read = await readWith(readRows, path, bytesOf(path, context.signal), columnOptions(use), context);
  const points = read.kind === "sparse" ? read.rows : read.points;
  if (read.kind === "sparse") {
    if (points.columns === 0) throw inFile(path, labelsOnly());
    checkComponentsFit(points.columns, pca);
  }
  const columns = read.kind === "sparse" ? undefined : read.columns;
  const warnings =
    read.kind === "sparse"
      ? read.warnings.map((sentence) => `${shownName(path)}: ${sentence}`)
      : warningsOn(path, read, use);
  if (source.kind === "file") {
    const fromFile = await readLabels(source.path, bytesOf(source.path, context.signal), points.rows);
    return { points, columns, labels: fromFile.labels, labelName: fromFile.name, warnings };
  }
  const labels = read.labels === undefined ? undefined : Array.from(read.labels, String);
  return { points, columns, labels, labelName: labels === undefined ? "" : "label", warnings };
}

async function readDense(path: string, use: ColumnUse, context: ReadContext): Promise<EmbedInput> {
  try {
    const { table, labelName, warnings } = await readInput(path, use, context);
    const { points, columns, labels } = table;
    return { points, columns, labels, labelName, warnings };
  } catch (error) {
    if (!(error instanceof CurvatureError) || error.code !== "ERR_MEMORY") throw error;
    throw new CurvatureError(
      "ERR_MEMORY",
      `${inFlags(error)} Or map its principal components: with --pca 50, LIBSVM text is read without its zeros.`,
      { path, expected: error.expected ?? "less", received: error.received, cause: error },
    );
  }
}

const labelsOnly = (): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    "The input has labels only. Give at least one row with at least one number.",
    { expected: "at least one row of data" },
  );
