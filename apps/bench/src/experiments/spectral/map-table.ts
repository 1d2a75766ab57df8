/** The table and the findings of every experiment with contestants' maps. */
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, spreadText } from "../../spread.ts";
import { mediansOf, verdict } from "../../words.ts";
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

function rowsOf({ set, summary }: Contest): Cell[][] {
  const [ours] = summary;
  return summary.map((s): Cell[] => [
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
  "Contestants in turn, each run in a fresh process on one thread, from data to map (loading the library is not " +
  "timed). KL divergence on common affinities (perplexity 30, 90 exact neighbours), as the map is and at its best " +
  "rescaling; neighbour preservation and trustworthiness at 10 neighbours (of 5,000 points where there are more).";

/** "DruidJS, umap-js and scikit-learn": those who took part beside us. */
export function rivalsIn(contests: readonly Contest[]): string {
  const names = new Set(contests.flatMap(({ summary: [, ...others] }) => others.map(({ name }) => name)));
  return inWords(names);
}

const inWords = (names: ReadonlySet<string>): string => new Intl.ListFormat("en-GB").format(names);

/** The medians, and who draws anew each time. */
function repeatsOf(contests: readonly Contest[], repeats: number): string {
  const all = contests.flatMap(({ summary }) => summary);
  const unseeded = new Set(all.filter(({ hasNoSeed }) => hasNoSeed).map(({ name }) => name));
  const exception = unseeded.size === 0 ? "" : `; no seed can be given to ${inWords(unseeded)}`;
  return `${mediansOf(repeats)}${exception}.`;
}

/** Whether ours is faster than every t-SNE of others, and whether its divergence is no larger than theirs. */
export function besideTsne(contests: readonly Contest[]): string {
  const pairs = contests.flatMap(({ summary: [ours, ...others] }) =>
    others.filter(({ kind }) => kind === "t-SNE").map((other) => ({ ours, other })),
  );
  if (pairs.length === 0) return "No other t-SNE took part.";
  return verdict({
    time: pairs.every(({ ours, other }) => ours.seconds.median < other.seconds.median),
    divergence: pairs.every(({ ours, other }) => ours.klDivergence.median <= other.klDivergence.median),
  });
}

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
  const ahead = contests.flatMap(aheadOf);
  writeReport(
    {
      paper: "spectral",
      name,
      title,
      claim,
      data: `${contests.map(({ set }) => `${set.name}: ${set.description}`).join("; ")}.`,
      method: `${METHOD} ${descriptions(contests.flatMap(({ summary }) => summary))}.${admission === undefined ? "" : ` ${admission}`}`,
      repeats: repeatsOf(contests, repeats),
      clock: "wall",
      findings: [
        ...findings,
        ahead.length === 0
          ? "No contestant is ahead of `embed` in time, divergence, neighbour preservation or trustworthiness."
          : `Ahead of \`embed\` in something: **${ahead.join("; ")}**.`,
      ],
      tables: [{ columns, rows: contests.flatMap(rowsOf) }],
    },
    isQuick,
  );
}
