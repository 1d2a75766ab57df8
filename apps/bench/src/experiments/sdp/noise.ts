/**
 * Rows of noise among clusters: which of them `clusterPoints` labels −1, and what becomes of the clusters with the noise label and
 * without.
 *
 * Usage: node noise.ts [--quick] [--draws 18] [--first 620000]
 */
import { clusterPoints } from "@curvature/optim-sdp";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { cpuSeconds, mean, note } from "../../processor.ts";
import { adjustedRand } from "../../quality/partitions.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { verdict } from "../../words.ts";
import { type NoisyKind, noisyMixture } from "./mixtures.ts";

const { isQuick, draws, first } = experimentArguments({
  /** Of each cell. */
  draws: whole(18, 2),
  /** The seed of the first draw. */
  first: whole(620_000),
});

const ROWS = 200;
const FOUND = 0.95;
const LEAST_ARI = 0.97;
const MOST_FLAGGED = 0.01;

const kinds: readonly NoisyKind[] = [
  { clusters: "normal", noise: "uniform" },
  { clusters: "Laplace", noise: "uniform" },
  { clusters: "Laplace", noise: "Cauchy" },
];
const shares = [0, 0.02, 0.1, 0.2];

/** Labels alone: one step of the relaxation and no bound, and no more than the 20 greedy starts. */
const labelsAlone = { maxIterations: 1, certify: false, tolerance: 1 } as const;

interface Drawn {
  /** Adjusted Rand index of the clean rows without the noise label and with it; rows that are flagged are one more cluster. */
  readonly plain: number;
  readonly found: number;
  /** Of all rows, noise being one more class. */
  readonly withNoise: number;
  /** Shares of the clean rows and of the noise that are flagged. */
  readonly flagged: number;
  readonly recall: number;
  readonly seconds: number;
}

async function drawn(kind: NoisyKind, share: number, seed: number): Promise<Drawn> {
  const { points, truth, K } = noisyMixture(kind, share, ROWS, seed);
  const plain = await clusterPoints(points, { clusters: K, ...labelsAlone });
  const before = cpuSeconds();
  const { labels } = await clusterPoints(points, { clusters: K, noiseLabel: true, ...labelsAlone });
  const seconds = cpuSeconds() - before;
  const rows = [...truth.keys()];
  const clean = rows.filter((i) => truth[i] >= 0);
  const noise = rows.filter((i) => truth[i] < 0);
  const onClean = (own: Int32Array): number =>
    adjustedRand(
      clean.map((i) => own[i]),
      clean.map((i) => truth[i]),
    );
  const flaggedOf = (part: readonly number[]): number =>
    part.filter((i) => labels[i] < 0).length / Math.max(1, part.length);
  return {
    ...{ plain: onClean(plain.labels), found: onClean(labels), withNoise: adjustedRand(labels, truth) },
    ...{ flagged: flaggedOf(clean), recall: flaggedOf(noise), seconds },
  };
}

interface Measured {
  readonly kind: NoisyKind;
  readonly share: number;
  readonly all: readonly Drawn[];
}

const cells: Measured[] = [];
for (const kind of kinds)
  for (const share of shares) {
    const all: Drawn[] = [];
    const start = first + 1000 * cells.length;
    for (let seed = start; seed < start + draws; seed++) all.push(await drawn(kind, share, seed));
    cells.push({ kind, share, all });
    note(
      `${kind.clusters}, ${kind.noise}, ${share}: ARI ${meanOf(all, "found").toFixed(3)}, without ${meanOf(all, "plain").toFixed(3)}`,
    );
  }

function meanOf(all: readonly Drawn[], field: keyof Drawn): number {
  return mean(all.map((each) => each[field]));
}

const percent = (part: number): string => (100 * part).toFixed(1);
const rangeOf = (field: keyof Drawn, shown: (value: number) => string): string => {
  const means = cells.map(({ all }) => meanOf(all, field));
  return `${shown(Math.min(...means))} to ${shown(Math.max(...means))}`;
};
const three = (value: number): string => value.toFixed(3);
const lost = cells.flatMap(({ kind, share, all }) => {
  const below = all.filter(({ found }) => found <= FOUND).length;
  return below === 0 ? [] : [`${kind.clusters} and ${kind.noise}, ${percent(share)} % (${below})`];
});

const worst = cells
  .flatMap(({ kind, share, all }) => all.map(({ flagged }) => ({ ...kind, share, flagged })))
  .reduce((most, each) => (each.flagged > most.flagged ? each : most));

const rows: Cell[][] = cells.map(({ kind, share, all }) => {
  const above = (field: "plain" | "found"): number =>
    all.filter((each) => each[field] > FOUND).length / all.length;
  return [
    kind.clusters,
    kind.noise,
    100 * share,
    three(meanOf(all, "plain")),
    above("plain").toFixed(2),
    three(meanOf(all, "found")),
    above("found").toFixed(2),
    percent(meanOf(all, "flagged")),
    share === 0 ? null : percent(meanOf(all, "recall")),
    three(meanOf(all, "withNoise")),
    meanOf(all, "seconds").toFixed(2),
  ];
});

writeReport(
  {
    paper: "sdp",
    name: "noise",
    title: "Clusters with noise",
    claim: `With \`noiseLabel\` \`clusterPoints\` finds the clusters whatever the noise: a mean adjusted Rand index of the clean rows of at least ${LEAST_ARI}, with at most ${100 * MOST_FLAGGED} % of them flagged, for every kind and share of noise.`,
    data: `Draws of ${ROWS} rows: 3 to 5 clusters, normal or Laplace, of standard deviations 0.6 to 1.4 and sizes up to three times each other, in 2 to 6 dimensions, with centres more than 6.5 apart; and noise, uniform in a box 1.3 times as large as that of the clusters, or Cauchy's law of scale 10 on each coordinate.`,
    method: `\`clusterPoints\` with the K given, without and with \`noiseLabel\`: labels alone (\`certify: false\`, one iteration, no more than 20 starts). The adjusted Rand index (ARI) is that of the rows that are no noise, where those that are flagged count as one more cluster; with the noise label it is that of all rows, noise as one more class. Uniform noise falls into clusters, too: not all of it can be found.`,
    repeats: `Means of ${draws} draws of each kind and share, seeds from ${first}, those of a row 1000 beyond those before; another run gives the same but for the seconds, which are those with the noise label.`,
    clock: "processor",
    findings: [
      `${verdict({
        "the clean rows": cells.every(({ all }) => meanOf(all, "found") >= LEAST_ARI),
        "the false flags": cells.every(({ all }) => meanOf(all, "flagged") <= MOST_FLAGGED),
      })} ARI of the clean rows ${rangeOf("found", three)} with the noise label, ${rangeOf("plain", three)} without; false flags ${rangeOf("flagged", percent)} %.`,
      lost.length === 0
        ? `Every draw has an ARI above ${FOUND} with the noise label.`
        : `Draws with an ARI of ${FOUND} and less with the noise label: **${lost.join("; ")}**, of ${draws} each.`,
      `Most flagged in one draw: **${percent(worst.flagged)} %** of the clean rows (${worst.clusters} clusters, ${worst.noise} noise, ${percent(worst.share)} %). A small cluster whose rows lie far from each other can be taken for noise as a whole.`,
    ],
    tables: [
      {
        columns: [
          "clusters",
          "noise",
          "share of noise, %",
          "ARI, k-means",
          `above ${FOUND}, k-means`,
          "ARI, noise label",
          `above ${FOUND}, noise label`,
          "false flags, %",
          "recall, %",
          "ARI of all rows",
          "seconds",
        ],
        rows,
      },
    ],
  },
  isQuick,
);
