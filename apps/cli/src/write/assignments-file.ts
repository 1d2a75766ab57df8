/**
 * Clusters as a file: one row per point, in the input's order.
 */
import { writeCells } from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import type { KeptCells } from "../read/data.js";
import type { Content } from "./atomic-file.js";
import { formatNamed } from "./file-format.js";
import { rowsBeside } from "./map-file.js";

export interface Assignments {
  /** Of each point its cluster and its component, from 0. */
  readonly labels: Int32Array;
  readonly components: Int32Array;
  /** How far the point belongs to its cluster, 0 to 1. */
  readonly membership: Float64Array;
  /** How far it lies outside of its cluster, where that is known. */
  readonly outlierScore: Float64Array | undefined;
  /** Of the data, if there are some. */
  readonly names: readonly string[] | undefined;
  readonly labelName: string;
  /** Columns of the data that go beside. */
  readonly kept: KeptCells;
}

const delimiters = { ".csv": ",", ".tsv": "\t" } as const;

type AssignmentsFormat = keyof typeof delimiters;

/** @throws CurvatureError ERR_OPTION if the name does not end in a known way */
export const assignmentsFormat = (path: string, option = "--assignments"): AssignmentsFormat =>
  formatNamed(path, option, delimiters);

export function assignmentsContent(
  format: AssignmentsFormat,
  { labels, components, membership, outlierScore, names, labelName, kept }: Assignments,
): Content {
  const columns = [
    "cluster",
    "membership",
    "component",
    ...(outlierScore === undefined ? [] : ["outlier_score"]),
  ];
  const data = new Float64Array(columns.length * labels.length);
  for (let i = 0; i < labels.length; i++) {
    const score = outlierScore === undefined ? [] : [outlierScore[i]];
    data.set([labels[i], membership[i], components[i], ...score], columns.length * i);
  }
  const rows = { rows: labels.length, columns: columns.length, data };
  return writeCells(rowsBeside(rows, columns, names, labelName, kept, "found"), {
    delimiter: delimiters[format],
  });
}

/** The labels of 2, 3, … groups, a column for each. */
export function hierarchyContent(
  format: AssignmentsFormat,
  levels: DenseMatrix = { rows: 0, columns: 0, data: new Float64Array(0) },
  { names, labelName, kept }: Pick<Assignments, "names" | "labelName" | "kept">,
): Content {
  const columns = Array.from({ length: levels.columns }, (_, level) => `clusters_${level + 2}`);
  return writeCells(rowsBeside(levels, columns, names, labelName, kept, "found"), {
    delimiter: delimiters[format],
  });
}
