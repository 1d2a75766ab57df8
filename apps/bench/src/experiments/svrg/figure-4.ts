/**
 * Figure 4: test error along the epochs on the music artists. Their answers come with no licence and are not part of this
 * repository (errors on them are): --data names a folder with music-artists-triplets.csv, music-artists-split80.json and music-inits.json.
 *
 * Usage: node figure-4.ts --data folder [--quick] [--starts 5] [--epochs 40]
 */
import { chartSvg } from "../../chart.ts";
import { experimentArguments, string, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { decimals, median, spreadOf, spreadText } from "../../spread.ts";
import { mediansOf, verdict } from "../../words.ts";
import { lossTitles, type Method, type PaperLoss, paperLosses } from "./methods.ts";
import { artists, hasArtists, startsFor } from "./sets.ts";
import { SECONDS } from "./statistics.ts";
import { type Trace, trace } from "./trace.ts";

const values = experimentArguments({
  data: string(),
  starts: whole(5, 1),
  epochs: whole(40, 3),
});
const { isQuick, epochs } = values;
if (!hasArtists(values.data)) throw new Error("Give --data, a folder with music-artists-triplets.csv.");
const set = artists(values.data);
const starts = startsFor(set, values.starts);
const N = set.train.quadruplets.length / 4;

/** η and ε of the authors' scripts; CKL has none and takes STE's. */
const steps: Readonly<Record<PaperLoss, { sgd: number; svrg: number; epsilon: number }>> = {
  gnmds: { sgd: 7.5e-4, svrg: 1.25e-3, epsilon: 2.5e-2 },
  ckl: { sgd: 5e-4, svrg: 1.5e-3, epsilon: 2e-2 },
  ste: { sgd: 5e-4, svrg: 1.5e-3, epsilon: 2e-2 },
  tste: { sgd: 3.75e-3, svrg: 1.5e-2, epsilon: 8e-3 },
};

const methodsFor = (loss: PaperLoss): Method[] => {
  const { sgd, svrg, epsilon } = steps[loss];
  return [
    { name: "SGD", options: { solver: "sgd", initialStep: N * sgd } },
    { name: "SVRG, fixed step", options: { solver: "svrg", initialStep: N * svrg, batchSize: 1 } },
    { name: "SVRG-SBB 0", options: { solver: "svrg-sbb0", initialStep: N * svrg, batchSize: 1 } },
    { name: "SVRG-SBB ε", options: { solver: "svrg-sbb", initialStep: N * svrg, epsilon, batchSize: 1 } },
    { name: "L-BFGS", options: { solver: "lbfgs" } },
    { name: "SVRG-SBB, defaults", options: { solver: "svrg-sbb" } },
  ];
};

function finalOf({ runs }: Row): number {
  return median(runs.map((run) => run.finalError));
}

/** To a test error of 0.2, median over the starts; Infinity where half of them or more do not get there. */
function epochsOf({ runs }: Row): number {
  return median(runs.map(({ reached }) => reached?.epochs ?? Number.POSITIVE_INFINITY));
}

const isOurs = ({ method }: Row): boolean => method.name.startsWith("SVRG-SBB");

interface Row {
  readonly method: Method;
  readonly runs: readonly Trace[];
}

const found = paperLosses.map((loss) => {
  const rows = methodsFor(loss).map((method) => ({ method, runs: [] as Trace[] }));
  for (const [seed, start] of starts.entries())
    for (const { method, runs } of rows)
      runs.push(trace(set, start, { ...method.options, seed }, { loss, epochs }));
  for (const row of rows) note(`${loss} ${row.method.name}: ${finalOf(row).toFixed(4)}`);
  return { loss, rows };
});

const winners = found.map(({ loss, rows }) => {
  const best = (some: readonly Row[], of: (row: Row) => number): Row =>
    some.toSorted((a, b) => of(a) - of(b))[0];
  const least = best(rows, finalOf);
  const own = rows[rows.length - 1];
  const fewest = Math.min(...rows.map(epochsOf));
  const soonest = Number.isFinite(fewest) ? rows.filter((row) => epochsOf(row) === fewest) : [];
  return {
    loss: lossTitles[loss],
    /** Alone: level with another method is not faster. */
    isSoonest: soonest.length > 0 && soonest.every(isOurs),
    isLevel: soonest.some(isOurs) && !soonest.every(isOurs),
    soonest:
      soonest.length === 0
        ? "nobody from most starts"
        : `${soonest.map(({ method }) => method.name).join(" / ")} (${fewest})`,
    least: `${least.method.name} (${finalOf(least).toFixed(4)})${least === own ? "" : `, SVRG-SBB with its defaults ${finalOf(own).toFixed(4)}`}`,
  };
});

const level = winners.filter(({ isLevel }) => isLevel).map(({ loss }) => loss);

writeReport(
  {
    paper: "svrg",
    name: "figure-4",
    title: "Music artists",
    claim: "Figure 4: along the epochs the test error falls fastest by SVRG-SBB.",
    data: `${set.train.objects} artists, ${N.toLocaleString("en-US")} answers to learn from and ${(set.test.quadruplets.length / 4).toLocaleString("en-US")} to test (a few of these compare an artist with himself and count as errors); p = ${set.dimensions}. Answers: Ellis, Whitman, Berenzweig, Lawrence (ISMIR 2002), cleaned by van der Maaten and Weinberger (MLSP 2012).`,
    method: `Starts U[0, 1], methods in turn within a start, ${epochs} epochs of three passes. The first four rows of each loss have the steps of the authors' scripts. Fastest: the fewest epochs to a test error of 0.2, median; SVRG-SBB, in any of its three rows, must need fewer than every other method. ${SECONDS}`,
    repeats: `${mediansOf(starts.length, "start", "starts")}.`,
    clock: "processor",
    findings: [
      `${verdict(Object.fromEntries(winners.map(({ loss, isSoonest }) => [loss, isSoonest])))} Fewest epochs to a test error of 0.2: ${winners.map(({ loss, soonest }) => `${loss}: ${soonest}`).join("; ")}.${level.length === 0 ? "" : ` SVRG-SBB is **level** with another method, not faster, under ${level.join(", ")}.`}`,
      `The least test error at the end, median, by loss: ${winners.map(({ loss, least }) => `${loss}: ${least}`).join("; ")}.`,
    ],
    tables: [
      {
        columns: ["loss", "method", "test error at the end", "best on the way", "epochs to 0.2", "seconds"],
        rows: found.flatMap(({ loss, rows }) =>
          rows.map(({ method, runs }) => {
            const reached = runs.map((run) => run.reached).filter((effort) => effort !== undefined);
            const text = (all: readonly number[], digits: number): string =>
              all.length === 0 ? "-" : spreadText(spreadOf(all), decimals(digits));
            const epochsTo = reached.map((effort) => effort.epochs);
            return [
              lossTitles[loss],
              method.name,
              text(
                runs.map((run) => run.finalError),
                4,
              ),
              text(
                runs.map((run) => Math.min(...run.errors)),
                4,
              ),
              `${text(epochsTo, 0)}, ${reached.length} of ${runs.length}`,
              text(
                runs.map((run) => run.seconds),
                2,
              ),
            ];
          }),
        ),
      },
    ],
    figures: [
      {
        name: "figure-4",
        caption: "Test errors along the epochs, medians.",
        svg: chartSvg(
          "Test error on the music artists",
          found.map(({ loss, rows }) => ({
            title: lossTitles[loss],
            xTitle: "epochs of three passes",
            yTitle: "test error, median",
            range: [0.1, 0.5] as const,
            series: rows.map(({ method, runs }) => ({
              name: method.name,
              points: Array.from(
                { length: epochs + 1 },
                (_, epoch) => [epoch, median(runs.map((run) => run.errors[epoch]))] as const,
              ),
            })),
          })),
        ),
      },
    ],
  },
  isQuick,
);
