/** The table and the findings of every experiment with contestants' maps. */
import { type Cell, writeReport } from "../../report.ts";
import { decimals, spreadText } from "../../spread.ts";
import type { Contest, Summary } from "./map-contest.ts";

const columns = [
  "data",
  "contestant",
  "seconds",
  "time / ours",
  "KL",
  "KL, best size",
  "neighbour preservation",
  "trustworthiness",
  "MB",
];

/**
 * How many times as fast as scikit-learn's t-SNE openTSNE was (its defaults, one thread, on one machine), by N. openTSNE
 * is in neither Debian nor npm, so that its time stands beside what is measured as an estimate.
 */
const openTsneSpeedup: Readonly<Record<number, number>> = { 2000: 1.6, 5000: 1.5, 20000: 3.9 };

/** Seconds that openTSNE would take, by scikit-learn's in the same run. Undefined where its share was not recorded. */
function openTsneSeconds(summary: readonly Summary[], N: number): number | undefined {
  const theirs = summary.find(({ contestant }) => contestant === "scikit-learn");
  const speedup = openTsneSpeedup[N];
  return theirs === undefined || speedup === undefined ? undefined : theirs.seconds.median / speedup;
}

/** Our seconds as a share of openTSNE's estimated ones, in words, where both are known. */
function besideOpenTsne({ set, summary }: Contest): string[] {
  const theirs = openTsneSeconds(summary, set.points.rows);
  return theirs === undefined ? [] : [`${(summary[0].seconds.median / theirs).toFixed(2)} on ${set.name}`];
}

function rowsOf({ set, summary }: Contest): Cell[][] {
  const [ours] = summary;
  const estimate = openTsneSeconds(summary, set.points.rows);
  const estimated: Cell[][] =
    estimate === undefined
      ? []
      : [
          [
            set.name,
            "openTSNE (estimated)",
            estimate.toFixed(2),
            (estimate / ours.seconds.median).toFixed(1),
            "",
            "",
            "",
            "",
            "",
          ],
        ];
  const measured = summary.map((s): Cell[] => [
    set.name,
    s.name,
    spreadText(s.seconds, decimals(2)),
    (s.seconds.median / ours.seconds.median).toFixed(1),
    spreadText(s.klDivergence, decimals(4)),
    spreadText(s.klDivergenceBestSize, decimals(4)),
    spreadText(s.knnPreservation, decimals(4)),
    spreadText(s.trustworthiness, decimals(4)),
    s.megabytes?.toFixed(0) ?? "",
  ]);
  return [...measured, ...estimated];
}

/** In which of KL, neighbour preservation, trustworthiness and time others are ahead of the first contestant, ours. */
function aheadOf({ set, summary }: Contest): string[] {
  const [ours, ...others] = summary;
  return others.flatMap((one) => {
    const ahead = [
      ...(one.seconds.median < ours.seconds.median ? ["time"] : []),
      ...(one.kind === "t-SNE" && one.klDivergence.median < ours.klDivergence.median ? ["KL"] : []),
      ...(one.knnPreservation.median > ours.knnPreservation.median ? ["neighbour preservation"] : []),
      ...(one.trustworthiness.median > ours.trustworthiness.median ? ["trustworthiness"] : []),
    ];
    return ahead.length === 0 ? [] : [`${one.name} on ${set.name} (${ahead.join(", ")})`];
  });
}

/** What was measured, a line for each contestant. */
function descriptions(summary: readonly Summary[]): string {
  const lines = new Map(summary.map((s) => [s.name, `${s.name}: ${s.description}`]));
  return [...lines.values()].join("; ");
}

const METHOD =
  "contestants in turn, each run in a fresh process on one thread, from data to map (loading the library is not " +
  "timed). KL divergence on common affinities (perplexity 30, 90 exact neighbours), as the map is and at its best " +
  "rescaling; neighbour preservation and trustworthiness at 10 neighbours (of 5,000 points where there are more).";

export interface MapReport {
  readonly name: string;
  readonly title: string;
  readonly claim: string;
  readonly contests: readonly Contest[];
  readonly repeats: number;
  /** Who takes part, where not all do. */
  readonly admission?: string;
  /** Before those on who is ahead of us. */
  readonly findings?: readonly string[];
}

export function writeMapReport(report: MapReport, isQuick: boolean): void {
  const { name, title, claim, contests, repeats, admission, findings = [] } = report;
  const runs =
    repeats === 1
      ? "One run each (seed 0)"
      : `Medians of ${repeats} runs (seeds 0 to ${repeats - 1}), in brackets the least and the most where they differ`;
  const ahead = contests.flatMap(aheadOf);
  const shares = contests.flatMap(besideOpenTsne);
  writeReport(
    {
      paper: "spectral",
      name,
      title,
      claim,
      data: `${contests.map(({ set }) => `${set.name}: ${set.description}`).join("; ")}.`,
      method: `${runs}, ${METHOD} ${descriptions(contests.flatMap(({ summary }) => summary))}.${admission === undefined ? "" : ` ${admission}`}`,
      findings: [
        ...findings,
        ahead.length === 0
          ? "No contestant is ahead of `embed` in time, divergence, neighbour preservation or trustworthiness."
          : `Ahead of \`embed\` in something: **${ahead.join("; ")}**.`,
        ...(shares.length === 0
          ? []
          : [
              `Of openTSNE's time, estimated from scikit-learn's in the same run, \`embed\` takes ${shares.join(", ")}.`,
            ]),
      ],
      tables: [{ columns, rows: contests.flatMap(rowsOf) }],
    },
    isQuick,
  );
}
