/**
 * What `curvature disentangle` says of its result: under the plot's title, on the terminal, in the report.
 */
import { decimalBelow, printable } from "@curvature/linalg";
import type { WardMerge } from "@curvature/optim-sdp";
import type { Dendrogram } from "../plot/dendrogram.js";
import type { ChartData } from "../plot/index.js";
import type { DisentangleInput } from "../read/disentangle-input.js";
import { count, duration, shortNumber, shortNumberBelow } from "../run/terminal.js";
import type { DisentangleTaskOutput } from "../tasks/disentangle.js";
import { programVersion } from "../version.js";
import type { Report } from "../write/report.js";
import { agreementLines, agreementRecord, centersWords, clusterLines } from "./cluster-lines.js";
import { dataOptions } from "./data-flags.js";
import type { DisentangleFlags } from "./disentangle-flags.js";

const lastClusters = ({ layers }: DisentangleTaskOutput): number => layers[layers.length - 1].clusters;

const layerList = (output: DisentangleTaskOutput): string =>
  output.layers.map(({ clusters }) => shortly(clusters)).join(", ");

export function plotSubtitle({ points }: DisentangleInput, output: DisentangleTaskOutput): string {
  const { metrics, layers, varianceExplained, scene, curves, options } = output;
  if (curves !== undefined)
    return [
      curves.clusters === 1 ? "1 curve" : `${count(curves.clusters)} curves`,
      `${count(points.rows)} points`,
      `cut ${shortNumber(curves.cut)}`,
      Number.isFinite(metrics.upperBound) ? `no cut below ${shortNumberBelow(curves.cutLower)}` : "no bound",
    ].join(" · ");
  return [
    "NOMAD",
    `${count(points.rows)} points`,
    layers.length > 1 ? `layers of K = ${layerList(output)}` : `K = ${shortly(lastClusters(output))}`,
    ...(metrics.noise > 0 ? [`${count(metrics.noise)} of noise`] : []),
    Number.isFinite(metrics.gap) ? `certified gap of Q ${gapText(metrics.gap)}` : "no upper bound",
    ...(options["scaling"] === "standard" ? ["columns standardised"] : []),
    ...(options["scaling"] === "unit" ? ["cosine"] : []),
    ...(options["scaling"] === "sphere" ? ["on the globe"] : []),
    metrics.components === 1 ? "1 component" : `${count(metrics.components)} components`,
    ...(scene.kind === "together" ? [`${percent(varianceExplained)} of the variance`] : []),
  ].join(" · ");
}

/** Of each cluster its number, its rows, and, beside classes, the most frequent one. */
export function dendrogramOf(
  title: string,
  { clusters, agreement, tree }: DisentangleTaskOutput,
): Dendrogram {
  const { sizes } = clusters;
  const points = sizes.reduce((sum, size) => sum + size, 0); // those of noise are in none
  const classOf = (c: number): string => {
    const counts = agreement?.counts[agreement.clusters.indexOf(c)] ?? [];
    const most = counts.reduce((best, each) => Math.max(best, each), 0);
    return most === 0 ? "" : ` · mostly ${agreement?.classes[counts.indexOf(most)]} (${count(most)})`;
  };
  return {
    title,
    subtitle: `${count(sizes.length)} clusters of ${count(points)} points, joined two by two (Ward)`,
    xTitle: "root of what the union adds to the cost",
    names: sizes.map(
      (size, c) => `cluster ${c} · ${count(size)} ${size === 1 ? "row" : "rows"}${classOf(c)}`,
    ),
    merges: (tree?.merges ?? []).map(({ a, b, increase }) => ({ a, b, height: Math.sqrt(increase) })),
  };
}

export function summaryLines(input: DisentangleInput, output: DisentangleTaskOutput): string[] {
  const { points, columns: columnNames, labelName } = input;
  const { result, metrics, layers, varianceExplained, options } = output;
  const { rows, columns } = points;
  const lines = [
    `${output.curves === undefined ? "NOMAD" : "Curves"} of ${count(rows)} point${rows === 1 ? "" : "s"} in ${count(columns)} dimension${columns === 1 ? "" : "s"}, K = ${shortly(lastClusters(output))}. ${printable(result.message)}`,
  ];
  if (output.choice !== undefined) lines.push(...choiceLines(output.choice));
  const figure = (name: string, value: string): unknown => lines.push(`  ${name.padEnd(22)}${value}`);
  const scaled = scalingWords[String(options["scaling"])];
  if (scaled !== undefined) figure("data", scaled);
  const { lowerBound, upperBound, gap, cost, costLower, costGap } = metrics;
  if (output.curves !== undefined) {
    const { cut, cutLower, cutGap, kernel, kernels } = output.curves;
    figure("cut of the curves", shortNumber(cut));
    figure("no cut is below", shortNumberBelow(cutLower));
    figure("gap of the cut", gapText(cutGap));
    figure("kernel", kernel);
    for (const { kernel: name, cuts } of kernels)
      figure(
        `cuts, ${name}`,
        cuts
          .slice(0, 5)
          .map((value) => shortNumber(value))
          .join(", "),
      );
    figure("work", `${count(result.iterations)} iterations, ${duration(result.elapsedSeconds)}`);
    return lines;
  }
  if (cost !== undefined && costLower !== undefined && costGap !== undefined) {
    figure("cost of the labels", precise(cost));
    figure("no labels cost less", preciseBelow(costLower));
    figure("gap of the cost", gapText(costGap));
  }
  if (metrics.noise > 0) figure("noise, label -1", `${count(metrics.noise)} of ${count(rows)} points`);
  figure("value of Q", precise(lowerBound));
  if (Number.isFinite(upperBound)) {
    figure("upper bound", precise(upperBound));
    figure("gap of the value", gapText(gap));
  } else figure("upper bound", "none");
  figure("components", count(metrics.components));
  if (metrics.rank !== undefined) figure("rank", count(metrics.rank));
  if (layers.length > 1) figure("layers", layerList(output));
  figure("embedding", `${percent(varianceExplained)} of the variance`);
  figure("work", `${count(result.iterations)} iterations, ${duration(result.elapsedSeconds)}`);
  lines.push(...clusterLines(output.clusters, columnNames), ...agreementLines(output.agreement, labelName));
  return lines;
}

const scalingWords: Readonly<Record<string, string>> = {
  standard: "columns brought to mean 0 and standard deviation 1; costs, bounds and distances are of these",
  unit: "rows brought to length 1 (cosine); costs, bounds and distances are of these",
  sphere: "places on the globe (haversine); costs and bounds are of squared chords, in km²",
};

/** A line for each K that was tried. */
function choiceLines({ clusters, table }: NonNullable<DisentangleTaskOutput["choice"]>): string[] {
  const cells = [
    ["", "K", "cost", "no less than", "gap", "BIC", "silhouette"],
    ...table.map((row) => [
      row.clusters === clusters ? "*" : "",
      String(row.clusters),
      precise(row.cost),
      preciseBelow(row.costLower),
      row.isClosed ? gapText(row.costGap) : `${percent(row.costGap)} open`,
      Number.isFinite(row.bic) ? row.bic.toFixed(1) : "-inf",
      row.silhouette === undefined ? "" : row.silhouette.toFixed(3),
    ]),
  ];
  const widths = cells[0].map((_, c) => Math.max(...cells.map((row) => row[c].length)));
  return [
    ...cells.map((row) => `  ${row.map((cell, c) => cell.padStart(widths[c])).join("  ")}`.trimEnd()),
    `  * is of the least BIC: a finding, not a fact. Open: the bound does not prove that the cost is within 1 % of the least.`,
  ];
}

const wideRange = 20;

/** BIC over K, and the cost with the bound below it. */
export function choiceChart(title: string, { choice, metrics }: DisentangleTaskOutput): ChartData {
  const { clusters, table } = choice ?? { clusters: 0, table: [] };
  const line = (name: string, y: (row: (typeof table)[number]) => number) => ({
    name,
    points: table.map((row) => ({ x: row.clusters, y: y(row) })).filter((point) => Number.isFinite(point.y)),
  });
  const bic = line("BIC", (row) => row.bic);
  const costs = table.flatMap(({ cost, costLower }) => [cost, costLower]);
  // A line in powers of ten shows the bound beside the costs of large K, too.
  const isLogarithmic =
    costs.every((cost) => cost > 0) && Math.max(...costs) > wideRange * Math.min(...costs);
  const panels = [
    ...(bic.points.length > 0 ? [{ title: "BIC, the less the better", lines: [bic] }] : []),
    {
      title: "Cost of the labels, and what no labels cost less than",
      lines: [line("cost", (row) => row.cost), line("bound", (row) => row.costLower)],
      isLogarithmic,
    },
  ];
  const noise =
    metrics.noise > 0 ? [`${count(metrics.noise)} ${metrics.noise === 1 ? "point" : "points"} of noise`] : [];
  const found = clusters === 1 ? "no structure of clusters found" : `K = ${clusters} has the least BIC`;
  return { title, subtitle: [found, "a finding, not a fact", ...noise].join(" · "), xTitle: "K", panels };
}

interface DisentangleReport extends Report {
  readonly choice: DisentangleTaskOutput["choice"] | null;
  readonly layers: DisentangleTaskOutput["layers"];
  readonly attempts: DisentangleTaskOutput["attempts"];
  readonly embedding: { readonly varianceExplained: number };
  readonly clusters: object;
  readonly agreement: object | null;
  readonly hierarchy: readonly WardMerge[] | undefined;
  readonly curves?: DisentangleTaskOutput["curves"];
}

export function disentangleReport(
  flags: DisentangleFlags,
  file: string,
  input: DisentangleInput,
  output: DisentangleTaskOutput,
): DisentangleReport {
  const { points, columns, labels, labelName, notes } = input;
  const { usable: _, ...result } = output.result;
  const { scaling, ...options } = output.options;
  const { sizes, centers, centersAre } = output.clusters;
  return {
    command: "disentangle",
    version: programVersion(),
    input: {
      file,
      rows: points.rows,
      columns: points.columns,
      notes,
      labels: labels === undefined ? null : labelName,
      classes: labels === undefined ? null : new Set(labels).size,
    },
    options: {
      ...options,
      standardize: scaling === "standard",
      metric: scaling === "unit" ? "cosine" : scaling === "sphere" ? "haversine" : "euclidean",
      ...dataOptions(flags),
    },
    result,
    metrics: { ...output.metrics },
    choice: output.choice ?? null,
    layers: output.layers,
    attempts: output.attempts,
    embedding: { varianceExplained: output.varianceExplained },
    clusters: {
      columns: columns ?? null,
      sizes,
      centers:
        centers &&
        sizes.map((_size, c) =>
          Array.from(centers.data.subarray(c * centers.columns, (c + 1) * centers.columns)),
        ),
      centersAre: centers && centersWords[centersAre],
    },
    agreement: agreementRecord(output.agreement),
    hierarchy: output.tree?.merges,
    ...(output.curves === undefined ? {} : { curves: output.curves }),
    phases: output.phases,
    warnings: output.warnings,
  };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const shortly = (value: number): string => String(Number(value.toPrecision(4)));
/** Digits of a cost. */
const digits = 7;
const precise = (value: number): string => String(Number(value.toPrecision(digits)));
/** A bound that is rounded up is none. */
const preciseBelow = (value: number): string => String(decimalBelow(value, digits));
const gapText = (gap: number): string => (gap === 0 ? "0" : shortNumber(gap));
