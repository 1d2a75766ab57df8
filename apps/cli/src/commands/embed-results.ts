/**
 * What `curvature embed` says of its result: under the plot's title, on the terminal, in the report.
 */
import { printable } from "@curvature/linalg";
import type { EmbeddingMethod } from "@curvature/optim-spectral";
import type { Data } from "../read/data.js";
import { count, duration, shortNumber } from "../run/terminal.js";
import type { EmbedTaskOutput } from "../tasks/embed.js";
import type { TrustFigures } from "../tasks/map-trust.js";
import { programVersion } from "../version.js";
import type { Report } from "../write/report.js";
import { dataOptions } from "./data-flags.js";
import { type EmbedFlags, isStart } from "./embed-flags.js";

export const methodTitles = {
  tsne: "t-SNE",
  ssne: "symmetric SNE",
  sne: "SNE",
  "nonsymmetric-tsne": "nonsymmetric t-SNE",
  ee: "elastic embedding",
  tee: "t-EE",
  laplacian: "Laplacian eigenmaps",
} as const satisfies Record<EmbeddingMethod, string>;

export function plotSubtitle(flags: EmbedFlags, { points }: Data, output: EmbedTaskOutput): string {
  const { map, metrics, options } = output;
  const words: string[] = [methodTitles[flags.method], `${count(points.rows)} points`];
  const { perplexity } = options;
  const scales = Array.isArray(perplexity) ? perplexity : [perplexity];
  if (scales.every((scale) => typeof scale === "number"))
    words.push(`perplexity ${scales.map(shortly).join(", ")}`);
  if (metrics.klDivergence !== undefined) words.push(`KL divergence ${shortNumber(metrics.klDivergence)}`);
  if (metrics.knnPreservation !== undefined)
    words.push(`${percent(metrics.knnPreservation)} of neighbours kept`);
  if (map.columns > 3) words.push(`axes 1 and 2 of ${map.columns}`);
  return words.join(" · ");
}

export function summaryLines(flags: EmbedFlags, { points }: Data, output: EmbedTaskOutput): string[] {
  const { result, metrics } = output;
  const { rows, columns } = points;
  const what =
    flags.input === "points"
      ? `${rows === 1 ? "one point" : `${count(rows)} points`} in ${count(columns)} dimensions${flags.metric === "euclidean" ? "" : `, ${flags.metric} distances`}`
      : `${count(rows)} objects by their ${flags.input === "neighbors" ? "neighbours" : flags.input}`;
  const lines = [`${methodTitles[flags.method]} of ${what}. ${printable(result.message)}`];
  const figure = (name: string, value: string): unknown => lines.push(`  ${name.padEnd(22)}${value}`);
  if (result.value !== undefined) figure("objective E", shortNumber(result.value));
  if (metrics.klDivergence !== undefined) figure("KL divergence", metrics.klDivergence.toFixed(4));
  if (metrics.neighborRecall !== undefined && metrics.neighborRecall < 1)
    figure("neighbours found", `${percent(metrics.neighborRecall)} by the approximate search`);
  if (metrics.knnPreservation !== undefined)
    figure(
      "neighbours kept",
      `${percent(metrics.knnPreservation)} of the ${metrics.neighbors} nearest${sampleNote(metrics.sample)}`,
    );
  if (metrics.trustworthiness !== undefined)
    figure("trustworthiness", metrics.trustworthiness.toFixed(4) + sampleNote(metrics.sample));
  if (metrics.tripletAccuracy !== undefined)
    figure("far points", `${percent(metrics.tripletAccuracy)} of random triplets in order (50 % is chance)`);
  if (metrics.trust !== undefined) trustFigures(metrics.trust, metrics.distanceCorrelation, figure);
  if (metrics.shuffled?.isBeyond !== undefined)
    figure(
      "shuffled copies",
      `${metrics.shuffled.isBeyond ? `neighbours are nearer in the data than in all ${metrics.shuffled.copies} of them` : "have neighbours as near as the data"} (p = ${shortNumber(metrics.shuffled.p ?? 1)})`,
    );
  figure(
    "work",
    `${count(result.iterations)} iterations, ${count(result.evaluations)} evaluations, ${duration(result.elapsedSeconds)}`,
  );
  return lines;
}

function trustFigures(
  { untrusted, limit, restarts, agreement, spacingCorrelation }: TrustFigures,
  distanceCorrelation: number | undefined,
  figure: (name: string, value: string) => unknown,
): void {
  if (untrusted !== undefined)
    figure(
      "trust",
      `${untrusted === 0 ? "no point lies" : untrusted === 1 ? "one point lies" : `${count(untrusted)} points lie`} among points that are far in the data (regional trust below ${limit})`,
    );
  if (agreement !== undefined)
    figure(
      "agreement",
      `${percent(agreement)} of neighbours are so in ${restarts === 1 ? "a map from a random start" : `${count(restarts)} maps from random starts`}, too`,
    );
  const kept = (correlation: number): string =>
    `${correlation < 0.6 ? "mean little" : "are partly kept"} (rank correlation with the data ${correlation.toFixed(2)})`;
  if (spacingCorrelation !== undefined) figure("sizes of groups", kept(spacingCorrelation));
  if (distanceCorrelation !== undefined) figure("gaps between them", kept(distanceCorrelation));
}

export function embedReport(flags: EmbedFlags, file: string, input: Data, output: EmbedTaskOutput): Report {
  const { points, labels, labelName } = input;
  const { usable: _, ...result } = output.result;
  return {
    command: "embed",
    version: programVersion(),
    input: {
      file,
      kind: flags.input,
      rows: points.rows,
      columns: points.columns,
      notes: input.notes,
      labels: labels === undefined ? null : labelName,
      classes: labels === undefined ? null : new Set<string | number>(labels).size,
    },
    options: {
      ...output.options,
      initialization: isStart(flags.initialization) ? output.options["initialization"] : flags.initialization,
      ...dataOptions(flags),
      ...(flags.trust && { trust: true }),
      ...(flags.restarts !== undefined && { restarts: flags.restarts }),
      ...(flags.shuffled && { shuffled: true }),
    },
    result,
    metrics: { ...output.metrics },
    phases: output.phases,
    warnings: output.warnings,
  };
}

const sampleNote = (sample: number | undefined): string =>
  sample === undefined ? "" : ` (from ${count(sample)} points)`;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const shortly = (value: number): string => String(Number(value.toPrecision(4)));
