/**
 * Whether questions that are chosen teach at least as much as random ones, and whether what is said of their answers is
 * true, by simulated people: from 3 to 10 answers for each object, with maps of as many dimensions as people see, and of
 * others.
 *
 * Usage: node questions.ts [--quick] [--draws 20]
 */
import { RandomGenerator } from "@curvature/linalg";
import { generalizationError, ordinalEmbedding, selectQuestions } from "@curvature/optim-svrg";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { mean } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { verdict } from "../../words.ts";
import { answer, cloud, meanAndError, saysNearer } from "./drawn-answers.ts";

const { isQuick, draws } = experimentArguments({ draws: whole(20, 2, 2) });
const SLOPE = 2;
const SIZES = isQuick ? [3, 6] : [3, 4, 6, 10];
const JUDGED = 3000;
const TEST = 2000;
const designs = (isQuick ? [30] : [30, 60]).flatMap((objects) =>
  [
    [2, 2],
    [3, 2],
    [2, 3],
  ].map(([seen, dimensions]) => ({ objects, seen, dimensions })),
);
type Design = (typeof designs)[number];

interface Said {
  readonly logLoss: number;
  /** The mean of the probability said of the likelier answer, less how often it was given. */
  readonly gap: number;
}

/** By size: the error on new answers, and what is said of answers to new questions. */
interface Course {
  readonly errors: readonly number[];
  readonly said: readonly Said[];
}

async function course(design: Design, draw: number, isChosen: boolean): Promise<Course> {
  const { objects, seen, dimensions } = design;
  const random = new RandomGenerator(300 + draw);
  const points = cloud(random, objects, seen);
  const test = Array.from({ length: TEST }, () => answer(random, points, SLOPE));
  const rows: number[][] = [];
  const errors: number[] = [];
  const said: Said[] = [];
  for (const size of SIZES.map((each) => each * objects)) {
    while (rows.length < size) {
      const count = Math.min(Math.ceil(Math.max(10, objects / 3, rows.length / 10)), size - rows.length);
      const { questions } = await selectQuestions(rows, {
        ...{ objects, dimensions, count, seed: 1000 * draw + rows.length },
        ...(isChosen ? {} : { randomFirst: Number.MAX_SAFE_INTEGER }),
      });
      for (const { anchor, first, second } of questions)
        rows.push(
          saysNearer(random, points, SLOPE, [anchor, first, second])
            ? [anchor, first, second]
            : [anchor, second, first],
        );
    }
    const { embedding } = await ordinalEmbedding(rows, { objects, dimensions });
    errors.push(generalizationError(test, embedding));
    if (isChosen) said.push(await saidOf(design, rows, points, random, draw));
  }
  return { errors, said };
}

/** Of questions drawn at random; a batch of more than there are good ones has them all. */
async function saidOf(
  { objects, dimensions }: Design,
  rows: readonly number[][],
  points: number[][],
  random: RandomGenerator,
  seed: number,
): Promise<Said> {
  const { questions } = await selectQuestions(rows, {
    ...{ objects, dimensions, seed, repeat: true, randomFirst: 0, count: 2 * JUDGED },
  });
  let logLoss = 0;
  let gap = 0;
  for (const { anchor, first, second, probability = Number.NaN } of questions) {
    const isFirst = saysNearer(random, points, SLOPE, [anchor, first, second]);
    logLoss -= Math.log(isFirst ? probability : 1 - probability) / questions.length;
    const isLikelier = probability >= 0.5 === isFirst;
    gap += (Math.max(probability, 1 - probability) - (isLikelier ? 1 : 0)) / questions.length;
  }
  return { logLoss, gap };
}

const rows: (readonly string[])[] = [];
const isAsGood: Record<string, boolean> = {};
const isNoWorse: Record<string, boolean> = {};
const isCalibrated: Record<string, boolean> = {};
for (const design of designs) {
  const { objects, seen, dimensions } = design;
  const chosen: Course[] = [];
  const random: Course[] = [];
  for (let draw = 0; draw < draws; draw++) {
    chosen.push(await course(design, draw, true));
    random.push(await course(design, draw, false));
  }
  const name = `${objects} objects, people see ${seen}, maps have ${dimensions}`;
  const behind: number[] = [];
  const losses: number[] = [];
  const gaps: number[] = [];
  for (const [at, size] of SIZES.entries()) {
    const excess = meanAndError(chosen.map(({ errors }, draw) => errors[at] - random[draw].errors[at]));
    const logLoss = mean(chosen.map(({ said }) => said[at].logLoss));
    const gap = mean(chosen.map(({ said }) => said[at].gap));
    behind.push(excess.mean / excess.error);
    losses.push(logLoss);
    if (size >= 10) gaps.push(Math.abs(gap));
    rows.push([
      name,
      `${size} n`,
      mean(chosen.map(({ errors }) => errors[at])).toFixed(3),
      mean(random.map(({ errors }) => errors[at])).toFixed(3),
      (excess.mean / excess.error).toFixed(1),
      logLoss.toFixed(3),
      gap.toFixed(3),
    ]);
  }
  isAsGood[name] = behind.every((t) => t <= 2);
  isNoWorse[name] = losses.every((loss) => loss <= Math.LN2);
  if (gaps.length > 0) isCalibrated[name] = gaps.every((gap) => gap <= 0.05);
}

writeReport(
  {
    paper: "svrg",
    name: "questions",
    title: "Do questions that are chosen teach more, and is what is said of answers true?",
    claim:
      "Maps from chosen questions are behind those from random ones by at most two paired standard errors at every size; the log loss of the probabilities said is no more than a coin's, and from 10 answers for each object on they are right within 0.05 on average.",
    data: `Drawn: normal points, answers logistic in ${SLOPE} times the difference of squared distances.`,
    method: `\`selectQuestions\` in batches of its usual size, from none on; the error of \`ordinalEmbedding\` on ${TEST} new answers. What is said is held against answers to ${2 * JUDGED} questions, of which half are drawn from all and half are among those that teach most. \`gap\` is the mean probability of the likelier answer less how often it was given: above 0 where too much is said.`,
    repeats: `${draws} draws of each design (seeds from 300), the same points for both; means, and t of the paired difference.`,
    clock: "none",
    findings: [
      `Not behind random: ${verdict(isAsGood)}`,
      `Log loss: ${verdict(isNoWorse)}`,
      ...(Object.keys(isCalibrated).length > 0 ? [`Calibrated: ${verdict(isCalibrated)}`] : []),
    ],
    tables: [
      {
        columns: ["design", "answers", "error, chosen", "error, random", "t", "log loss", "gap"],
        rows,
      },
    ],
  },
  isQuick,
);
