/**
 * Whether `solver: "auto"` ends where L-BFGS by itself ends when answers are consistent, or nearly: F, the error on new
 * answers, and processor time.
 *
 * Usage: node consistent.ts [--quick] [--draws 12]
 */
import { RandomGenerator } from "@curvature/linalg";
import { ordinalLoss, ordinalObjective } from "@curvature/objectives/ordinal";
import { generalizationError, ordinalEmbedding } from "@curvature/optim-svrg";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { cpuSeconds, mean } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { verdict } from "../../words.ts";
import { cloud, flippedAnswer } from "./drawn-answers.ts";
import { quantile } from "./statistics.ts";

const { isQuick, draws } = experimentArguments({ draws: whole(12, 2) });
const OBJECTS = isQuick ? 20 : 40;
const TEST = 4000;
const DIMENSIONS = isQuick ? [1, 2] : [1, 2, 3, 5];
/** Answers for each coordinate. */
const SIZES = isQuick ? [10] : [10, 20, 50];
const WRONG = [0, 0.005, 0.01];
const FIRST_SEED = 40_000;

interface Ends {
  readonly F: number;
  readonly error: number;
  readonly seconds: number;
}

interface Drawn {
  readonly auto: Ends;
  readonly lbfgs: Ends;
}

async function draw(p: number, count: number, wrong: number, seed: number): Promise<Drawn> {
  const random = new RandomGenerator(seed);
  const points = cloud(random, OBJECTS, p);
  const rows = Array.from({ length: count }, () => flippedAnswer(random, points, wrong));
  const fresh = Array.from({ length: TEST }, () => flippedAnswer(random, points, 0));
  const quadruplets = Int32Array.from(rows.flatMap(([i, j, k]) => [i, j, i, k]));
  const F = ordinalObjective({ objects: OBJECTS, quadruplets }, ordinalLoss("soe", { dimensions: p }), p);
  const endsOf = async (solver: "auto" | "lbfgs"): Promise<Ends> => {
    const begun = cpuSeconds();
    const { embedding } = await ordinalEmbedding(rows, { objects: OBJECTS, dimensions: p, solver });
    const seconds = cpuSeconds() - begun;
    return { F: F.evaluate(embedding.data), error: generalizationError(fresh, embedding), seconds };
  };
  const lbfgs = await endsOf("lbfgs");
  return { lbfgs, auto: await endsOf("auto") };
}

// A line and a space take different ways: each is compiled before its time counts.
for (const p of DIMENSIONS) for (let warm = 0; warm < 10; warm++) await draw(p, 20 * OBJECTS * p, 0.01, warm);

interface Row {
  readonly p: number;
  readonly each: number;
  readonly wrong: number;
  readonly drawn: readonly Drawn[];
  readonly reached: number;
  readonly errors: readonly [number, number];
  readonly time: number;
}

const rows: Row[] = [];
for (const p of DIMENSIONS)
  for (const each of SIZES)
    for (const wrong of WRONG) {
      const drawn: Drawn[] = [];
      for (let k = 0; k < draws; k++)
        drawn.push(await draw(p, each * OBJECTS * p, wrong, FIRST_SEED + 100 * p + k));
      rows.push({
        ...{ p, each, wrong, drawn },
        reached: mean(drawn.map(({ auto, lbfgs }) => (auto.F <= 1.05 * lbfgs.F + 1e-6 ? 1 : 0))),
        errors: [mean(drawn.map(({ auto }) => auto.error)), mean(drawn.map(({ lbfgs }) => lbfgs.error))],
        time: quantile(
          drawn.map(({ auto, lbfgs }) => auto.seconds / lbfgs.seconds),
          0.5,
        ),
      });
    }

const ends = (some: readonly Row[]): boolean => some.every(({ reached }) => reached === 1);
const faulty = rows.filter(({ wrong }) => wrong > 0);
const isFew = ({ p, each }: Row): boolean => p > 1 && each < 20;
const parts: Record<string, boolean> = {
  "F where no answer is wrong": ends(rows.filter(({ wrong }) => wrong === 0)),
  "F of fewer than 20 n p answers, some wrong, off the line": ends(faulty.filter(isFew)),
  "the error on new answers": rows.every(({ errors: [auto, lbfgs] }) => auto <= 1.05 * lbfgs + 0.002),
  "processor time": rows.every(({ time }) => time <= 2),
};
if (!faulty.every(isFew)) parts["F of other answers, some wrong"] = ends(faulty.filter((row) => !isFew(row)));

writeReport(
  {
    paper: "svrg",
    name: "consistent",
    title: "Does `auto` end where L-BFGS ends when answers are consistent?",
    claim:
      "F (without a ridge) is at most 1.05 times that of L-BFGS and 10⁻⁶ in every draw, the mean error on new answers at most 1.05 times that of L-BFGS and 0.002, the median of processor time at most twice that of L-BFGS.",
    data: `Drawn: ${OBJECTS} normal points in p dimensions, answers of which a share is turned round; new answers are all right.`,
    method: `\`ordinalEmbedding\` by default and with \`solver: "lbfgs"\`, the loss "soe" for both; F on the answers and the error on ${TEST} new ones. Where ${"`auto`"} has chosen a ridge by answers held out, F is larger by its nature, and the error says what it is good for.`,
    clock: "processor",
    repeats: `${draws} draws of each (seeds from ${FIRST_SEED}); times are processor times of the whole call, medians of the quotients.`,
    findings: [
      verdict(parts),
      `Over all rows the error on new answers was ${mean(rows.map(({ errors: [auto, lbfgs] }) => auto / lbfgs)).toFixed(3)} times that of L-BFGS on average, the time ${quantile(
        rows.map(({ time }) => time),
        0.5,
      ).toFixed(2)} times.`,
    ],
    tables: [
      {
        columns: [
          "p",
          "answers",
          "wrong",
          "draws with F as low",
          "error, auto",
          "error, L-BFGS",
          "time, times",
        ],
        rows: rows.map(({ p, each, wrong, reached, errors, time }) => [
          p,
          `${each} n p`,
          `${100 * wrong} %`,
          `${Math.round(reached * draws)} of ${draws}`,
          errors[0].toFixed(4),
          errors[1].toFixed(4),
          time.toFixed(2),
        ]),
      },
    ],
  },
  isQuick,
);
