/**
 * Whether `chooseDimension` finds the dimension in which people see, by simulation: from 10 answers for each coordinate to
 * 50,000 in all.
 *
 * Usage: node dimension.ts [--quick] [--draws 3]
 */
import { RandomGenerator } from "@curvature/linalg";
import { chooseDimension, ordinalEmbedding } from "@curvature/optim-svrg";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { mean } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { verdict } from "../../words.ts";
import { cloud, flippedAnswer, meanAndError, squared } from "./drawn-answers.ts";

const { isQuick, draws } = experimentArguments({ draws: whole(3, 1) });
const OBJECTS = 30;
const FRESH = 5000;
const FLIPS = isQuick ? [0.1] : [0, 0.1, 0.2];
const TRUE = isQuick ? [1, 2] : [1, 2, 3, 4, 5];
/** Answers for each coordinate; and one size that is the same for all. */
const SIZES = isQuick ? [10] : [10, 30];
const MOST = 50_000;

interface Drawn {
  readonly chosen: number;
  /** Whether p beats p − 1 (p = 1: a coin) by more than four paired standard errors on fresh answers. */
  readonly isClear: boolean;
  /** The error of the chosen dimension on fresh answers as a multiple of that of the true one. */
  readonly ratio: number;
  readonly outcome: string;
}

async function draw(p: number, count: number, flip: number, seed: number): Promise<Drawn> {
  const random = new RandomGenerator(seed);
  const points = cloud(random, OBJECTS, p);
  const rows = Array.from({ length: count }, () => flippedAnswer(random, points, flip));
  const fresh = Array.from({ length: FRESH }, () => flippedAnswer(random, points, flip));
  const { dimensions: chosen, outcome } = await chooseDimension(rows, { objects: OBJECTS, seed });
  const wrongOf = async (dimensions: number): Promise<readonly number[]> => {
    if (dimensions === 0) return fresh.map(() => 0.5);
    const { embedding } = await ordinalEmbedding(rows, { objects: OBJECTS, dimensions, seed });
    const map = Array.from({ length: OBJECTS }, (_, i) => [
      ...embedding.data.subarray(i * dimensions, (i + 1) * dimensions),
    ]);
    return fresh.map(([i, j, k]) => (squared(map, i, j) < squared(map, i, k) ? 0 : 1));
  };
  const own = await wrongOf(p);
  const below = await wrongOf(p - 1);
  const gain = meanAndError(below.map((wrong, q) => wrong - own[q]));
  const other = chosen === p ? own : await wrongOf(chosen);
  const least = Math.max(mean(own), 1 / FRESH);
  return { chosen, isClear: gain.mean > 4 * gain.error, ratio: mean(other) / least, outcome };
}

const rows: (readonly (string | number)[])[] = [];
const clear: boolean[] = [];
const above: boolean[] = [];
const ratios: number[] = [];
for (const p of TRUE)
  for (const count of [...SIZES.map((each) => each * OBJECTS * p), ...(isQuick ? [] : [MOST])])
    for (const flip of count === MOST ? [0.1] : FLIPS) {
      const drawn: Drawn[] = [];
      const repeats = count === MOST ? 1 : draws;
      for (let k = 0; k < repeats; k++) drawn.push(await draw(p, count, flip, 7000 + 100 * p + k));
      const clearly = drawn.filter(({ isClear }) => isClear);
      const others = drawn.filter(({ isClear }) => !isClear);
      clear.push(...clearly.map(({ chosen }) => chosen === p));
      above.push(...others.map(({ chosen }) => chosen > p));
      ratios.push(...others.map(({ ratio }) => ratio));
      rows.push([
        p,
        count,
        `${100 * flip} %`,
        `${clearly.filter(({ chosen }) => chosen === p).length} of ${clearly.length}`,
        drawn.map(({ chosen }) => chosen).join(", "),
        mean(drawn.map(({ chosen }) => chosen)).toFixed(2),
        mean(drawn.map(({ ratio }) => ratio)).toFixed(3),
      ]);
    }

const share = (values: readonly boolean[]): number =>
  values.length === 0 ? 0 : values.filter(Boolean).length / values.length;
const parts: Record<string, boolean> = { "draws in which p is clear": share(clear) >= 0.9 };
if (above.length > 0) {
  parts["dimensions above the true one elsewhere"] = share(above) <= 0.05;
  parts["the error elsewhere"] = mean(ratios) <= 1.03;
}

writeReport(
  {
    paper: "svrg",
    name: "dimension",
    title: "Is the dimension found in which people see?",
    claim:
      "Where p dimensions beat p − 1 by more than four paired standard errors on fresh answers, p is chosen in 90 % of draws at least; elsewhere more than p in 5 % at most, and the error on fresh answers is at most 1.03 times that of p.",
    data: `Drawn: ${OBJECTS} normal points, answers of which a share is turned round.`,
    method: `\`chooseDimension\` among its usual candidates; errors of \`ordinalEmbedding\` on ${FRESH} fresh answers.`,
    repeats: `${draws} draws of each (seeds from ${7000}), one of ${MOST} answers.`,
    clock: "none",
    findings: [
      verdict(parts),
      `p was clear in ${clear.length} draws, and chosen in ${(100 * share(clear)).toFixed(1)} % of them. In the ${above.length} others more was chosen in ${(100 * share(above)).toFixed(1)} %${ratios.length > 0 ? `, and the error on fresh answers was ${mean(ratios).toFixed(3)} times that of the true p` : ""}.`,
    ],
    tables: [
      {
        columns: ["p", "answers", "turned round", "right where clear", "chosen", "mean", "error ratio"],
        rows,
      },
    ],
  },
  isQuick,
);
