/** What `curvature disentangle` reads: a table of points, a Gram matrix, or distances with or without the objects' names. */
import { readDistanceFile } from "./answers.js";
import type { ColumnUse } from "./column-use.js";
import { bytesOf } from "./file.js";
import { readLabels } from "./labels.js";
import { type Input, type ReadContext, readInput } from "./points.js";

export interface DisentangleInput extends Input {
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
  use: ColumnUse,
  context: ReadContext,
): Promise<DisentangleInput> {
  const source = use.labels;
  if (kind !== "distances" || source.kind === "column" || otherForms.test(path)) {
    const input = await readInput(path, use, context);
    return { ...input, names: undefined, warnings: kind === "points" ? input.warnings : [] };
  }
  const { signal } = context;
  const { distances, names } = await readDistanceFile(path, signal);
  const fromFile =
    source.kind === "file"
      ? await readLabels(source.path, bytesOf(source.path, signal), distances.rows)
      : undefined;
  const table = { columns: names ?? [], points: distances, labels: fromFile?.labels };
  return { table, labelName: fromFile?.name ?? "", names, warnings: [] };
}
