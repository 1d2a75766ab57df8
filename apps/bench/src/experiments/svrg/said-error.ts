/**
 * Whether the test error that is reported is the error on new trials and on new people, by simulation: triplets, odd one out
 * and "choose 2 of 8", with and without people who differ.
 *
 * Usage: node said-error.ts [--quick] [--draws 20]
 */
import { normal, RandomGenerator } from "@curvature/linalg";
import { generalizationError, ordinalEmbedding, splitAnswers } from "@curvature/optim-svrg";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { mean } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { verdict } from "../../words.ts";
import { cloud, type Points, some, squared } from "./drawn-answers.ts";

const { isQuick, draws } = experimentArguments({ draws: whole(20, 2) });
const OBJECTS = 20;
const TEST = 0.2;
const FRESH_TRIALS = isQuick ? 500 : 5000;
const FRESH_PEOPLE = isQuick ? 20 : 200;
/** The mean of what is reported may be off by so much of the mean of the errors themselves. */
const MOST_OFF = 0.1;

/** Comparisons (i, j, k), i nearer to j than to k, that one trial of somebody who sees these points says. */
type Trial = (random: RandomGenerator, points: Points) => number[][];

const gumbel = (random: RandomGenerator): number => -Math.log(-Math.log(random.uniform()));

/** The `chosen` of the others that are nearest to the first, with Gumbel noise: nearer than each of the rest. */
const choice =
  (others: number, chosen: number): Trial =>
  (random, points) => {
    const [anchor, ...options] = some(random, 1 + others, points.length);
    const ranked = options
      .map((option) => ({ option, utility: -squared(points, anchor, option) + gumbel(random) }))
      .sort((a, b) => b.utility - a.utility)
      .map(({ option }) => option);
    return ranked.slice(0, chosen).flatMap((near) => ranked.slice(chosen).map((far) => [anchor, near, far]));
  };

/** Of three the pair that is nearest, with Gumbel noise; each of it is nearer to the other than to the odd one. */
const oddOneOut: Trial = (random, points) => {
  const [a, b, c] = some(random, 3, points.length);
  const [[x, y, odd]] = [
    [a, b, c],
    [b, c, a],
    [c, a, b],
  ]
    .map((trial) => ({ trial, utility: -squared(points, trial[0], trial[1]) + gumbel(random) }))
    .sort((p, q) => q.utility - p.utility)
    .map(({ trial }) => trial);
  return [
    [x, y, odd],
    [y, x, odd],
  ];
};

interface Design {
  readonly name: string;
  readonly trial: Trial;
  readonly trials: number;
  /** People, and how far what they see is from the common places; undefined where nobody is named. */
  readonly people: { readonly count: number; readonly tau: number } | undefined;
}

const kinds = [
  ["triplets", choice(2, 1), 1200],
  ["odd one out", oddOneOut, 800],
  ["2 of 8", choice(8, 2), 160],
] as const;
const designs: readonly Design[] = kinds.flatMap(([name, trial, trials]) => [
  { name, trial, trials, people: undefined },
  { name, trial, trials, people: { count: 20, tau: 0.5 } },
]);

interface Said {
  readonly said: number;
  readonly isInside: boolean;
  readonly true: number;
}

async function draw(
  { trial, trials, people }: Design,
  by: "trial" | "participant",
  seed: number,
): Promise<Said> {
  const random = new RandomGenerator(seed);
  const common = cloud(random, OBJECTS, 2);
  const seen = (): number[][] =>
    common.map((point) => point.map((x) => x + (people?.tau ?? 0) * normal(random)));
  const crowd = Array.from({ length: people?.count ?? 1 }, seen);
  const rows: number[][] = [];
  const trialOf: number[] = [];
  const participant: number[] = [];
  for (let t = 0; t < trials; t++)
    for (const row of trial(random, crowd[t % crowd.length])) {
      rows.push(row);
      trialOf.push(t);
      participant.push(t % crowd.length);
    }
  const groups = people === undefined ? { trial: trialOf } : { trial: trialOf, participant };
  const { train, test } = splitAnswers(rows, { test: TEST, seed, groups, by });
  const { embedding, testEstimate } = await ordinalEmbedding(train, { groups: train.groups, test });
  const estimate = by === "trial" ? testEstimate?.trials : testEstimate?.people;
  const askedOf = by === "trial" ? crowd : Array.from({ length: FRESH_PEOPLE }, seen);
  const fresh = Array.from({ length: FRESH_TRIALS }, (_, t) =>
    trial(random, askedOf[t % askedOf.length]),
  ).flat();
  const error = generalizationError(fresh, embedding);
  const [low, high] = estimate?.interval ?? [Number.NaN, Number.NaN];
  return { said: estimate?.error ?? Number.NaN, isInside: low <= error && error <= high, true: error };
}

interface Row {
  readonly name: string;
  readonly of: string;
  readonly drawn: readonly Said[];
  readonly off: number;
}

const rows: Row[] = [];
for (const design of designs)
  for (const by of ["trial", "participant"] as const) {
    if (by === "participant" && design.people === undefined) continue;
    const drawn: Said[] = [];
    for (let k = 0; k < draws; k++) drawn.push(await draw(design, by, 61_000 + k));
    rows.push({
      name: `${design.name}${design.people === undefined ? "" : `, ${design.people.count} people, τ = ${design.people.tau}`}`,
      of: by === "trial" ? "new trials" : "new people",
      drawn,
      off: mean(drawn.map(({ said }) => said)) / mean(drawn.map((one) => one.true)) - 1,
    });
  }

writeReport(
  {
    paper: "svrg",
    name: "said-error",
    title: "Is the test error that is reported the error on new answers?",
    claim: `The test error, on average over ${draws} draws, is within 10 % of the error on new trials and on new people.`,
    data: `Drawn: ${OBJECTS} objects in the plane; answers by squared distances with Gumbel noise: ${kinds.map(([name, , trials]) => `${trials} trials of ${name}`).join(", ")}; people see places that differ by τ.`,
    method: `\`splitAnswers\` holds out ${100 * TEST} % of the trials, or of the people, as wholes; \`ordinalEmbedding\` on the others, \`testEstimate\` of those held out, beside the error of the same map on ${FRESH_TRIALS} fresh trials of the same people, or of ${FRESH_PEOPLE} others.`,
    repeats: `${draws} draws of each (seeds from 61000); means.`,
    clock: "none",
    findings: [
      verdict(
        Object.fromEntries(rows.map(({ name, of, off }) => [`${name}: ${of}`, Math.abs(off) <= MOST_OFF])),
      ),
    ],
    tables: [
      {
        columns: ["answers", "error on", "test error", "true", "off", "in the 95 % interval"],
        rows: rows.map(({ name, of, drawn, off }) => [
          ...[name, of],
          mean(drawn.map(({ said }) => said)).toFixed(4),
          mean(drawn.map((one) => one.true)).toFixed(4),
          `${(100 * off).toFixed(1)} %`,
          `${drawn.filter(({ isInside }) => isInside).length} of ${draws}`,
        ]),
      },
    ],
  },
  isQuick,
);
