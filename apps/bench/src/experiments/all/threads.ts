/**
 * One thread and two, by the clock: sums over all pairs, principal components, and whole maps. Each number of threads has a process of its own,
 * and the two take turns. Beside them stands what two processes of pure arithmetic gain, which is what the machine gives.
 *
 * Usage: node threads.ts [--quick] [--repeats 25]
 */
import { ownProcess, withProcesses } from "../../contestants/own-process.ts";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, median, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { verdict } from "../../words.ts";
import { arithmeticSeconds } from "../cluster/arithmetic.ts";
import type { ThreadsFound, ThreadsTask } from "./threads-process.ts";

const { isQuick, repeats } = experimentArguments({
  repeats: whole(25, 1),
});
const arithmeticUnits = isQuick ? 2000 : 50_000;
const sumsOfTurn = isQuick ? 5 : 40;
/** Of components and maps, which take seconds. */
const longRepeats = Math.min(repeats, 5);
const GOAL = 1.7;

interface Contest extends Omit<ThreadsTask, "threads"> {
  readonly name: string;
  readonly calls: number;
}

const contests: readonly Contest[] = [
  { name: "Student's sum over all pairs", work: "sum", points: 5000, calls: sumsOfTurn },
  { name: "the same with forces", work: "forces", points: 5000, calls: sumsOfTurn },
  {
    ...{ name: "principal components, a matrix is formed", work: "components", calls: 1 },
    ...{ points: isQuick ? 10_000 : 60_000, columns: 784 },
  },
  {
    ...{ name: "principal components, products", work: "components", calls: 1 },
    ...{ points: isQuick ? 2000 : 6000, columns: isQuick ? 2000 : 4000 },
  },
  { name: "embed, exact gradient", work: "embed", points: 2000, calls: 1 },
  { name: "embed, gradient by interpolation", work: "embed", points: isQuick ? 3000 : 20_000, calls: 1 },
];

interface Outcome {
  readonly contest: Contest;
  readonly one: readonly ThreadsFound[];
  readonly two: readonly ThreadsFound[];
}

const sizeOf = ({ points, columns }: Contest): string =>
  columns === undefined ? `${points}` : `${points} × ${columns}`;
const isSum = ({ work }: Contest): boolean => work === "sum" || work === "forces";

async function outcomeOf(contest: Contest): Promise<Outcome> {
  const { name, calls, ...task } = contest;
  const script = new URL("threads-process.ts", import.meta.url);
  const starts = [1, 2].map(
    (threads) => () =>
      ownProcess<ThreadsTask, number, ThreadsFound>(`${name}, ${threads}`, script, { ...task, threads }),
  );
  return withProcesses(starts, async ([first, second]) => {
    await first.turn(calls);
    await second.turn(calls);
    const [one, two]: [ThreadsFound[], ThreadsFound[]] = [[], []];
    for (let r = 0; r < (isSum(contest) ? repeats : longRepeats); r++) {
      one.push(await first.turn(calls));
      two.push(await second.turn(calls));
    }
    return { contest, one, two };
  });
}

const secondsOf = (found: readonly ThreadsFound[]): number => median(found.map(({ seconds }) => seconds));
/** Of turns that follow one another: the machine is not as fast in every minute. */
const gainOf = ({ one, two }: Outcome): Spread =>
  spreadOf(one.map(({ seconds }, turn) => seconds / two[turn].seconds));

const outcomes: Outcome[] = [];
const machine: number[] = [];
for (const contest of contests) {
  const alone = await arithmeticSeconds(1, arithmeticUnits);
  machine.push((2 * alone) / (await arithmeticSeconds(2, arithmeticUnits)));
  const outcome = await outcomeOf(contest);
  outcomes.push(outcome);
  note(`${contest.name}: ${gainOf(outcome).median.toFixed(2)}`);
}

const milliseconds = (seconds: number): string => (1000 * seconds).toPrecision(3);
const sums = outcomes.filter(({ contest }) => isSum(contest));
const gainsOf = (work: Contest["work"]): string =>
  outcomes
    .filter(({ contest }) => contest.work === work)
    .map((outcome) => {
      const gain = gainOf(outcome).median;
      const text = `${gain.toFixed(2)} times as fast (${outcome.contest.name}, ${sizeOf(outcome.contest)} points)`;
      return gain < GOAL ? `**${text}**` : text;
    })
    .join(", ");
const least = Math.min(...sums.map((outcome) => gainOf(outcome).median));
const isSame = outcomes.every(({ one, two }) =>
  [...one, ...two].every(({ value }) => Object.is(value, one[0].value)),
);

writeReport(
  {
    paper: "all",
    name: "threads",
    title: "One thread and two",
    claim:
      "Not a paper's: two threads sum over all pairs at least 1.7 times as fast as one, and every result has the same bits.",
    data: "Points drawn uniformly from a square in the plane; for maps those of a tree of 5 × 6 clusters in 30 dimensions (seed 1); for components 80 directions with deviations that fall like 1/k, and noise (seeds 1 to 3).",
    method: `Turns of ${sumsOfTurn} sums, or of one map or one set of components (threads' start included), after one that is not counted; one and two threads each in a process of its own, by turns; the gain is that of turns that follow one another. Gain of the machine: two processes of pure arithmetic beside one, before each row.`,
    repeats: `Medians of ${repeats} turns of sums and of ${longRepeats} others, in brackets the least and the most; points are drawn with seeds 1 and 2, the same for all, and maps start alike.`,
    clock: "wall",
    findings: [
      `${verdict({ "the gain of sums": least >= GOAL, "the same bits": isSame })} Two threads sum over all pairs ${least.toFixed(2)} times as fast as one, or faster (${least >= GOAL ? "reached" : "**not** reached"}: ${GOAL}); two processes of pure arithmetic do ${median(machine).toFixed(2)} times as much as one.`,
      `Values of all turns are ${isSame ? "the same, bit by bit" : "**not** the same"}. With two threads 50 principal components are found ${gainsOf("components")}: deviations and Lanczos stay with the caller's thread. Whole maps are made ${gainsOf("embed")}. Of a map, the threads share the search for neighbours, the fits of the affinities and the gradient; factor and solver stay with the caller's.`,
    ],
    tables: [
      {
        columns: [
          "work",
          "points (times columns)",
          "one thread, ms",
          "two threads, ms",
          "times as fast",
          "gain of the machine",
        ],
        rows: outcomes.map((outcome, k): Cell[] => [
          outcome.contest.name,
          sizeOf(outcome.contest),
          milliseconds(secondsOf(outcome.one)),
          milliseconds(secondsOf(outcome.two)),
          spreadText(gainOf(outcome), decimals(2)),
          machine[k].toFixed(2),
        ]),
      },
    ],
  },
  isQuick,
);
