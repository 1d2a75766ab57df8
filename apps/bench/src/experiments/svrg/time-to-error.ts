/**
 * Seconds and test error, side by side: what people run without tuning (auto, SVRG-SBB, L-BFGS), and SVRG and SGD with
 * steps tuned for each set by test error, beside cblearn 0.3.0 as recorded on the same splits: whole fits, and the
 * seconds until a map is as good as cblearn's.
 *
 * Usage: node time-to-error.ts [--quick] [--repeats 5] [--data folder with the music artists]
 */
import { errorShare } from "@curvature/objectives/ordinal";
import { withProcesses } from "../../contestants/own-process.ts";
import { experimentArguments, string, whole } from "../../experiment-arguments.ts";
import { mean, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell, Table } from "../../report-types.ts";
import { verdict } from "../../words.ts";
import { startsFor } from "./sets.ts";
import { BROKEN, type Case, cases, type Loss, RECORD, type Recorded } from "./time-to-error-cases.ts";
import { contestantsFor, type Fitted, processOf, TUNED_PASSES } from "./time-to-error-contestants.ts";

const { isQuick, repeats, data } = experimentArguments({
  repeats: whole(5, 1),
  data: string(),
});
const losses: readonly Loss[] = isQuick ? ["soe", "tste"] : ["soe", "ste", "tste", "gnmds", "ckl"];
const measuredCases = cases(isQuick ? undefined : data);

interface Measured extends Omit<Fitted, "map"> {
  readonly error: number;
}

interface Finding {
  readonly set: string;
  readonly loss: Loss;
  readonly contestant: string;
  readonly runs: readonly Measured[];
  readonly cblearn: Recorded;
}

function measureCase(one: Case, loss: Loss): Promise<Finding[]> {
  const { set, cblearn } = one;
  const starts = startsFor(set, repeats);
  const contestants = contestantsFor(one, loss);
  const runs: Measured[][] = contestants.map(() => []);
  const begins = contestants.map((contestant) => () => processOf({ one, loss, contestant }));
  return withProcesses(begins, async (processes) => {
    for (const { turn } of processes) await turn({ seed: 0, start: starts[0] }); // compiling is not timed
    for (let seed = 0; seed < repeats; seed++)
      for (const [c, { turn }] of processes.entries()) {
        const { map, ...fitted } = await turn({ seed, start: starts[seed] });
        runs[c].push({ ...fitted, error: errorShare(set.test, map) });
      }
    return contestants.map(({ name }, c) => {
      note(`${set.name} ${loss} ${name}: ${mean(runs[c].map(({ error }) => error)).toFixed(4)}`);
      return { set: set.name, loss, contestant: name, runs: runs[c], cblearn: cblearn[loss] };
    });
  });
}

/** "mean (least-most)", or the mean alone where they look alike. */
function rangeOf(all: readonly number[], digits: number): string {
  const [least, most] = [Math.min(...all).toFixed(digits), Math.max(...all).toFixed(digits)];
  return least === most ? mean(all).toFixed(digits) : `${mean(all).toFixed(digits)} (${least}-${most})`;
}

function rowOf({ loss, contestant, runs }: Finding): Cell[] {
  const reached = runs.map(({ secondsToError: to }) => to).filter((found) => found !== undefined);
  return [
    loss,
    contestant,
    rangeOf(
      runs.map(({ error }) => error),
      4,
    ),
    mean(runs.map(({ passes }) => passes)).toFixed(0),
    rangeOf(
      runs.map(({ seconds }) => seconds),
      3,
    ),
    reached.length === 0 ? "" : `${rangeOf(reached, 3)}, ${reached.length} of ${repeats}`,
  ];
}

const nameOf = ({ loss, set }: Finding): string => `${loss} on ${set}`;

const findings: Finding[] = [];
for (const one of measuredCases) for (const loss of losses) findings.push(...(await measureCase(one, loss)));

const recordOf = (loss: Loss, { setting, runs, error, least, most, seconds }: Recorded): Cell[] => [
  loss,
  `cblearn, recorded, ${runs} ${runs === 1 ? "run" : "runs"}${setting === "" ? "" : `, ${setting}`}${BROKEN.includes(loss) ? ", broken gradient" : ""}`,
  least === most ? error.toFixed(4) : `${error.toFixed(4)} (${least.toFixed(4)}-${most.toFixed(4)})`,
  "",
  `${seconds.toFixed(3)}, wall clock`,
  "",
];

function tableOf({ set: { name, train, test, dimensions }, cblearn }: Case): Table {
  return {
    title: name,
    note: `${train.objects} objects, p = ${dimensions}, ${(train.quadruplets.length / 4).toLocaleString("en-US")} answers, ${(test.quadruplets.length / 4).toLocaleString("en-US")} to test.`,
    columns: [
      "loss",
      "contestant",
      "test error: mean (min-max)",
      "passes",
      "seconds: mean (min-max)",
      "to cblearn's error: mean (min-max), runs",
    ],
    rows: losses.flatMap((loss) => [
      ...findings.filter((finding) => finding.set === name && finding.loss === loss).map(rowOf),
      recordOf(loss, cblearn[loss]),
    ]),
  };
}

const autos = findings.filter(({ contestant }) => contestant === "auto");
const sound = autos.filter(({ loss }) => !BROKEN.includes(loss));
const errorOf = ({ runs }: Finding): number => mean(runs.map(({ error }) => error));
/** As the tables show it, and as the record has it. */
const shown = (error: number): number => Number(error.toFixed(4));

/** So far apart the errors of one map on two drawings of the test answers typically lie. */
function standardErrorOf(finding: Finding): number {
  const answers = measuredCases.find(({ set }) => set.name === finding.set)?.set.test.quadruplets.length ?? 4;
  const error = errorOf(finding);
  return Math.sqrt((error * (1 - error)) / (answers / 4));
}

type Margin = (finding: Finding) => number;
const anything: Margin = () => 0;
const isBehind = (finding: Finding, error: number, margin: Margin): boolean =>
  shown(errorOf(finding)) - shown(error) > Math.max(1e-12, margin(finding));

const behindRecord = (margin: Margin): string[] =>
  sound.filter((finding) => isBehind(finding, finding.cblearn.error, margin)).map(nameOf);

/** Where `auto` is behind others of ours, and behind whom. */
function behindOthers(margin: Margin, isMeant: (name: string) => boolean = () => true): string[] {
  return autos.flatMap((finding) => {
    const ahead = findings.filter(
      (other) =>
        other.set === finding.set &&
        other.loss === finding.loss &&
        isMeant(other.contestant) &&
        isBehind(finding, errorOf(other), margin),
    );
    const names = ahead.map(({ contestant }) => contestant).join(" / ");
    return ahead.length === 0 ? [] : [`${nameOf(finding)} (${names})`];
  });
}

const told = (some: readonly string[], of: number): string =>
  `${some.length} of ${of}${some.length === 0 ? "" : `: **${some.join("; ")}**`}`;
const compared = (margin: Margin): string =>
  `\`auto\` has a larger mean test error than the record on ${told(behindRecord(margin), sound.length)} (set and loss, its broken gradients left out), and than another contestant of ours on ${told(behindOthers(margin), autos.length)}.`;
const isTuned = (name: string): boolean => name.endsWith(", tuned");

writeReport(
  {
    paper: "svrg",
    name: "time-to-error",
    title: "Test error and seconds, side by side",
    claim:
      "Without tuning, the maps of `auto` have no test error that is larger, by more than a standard error of the test, than that of cblearn as recorded, of SVRG and SGD with tuned steps, and of SVRG-SBB and L-BFGS.",
    data: "The answers of the paper's sections 5.1 and 5.2, and those of the music artists (5.3) where their folder is given.",
    method: `Contestants in turn, each in a process of its own, warm after a fit that does not count; seconds are those of the solver. The first three need no tuning and end by their own rules: \`auto\` and \`SVRG-SBB\` and \`L-BFGS\` are the façade's, from its own start (the spectral one does not depend on the seed). SVRG and SGD have a fixed step, tuned by the test error of two other starts, and run for ${TUNED_PASSES} passes from U[0, 1]. The last column is of a run of its own, from the façade's call to the first iteration whose map has at most the test error of cblearn's whole fit (of the error on the way only the test knows: it says when such a map is there, not that the method stops); measuring the error is taken out of it. It is empty where no run gets there. cblearn's rows were not measured here: ${RECORD} (same splits of the answers; where several settings were recorded, the one of least test error on the set); its seconds are of another day and clock, and are not compared. Its STE and t-STE have a gradient that is not that of their values, stop early, and do not count for the claim. The standard error is that of a share of as many answers as the test has: wide, since both maps are judged by the same answers; so what is smaller is told, too.`,
    repeats:
      repeats === 1
        ? "One run of each (seed 0)."
        : `Means of ${repeats} runs of each (seeds 0 to ${repeats - 1}), in brackets the least and the most; means, since the record has means.`,
    clock: "processor",
    findings: [
      `${verdict({
        "cblearn's record": behindRecord(standardErrorOf).length === 0,
        "tuned steps": behindOthers(standardErrorOf, isTuned).length === 0,
        "SVRG-SBB and L-BFGS": behindOthers(standardErrorOf, (name) => !isTuned(name)).length === 0,
      })} By more than a standard error of the test ${compared(standardErrorOf)}`,
      `By whatever the tables show ${compared(anything)}`,
    ],
    tables: measuredCases.map(tableOf),
  },
  isQuick,
);
