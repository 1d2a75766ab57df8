/** Clusters as tables on the terminal: sizes and centres, and beside classes that are known. */
import { printable } from "@curvature/linalg";
import { count, shortNumber } from "../run/terminal.js";
import type { ClusterInspection } from "../tasks/assign.js";
import type { Agreement, ClusterAccount } from "../tasks/clusters.js";
import { aligned } from "./evaluation-results.js";

/** More than these no terminal shows. */
const maxClusters = 20;
const maxColumns = 6;
const maxClasses = 10;
const maxName = 16;

const clipped = (name: string): string => {
  const text = printable(name);
  return text.length > maxName ? `${text.slice(0, maxName - 1)}…` : text;
};

const indented = (rows: readonly (readonly string[])[]): string[] =>
  aligned(rows).map((line) => `    ${line}`);

const more = (what: string, all: number, shown: number, where = "--report"): string[] => {
  const many = what === "class" ? "classes" : `${what}s`;
  const rest = all - shown;
  return rest > 0 ? [`    … and ${count(rest)} more ${rest === 1 ? what : many} (${where})`] : [];
};

export const centersWords = {
  means: "means in the data's units",
  "means of unit rows": "means of rows of length 1",
  places: "places above the means of points on the globe, in degrees",
} as const;

/** @param columns - their names, where there are some */
export function clusterLines(
  { sizes, centers, centersAre }: ClusterAccount,
  columns: readonly string[] | undefined,
): string[] {
  const d = centers?.columns ?? 0;
  const width = Math.min(d, maxColumns);
  const names = Array.from({ length: width }, (_, j) => clipped(columns?.[j] ?? `column ${j}`));
  const cells = (c: number): string[] => Array.from(centers?.data.subarray(c * d, c * d + width) ?? [], cell);
  const isNone = (c: number): boolean => Number.isNaN(centers?.data[c * d] ?? 0);
  const shown = Array.from(sizes.slice(0, maxClusters).keys());
  return [
    centers === undefined ? "  sizes of the clusters" : `  clusters, ${centersWords[centersAre]}`,
    ...indented([
      ["cluster", "rows", ...names],
      ...shown.map((c) => [String(c), count(sizes[c]), ...cells(c)]),
    ]),
    ...more("cluster", sizes.length, shown.length),
    ...more("column", d, width),
    ...noCentre(Array.from(sizes.keys()).filter(isNone)),
  ];
}

/** Of a centre; there is none of places all around the globe. */
const cell = (value: number): string => (Number.isNaN(value) ? "none" : shortNumber(value));

function noCentre(clusters: readonly number[]): string[] {
  if (clusters.length === 0) return [];
  const shown = clusters.slice(0, maxClusters).join(", ");
  const are = clusters.length === 1 ? `cluster ${shown} lie` : `clusters ${shown} lie`;
  return [
    `  the rows of ${are} all around the globe, their mean near the earth's middle: no place is their centre`,
  ];
}

/** @param name - of the labels */
export function agreementLines(agreement: Agreement | undefined, name: string): string[] {
  if (agreement === undefined) return [];
  const { adjustedRandIndex, clusters, classes, counts, rows } = agreement;
  const shown = classes.slice(0, maxClasses).map((each) => clipped(String(each)));
  const of = name === "" ? "the labels" : JSON.stringify(printable(name));
  return [
    `  beside ${of} (${count(rows)} rows), of which the clusters know nothing: adjusted Rand index ${adjustedRandIndex.toFixed(3)} (1: the same groups; 0: as by chance)`,
    ...indented([
      ["cluster", ...shown],
      ...clusters
        .slice(0, maxClusters)
        .map((cluster, r) => [String(cluster), ...counts[r].slice(0, maxClasses).map(count)]),
    ]),
    ...more("cluster", clusters.length, maxClusters),
    ...more("class", classes.length, maxClasses),
  ];
}

/** A model on a few lines. */
export function clusterModelLines(name: string, inspection: ClusterInspection, all: boolean): string[] {
  const { clusters, features, columns, scaling, cost, costLower, sizes, centers, radiusShares, radii } =
    inspection;
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  const width = all ? features : Math.min(features, maxColumns);
  const shown = Array.from({ length: all ? clusters : Math.min(clusters, maxClusters) }, (_, c) => c);
  const names = Array.from({ length: width }, (_, j) => clipped(columns?.[j] ?? `column ${j}`));
  const farthest = radiusShares.length - 1;
  const facts = [
    [
      "found in",
      `${count(rows)} rows of ${count(features)} ${features === 1 ? "column" : "columns"}, ${scalingWords[scaling] ?? scaling}`,
    ],
    ["cost", cost === undefined ? "not known" : precise(cost)],
    ...(cost === undefined || costLower === undefined
      ? []
      : [["no labels cost less", precise((1 - 5e-7) * costLower)]]),
  ];
  return [
    `${printable(name)}: ${count(clusters)} clusters`,
    ...facts.map(([fact, value]) => `  ${fact.padEnd(22)}${value}`),
    `  ${centersWords[scaling === "unit-rows" ? "means of unit rows" : scaling === "sphere" ? "places" : "means"]}, and distances from the centre of half of the rows and of the farthest one${scaling === "sphere" ? ", in km along the globe" : ""}`,
    ...indented([
      ["cluster", "rows", "half", "farthest", ...names],
      ...shown.map((c) => [
        String(c),
        count(sizes[c]),
        shortNumber(radii[c][0]),
        shortNumber(radii[c][farthest]),
        ...centers[c].slice(0, width).map(cell),
      ]),
    ]),
    ...more("column", features, width, "--all"),
    ...more("cluster", clusters, shown.length, "--all"),
    ...noCentre(Array.from(centers.keys()).filter((c) => Number.isNaN(centers[c][0]))),
  ];
}

const scalingWords: Readonly<Record<string, string>> = {
  none: "as they are",
  standard: "standardised: cost and distances are of columns of standard deviation 1",
  "unit-rows": "each row at length 1 (cosine): cost and distances are of these",
  sphere: "places on the globe (haversine): the cost is of chords, in km²",
};

const precise = (value: number): string => String(Number(value.toPrecision(7)));

/** More classes than these are no table. */
const maxReported = 200;

/** For a report. */
export const agreementRecord = (agreement: Agreement | undefined): object | null =>
  agreement === undefined
    ? null
    : {
        adjustedRandIndex: agreement.adjustedRandIndex,
        rows: agreement.rows,
        clusters: agreement.clusters,
        ...(agreement.classes.length > maxReported
          ? { classes: null, counts: null }
          : { classes: agreement.classes, counts: agreement.counts }),
      };
