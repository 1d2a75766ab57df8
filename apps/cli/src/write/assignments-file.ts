/**
 * Clusters as a file: one row per point, in the input's order.
 */
import { writeCsv } from "@curvature/datasets";
import type { Content } from "./atomic-file.js";
import { formatNamed } from "./file-format.js";

export interface Assignments {
  /** Of each point its cluster and its component, from 0. */
  readonly labels: Int32Array;
  readonly components: Int32Array;
  /** How far the point belongs to its cluster, 0 to 1. */
  readonly membership: Float64Array;
  /** Of the data, if there are some. */
  readonly names: readonly string[] | undefined;
  readonly labelName: string;
}

const delimiters = { ".csv": ",", ".tsv": "\t" } as const;

type AssignmentsFormat = keyof typeof delimiters;

/** @throws CurvatureError ERR_OPTION if the name does not end in a known way */
export const assignmentsFormat = (path: string): AssignmentsFormat =>
  formatNamed(path, "--assignments", delimiters);

export function assignmentsContent(
  format: AssignmentsFormat,
  { labels, components, membership, names, labelName }: Assignments,
): Content {
  const data = new Float64Array(3 * labels.length);
  for (let i = 0; i < labels.length; i++) data.set([labels[i], membership[i], components[i]], 3 * i);
  return writeCsv(
    { rows: labels.length, columns: 3, data },
    {
      columns: ["cluster", "membership", "component"],
      delimiter: delimiters[format],
      labels: names,
      labelsName: labelName,
    },
  );
}
