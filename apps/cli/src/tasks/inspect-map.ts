/** The work of `curvature inspect` on a map: what it is, as plain data. */
import { preparedNames } from "@curvature/linalg/tables";
import type { ModelFile } from "../read/model-file.js";
import { mapIn } from "./transform.js";

export interface MapInspection {
  readonly rows: number;
  readonly axes: number;
  /** Columns of the rows that it takes, and their names, where the table had some. */
  readonly columns: number;
  readonly names: readonly string[] | undefined;
  /** What happens to rows before they are compared. */
  readonly scaling: string;
  readonly components: number | undefined;
  readonly method: string;
  readonly metric: string;
  readonly perplexity: number | readonly number[];
  readonly lambda: number;
  readonly neighbors: number | "all";
  /** Of the rows, as they are compared, which are in the file: rows × numbers. */
  readonly data: readonly [rows: number, numbers: number];
  readonly bytes: number;
}

/** @throws CurvatureError ERR_PARSE, with the file's name */
export function inspectMapTask(file: ModelFile): MapInspection {
  const { columns, parts } = mapIn(file);
  const { data, places, preparation, scaling, projection, settings } = parts;
  const { method, metric, perplexity, lambda, neighbors } = settings;
  return {
    rows: places.rows,
    axes: places.columns,
    columns,
    names: preparation?.isNamed === true ? preparedNames(preparation) : undefined,
    scaling: scaling?.method ?? "none",
    components: projection === undefined ? undefined : data.columns,
    ...{ method, metric, perplexity, lambda, neighbors },
    data: [data.rows, data.columns],
    bytes: file.bytes.length,
  };
}
