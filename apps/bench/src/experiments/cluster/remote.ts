/**
 * What it costs to have a subfunction evaluated elsewhere: time and processor time of one evaluation that is nearly free,
 * and how many there are in a second, for gradients of 10³ to 10⁶ entries; and that a run with workers ends where one at
 * home does.
 *
 * Usage: node remote.ts [--quick]
 */
import { minimizeSum } from "@curvature/optim-sfo";
import { experimentArguments } from "../../experiment-arguments.ts";
import { writeReport } from "../../report.ts";
import { type Spread, spreadText } from "../../spread.ts";
import { verdict } from "../../words.ts";
import { evaluationTimes } from "./evaluation-times.ts";
import { problemOf, startPool } from "./pool.ts";
import { redisVersion } from "./redis-version.ts";

const { isQuick } = experimentArguments({});
const WORKERS = 2;
/** Of SFO on the digits. */
const PASSES = 100;
const SEED = 1;
const repeats = isQuick ? 1 : 3;
const dimensions = isQuick ? [1_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000];

const pool = await startPool(WORKERS);
const rows: (string | number)[][] = [];
for (const M of dimensions) rows.push(await overhead(M));
const runs = await comparison();
await pool.end();

/** One at a time and eight at once, each at a point of its own; and in batches at one point. */
async function overhead(M: number): Promise<(string | number)[]> {
  const evaluations = 32 * Math.max(1, Math.min(isQuick ? 4 : 32, Math.round(2e5 / M)));
  const { sum, close } = await pool.remote(`springs:${M}:32`, `overhead-${M}`);
  const gradients = Array.from({ length: 32 }, () => new Float64Array(M));
  const x = new Float64Array(M);
  let asked = 0;
  const one = async (k: number): Promise<number> => {
    x[0] = ++asked;
    return sum.evaluate(asked % 32, x, gradients[k]);
  };
  const alone = await evaluationTimes(pool, repeats, evaluations, async () => {
    for (let k = 0; k < evaluations; k++) await one(0);
  });
  const eight = await evaluationTimes(pool, repeats, evaluations, async () => {
    let left = evaluations;
    const goOn = async (k: number): Promise<void> => {
      while (left-- > 0) await one(k);
    };
    await Promise.all(Array.from({ length: 8 }, (_, k) => goOn(k)));
  });
  const batch = await evaluationTimes(pool, repeats, evaluations, async () => {
    for (let b = 0; b < evaluations / 32; b++) {
      x[0] = ++asked;
      await Promise.all(gradients.map((gradient, i) => sum.evaluate(i, x, gradient)));
    }
  });
  await close();
  const perSecond = 1 / batch.wall.median;
  return [
    M,
    ms(alone.wall),
    ms(eight.wall),
    ms(batch.wall),
    ms(batch.coordinator),
    ms(batch.hub),
    ms(batch.workers),
    Number(perSecond.toPrecision(3)),
    Number(((perSecond * 8 * M) / 1e6).toPrecision(3)),
  ];
}

async function comparison(): Promise<{ rows: (string | number)[][]; isSame: boolean; worst: number }> {
  const problem = await problemOf("digits");
  const { sum, close } = await pool.remote("digits", "digits");
  const found: (string | number)[][] = [];
  let isSame = true;
  let worst = 0;
  for (const [name, options] of [
    ["one at a time", { batch: 1 }],
    ["batches of 8", { batch: 8 }],
    ["four as they come", { batch: 1, concurrency: 4 }],
  ] as const) {
    const settings = { initial: problem.initial, maxPasses: PASSES, seed: SEED, ...options };
    const home = await minimizeSum(problem, settings);
    const away = await minimizeSum(sum, settings);
    const [here, there] = [home.value ?? Number.NaN, away.value ?? Number.NaN];
    const difference = Math.abs(there - here) / Math.abs(here);
    const isEqual = home.x.every((entry, j) => Object.is(entry, away.x[j]));
    if (!("concurrency" in options)) isSame &&= isEqual;
    worst = Math.max(worst, difference);
    found.push([
      name,
      here,
      there,
      difference.toExponential(1),
      isEqual ? "yes" : "no",
      Number(home.elapsedSeconds.toFixed(2)),
      Number(away.elapsedSeconds.toFixed(2)),
    ]);
  }
  await close();
  return { rows: found, isSame, worst };
}

function ms(seconds: Spread): string {
  return spreadText(seconds, (value) => String(Number((1000 * value).toPrecision(3))));
}

writeReport(
  {
    paper: "cluster",
    name: "remote",
    title: "Subfunctions evaluated by other processes",
    claim:
      "A run of SFO with workers behind Redis ends where one at home does: with the same bits in steps at one point, within 1e-6 with answers as they come",
    data: "springs: ½ ‖x − i‖², which costs nearly nothing; the handwritten digits of the repository, even against odd, logistic regression",
    method: `${WORKERS} worker processes, one evaluation at a time each, Redis ${redisVersion()} with an append-only file, all on this machine with the coordinator; wall clock and processor time of an evaluation; SFO on the digits for at most ${PASSES} passes.`,
    repeats: `${repeats === 1 ? "One measurement of each" : `Medians of ${repeats} measurements, in brackets the least and the most`}, one after the other; one run of each kind on the digits, seed ${SEED} at home and with workers. In the springs nothing is drawn.`,
    clock: "both",
    findings: [
      verdict({ "steps at one point": runs.isSame, "answers as they come": runs.worst < 1e-6 }),
      runs.isSame
        ? "With one evaluation at a time and in batches all bits of the result are those of the run at home."
        : "**The bits of a synchronous run differ from those at home.**",
      runs.worst < 1e-6
        ? `The largest relative difference of the final loss is ${runs.worst.toExponential(1)}.`
        : `**The final loss differs by ${runs.worst.toExponential(1)}, more than 1e-6.**`,
    ],
    tables: [
      {
        title: "What an evaluation costs that is nearly free",
        columns: [
          "M",
          "ms, one at a time",
          "ms, eight at once, a point each",
          "ms, batches of 32 at a point",
          "processor ms there: coordinator",
          "Redis",
          "workers",
          "evaluations per s in batches",
          "MB of gradients per s",
        ],
        rows,
      },
      {
        title: "Logistic regression of the digits",
        columns: [
          "questions",
          "loss at home",
          "loss with workers",
          "relative difference",
          "same bits",
          "s at home",
          "s with workers",
        ],
        rows: runs.rows,
      },
    ],
  },
  isQuick,
);
