/**
 * Whether what is said of a map is true, by simulation: how often 95 % regions hold the places from which the answers were
 * drawn, and which maps are said to be no better than chance.
 *
 * Usage: node truth.ts [--quick] [--draws 40]
 */
import { normal, RandomGenerator } from "@curvature/linalg";
import { bootstrapEmbedding, ordinalEmbedding, procrustes } from "@curvature/optim-svrg";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { mean } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { verdict } from "../../words.ts";
import { answer, cloud, some, squared } from "./drawn-answers.ts";

const { isQuick, draws } = experimentArguments({ draws: whole(40, 2) });
const SAMPLES = 40;
/** Maps with a larger error on new answers may be taken for chance. */
const WEAK = 0.4;
const OBJECTS = 20;

interface Drawn {
  readonly points: readonly number[][];
  readonly rows: readonly number[][];
  readonly groups?: { readonly trial?: number[]; readonly participant?: number[] };
}

const plane = (random: RandomGenerator, count: number, size = 1.2): number[][] =>
  cloud(random, count, 2, size);

const independent =
  (each: number, slope: number) =>
  (random: RandomGenerator): Drawn => {
    const points = plane(random, OBJECTS);
    return { points, rows: Array.from({ length: each * OBJECTS }, () => answer(random, points, slope)) };
  };

/**
 * People whose places differ from the common ones by τ.
 *
 * @param each - their numbers of answers, or the median of a lognormal one with σ = 1.2
 */
const people =
  (count: number, each: number, tau: number, isEven = true) =>
  (random: RandomGenerator): Drawn => {
    const points = plane(random, OBJECTS);
    const participant: number[] = [];
    const rows: number[][] = [];
    for (let who = 0; who < count; who++) {
      const own = points.map((point) => point.map((value) => value + tau * normal(random)));
      const answers = isEven ? each : Math.ceil(each * Math.exp(1.2 * normal(random)));
      for (let t = 0; t < answers; t++) {
        rows.push(answer(random, own, 1));
        participant.push(who);
      }
    }
    return { points, rows, groups: { participant } };
  };

/** The two of eight that are nearest to an anchor, with Gumbel noise: twelve answers each. */
const choices =
  (objects: number, trials: number) =>
  (random: RandomGenerator): Drawn => {
    const points = plane(random, objects, 1);
    const rows: number[][] = [];
    const trial: number[] = [];
    for (let t = 0; t < trials; t++) {
      const [anchor, ...others] = some(random, 9, objects);
      const ranked = others
        .map((other) => ({
          other,
          utility: -2 * Math.sqrt(squared(points, anchor, other)) - Math.log(-Math.log(random.uniform())),
        }))
        .sort((a, b) => b.utility - a.utility);
      for (const near of ranked.slice(0, 2))
        for (const far of ranked.slice(2)) {
          rows.push([anchor, near.other, far.other]);
          trial.push(t);
        }
    }
    return { points, rows, groups: { trial } };
  };

const designs: readonly (readonly [string, (random: RandomGenerator) => Drawn])[] = [
  ["independent, 5 n", independent(5, 1)],
  ["independent, 15 n", independent(15, 1)],
  ["independent, 50 n", independent(50, 1)],
  ["independent, 500 n", independent(500, 1)],
  ["10 people × 100, τ = 0.5", people(10, 100, 0.5)],
  ["10 people × 300, τ = 0", people(10, 300, 0)],
  ["10 people × 1,000, τ = 0.25", people(10, 1000, 0.25)],
  ["30 people × 100, τ = 0.5", people(30, 100, 0.5)],
  ["30 people × 300, τ = 0.25", people(30, 300, 0.25)],
  ["20 people × 100 (lognormal), τ = 0.5", people(20, 100, 0.5, false)],
  ["10 people × 300 (lognormal), τ = 0.25", people(10, 300, 0.25, false)],
  ["120 trials of 2 of 8, 40 objects", choices(40, 120)],
  ["300 trials of 2 of 8, 40 objects", choices(40, 300)],
];

/** The share of objects whose region holds the true place. */
async function coverage({ points, rows, groups }: Drawn, seed: number): Promise<number> {
  const { embedding, ellipse } = await bootstrapEmbedding(rows, {
    ...{ objects: points.length, samples: SAMPLES, seed, groups },
  });
  const { aligned } = procrustes(embedding, points);
  return mean(
    points.map((_, object) => {
      const { major, minor, direction } = ellipse(object);
      const x = aligned.data[2 * object] - embedding.data[2 * object];
      const y = aligned.data[2 * object + 1] - embedding.data[2 * object + 1];
      const along = (x * direction[0] + y * direction[1]) / major;
      const across = (y * direction[0] - x * direction[1]) / minor;
      return along * along + across * across <= 1 ? 1 : 0;
    }),
  );
}

const covered: { readonly name: string; readonly shares: readonly number[] }[] = [];
for (const [name, draw] of designs) {
  const shares: number[] = [];
  for (let seed = 0; seed < draws; seed++)
    shares.push(await coverage(draw(new RandomGenerator(1000 + seed)), seed));
  covered.push({ name, shares });
}

interface Flagged {
  readonly name: string;
  readonly share: number;
  readonly error: number;
  /** Of maps whose error is no larger than `WEAK`: how many there are, and how many of them are flagged. */
  readonly good: number;
  readonly goodFlagged: number;
}

const flagged: Flagged[] = [];
const tests = 5 * draws;
for (const [answers, slope] of [
  [100, 0],
  [400, 0],
  [3000, 0],
  [300, 0.3],
  [600, 0.3],
  [300, 1],
]) {
  const errors: number[] = [];
  const isFlag: boolean[] = [];
  for (let seed = 0; seed < tests; seed++) {
    const random = new RandomGenerator(5000 + seed);
    const points = plane(random, OBJECTS, 1);
    const drawn = (count: number) => Array.from({ length: count }, () => answer(random, points, slope));
    const rows = drawn(answers);
    const { chance, testError = Number.NaN } = await ordinalEmbedding(rows, {
      ...{ objects: OBJECTS, test: drawn(3000) },
    });
    isFlag.push(chance?.isBetter === false);
    errors.push(testError);
  }
  flagged.push({
    name: slope === 0 ? `${answers} coin flips` : `${answers} answers of slope ${slope}`,
    share: mean(isFlag.map(Number)),
    error: mean(errors),
    good: errors.filter((error) => error <= WEAK).length,
    goodFlagged: errors.filter((error, k) => error <= WEAK && isFlag[k]).length,
  });
}

const isCovered = Object.fromEntries(
  covered.map(({ name, shares }) => [name, mean(shares) >= 0.9 && mean(shares) <= 0.98]),
);
const isFlagged = Object.fromEntries(
  flagged
    .filter(({ name, good }) => name.includes("coin") || good > 0)
    .map(({ name, share, good, goodFlagged }) => [
      name,
      name.includes("coin") ? share >= 0.95 : goodFlagged <= 0.05 * good,
    ]),
);

writeReport(
  {
    paper: "svrg",
    name: "truth",
    title: "Is what is said of a map true?",
    claim:
      "95 % regions hold the true places in 0.90 to 0.98 of cases; coin flips are flagged in 95 % of draws at least, maps whose error is at most 0.40 in 5 % at most.",
    data: `Drawn: ${OBJECTS} objects in the plane unless said, answers logistic in the difference of squared distances; people whose places differ by τ; trials "choose 2 of 8" with Gumbel noise.`,
    method: `\`bootstrapEmbedding\` with ${SAMPLES} samples and the groups named; the true places moved, turned and scaled onto the map. \`chance\` of \`ordinalEmbedding\`.`,
    repeats: `${draws} draws of each design (seeds 1000 to ${999 + draws}), ${tests} of each of the second table (seeds from 5000); means.`,
    clock: "none",
    findings: [`Regions: ${verdict(isCovered)}`, `Chance: ${verdict(isFlagged)}`],
    tables: [
      {
        columns: ["answers", "coverage", "least of a draw"],
        rows: covered.map(({ name, shares }) => [
          name,
          mean(shares).toFixed(3),
          Math.min(...shares).toFixed(2),
        ]),
      },
      {
        columns: [
          "answers",
          "said to be chance",
          "error on new answers",
          `said of maps with an error up to ${WEAK}`,
        ],
        rows: flagged.map(({ name, share, error, good, goodFlagged }) => [
          ...[name, share.toFixed(3), error.toFixed(3)],
          `${goodFlagged} of ${good}`,
        ]),
      },
    ],
  },
  isQuick,
);
