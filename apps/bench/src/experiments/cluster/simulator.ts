/**
 * The simulator against real runs: its figures are measured with one worker, then it predicts runs with 1, 2 and 4 of
 * them, which are made too. And from what evaluation time on remote subfunctions pay, by the same figures.
 *
 * Usage: node simulator.ts [--quick]
 */
import { availableParallelism } from "node:os";
import type { RemoteSum } from "@curvature/cluster";
import { experimentArguments } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { breakEvenSeconds } from "../../simulator/break-even.ts";
import type { PoolFigures } from "../../simulator/figures.ts";
import { simulateRemoteSum } from "../../simulator/simulate.ts";
import { median, spreadOf, spreadText } from "../../spread.ts";
import { verdict } from "../../words.ts";
import { evaluationTimes } from "./evaluation-times.ts";
import { type Problem, problemOf, startPool } from "./pool.ts";
import { redisVersion } from "./redis-version.ts";

const { isQuick } = experimentArguments({});
const cores = availableParallelism();
const repeats = isQuick ? 1 : 3;

/** Evaluations as fast as answers come, `atOnce` under way, each at a point of its own; or in batches at one point. */
async function measured(sum: RemoteSum, evaluations: number, atOnce: number, batch: number): Promise<number> {
  const x = new Float64Array(sum.dimension);
  const gradients = Array.from({ length: Math.max(atOnce, batch) }, () => new Float64Array(sum.dimension));
  let asked = 0;
  const started = performance.now();
  if (batch > 1) {
    while (asked < evaluations) {
      x[0]++;
      const size = Math.min(batch, evaluations - asked);
      await Promise.all(gradients.slice(0, size).map((g) => sum.evaluate(asked++ % sum.count, x, g)));
    }
  } else {
    const goOn = async (gradient: Float64Array): Promise<void> => {
      while (asked < evaluations) {
        x[0]++;
        await sum.evaluate(asked++ % sum.count, x, gradient);
      }
    };
    await Promise.all(gradients.slice(0, atOnce).map(goOn));
  }
  return (performance.now() - started) / 1000;
}

/** Seconds of a question with its answer. */
type RoundTrip = Readonly<Record<"wall" | "coordinator" | "hub" | "workers", number>>;

/** One worker, one question at a time, nearly nothing to compute. */
async function roundTrip(dimension: number, count: number): Promise<RoundTrip> {
  const pool = await startPool(1);
  const { sum, close } = await pool.remote(`springs:${dimension}:8`, "figures");
  const { wall, coordinator, hub, workers } = await evaluationTimes(pool, repeats, count, () =>
    measured(sum, count, 1, 1),
  );
  await close();
  await pool.end();
  return {
    wall: wall.median,
    coordinator: coordinator.median,
    hub: hub.median,
    workers: workers.median,
  };
}

/** Each program's seconds for a question, and its seconds for a byte, from round trips of two lengths. */
async function figuresOf(): Promise<PoolFigures> {
  const [short, long] = [1_000, 100_000];
  const near = await roundTrip(short, isQuick ? 200 : 1000);
  const far = await roundTrip(long, isQuick ? 30 : 200);
  note(`round trips: ${JSON.stringify({ near, far })}`);
  /** What none of the processors accounts for: messages on their way. */
  const onTheWay = ({ wall, coordinator, hub, workers }: RoundTrip): number =>
    Math.max(0, wall - coordinator - hub - workers);
  // Where that grows with the bytes Redis waits for its disk, and all others for Redis.
  const hubOf = (trip: RoundTrip): number => trip.hub + Math.max(0, onTheWay(trip) - onTheWay(near));
  // A point and a gradient pass coordinator and worker once, and Redis twice: in and out.
  const rate = (passes: number, of: (trip: RoundTrip) => number): number =>
    (passes * 2 * 8 * (long - short)) / Math.max(Number.MIN_VALUE, of(far) - of(near));
  const coordinatorBytesPerSecond = rate(1, ({ coordinator }) => coordinator);
  const workerBytesPerSecond = rate(1, ({ workers }) => workers);
  const hubBytesPerSecond = rate(2, hubOf);
  const bytes = 2 * 8 * short;
  const fixed = (seconds: number, handled: number, bytesPerSecond: number): number =>
    Math.max(0, seconds - handled / bytesPerSecond);
  return {
    workers: 1,
    latencySeconds: onTheWay(near) / 3,
    coordinatorSeconds: fixed(near.coordinator, bytes, coordinatorBytesPerSecond),
    coordinatorBytesPerSecond,
    hubSeconds: fixed(near.hub, 2 * bytes, hubBytesPerSecond),
    hubBytesPerSecond,
    workerSeconds: fixed(near.workers, bytes, workerBytesPerSecond),
    workerBytesPerSecond,
    cores,
  };
}

/** What an evaluation takes at home: wall clock where it waits, processor time where it computes. */
async function evaluationSeconds(problem: Problem, isWaiting: boolean): Promise<number> {
  const gradient = new Float64Array(problem.dimension);
  const times: number[] = [];
  for (let k = 0; k < 20; k++) {
    const before = isWaiting ? performance.now() / 1000 : cpuSeconds();
    await problem.evaluate(k % problem.count, problem.initial, gradient);
    times.push((isWaiting ? performance.now() / 1000 : cpuSeconds()) - before);
  }
  return median(times);
}

interface Case {
  readonly name: string;
  readonly waiting: number;
  readonly computing: number;
  readonly dimension: number;
  /** Evaluations under way, for each worker, where answers are taken as they come. */
  readonly ahead: number;
  readonly batch: number;
}

const cases: readonly Case[] = [10, 1_000, 100_000].flatMap((dimension) =>
  [
    { waiting: 50, computing: 0 },
    { waiting: 0, computing: 50 },
  ].flatMap(({ waiting, computing }) =>
    [
      { way: "as they come", ahead: 2, batch: 1 },
      { way: "batches of 8", ahead: 1, batch: 8 },
    ].map(({ way, ahead, batch }) => ({
      name: `50 ms of ${waiting > 0 ? "waiting" : "computing"}, ${way}`,
      waiting,
      computing,
      dimension,
      ahead,
      batch,
    })),
  ),
);

const figures = await figuresOf();
const rows: (string | number)[][] = [];
const errors: number[] = [];
/** That the claim allows. */
const MOST = 0.25;
for (const workers of [1, 2, 4]) {
  const pool = await startPool(workers);
  for (const { name, waiting, computing, dimension, ahead, batch } of cases) {
    const evaluations = isQuick ? 16 : 64;
    const words = `springs:${dimension}:32:${waiting}:${computing}`;
    const seconds = await evaluationSeconds(await problemOf(words), waiting > 0);
    const { sum, close } = await pool.remote(words, "run");
    const times: number[] = [];
    for (let r = 0; r < repeats; r++) times.push(await measured(sum, evaluations, ahead * workers, batch));
    await close();
    const real = spreadOf(times);
    const predicted = simulateRemoteSum(
      { ...figures, workers },
      {
        evaluations,
        evaluationSeconds: seconds,
        isWaiting: waiting > 0,
        dimension,
        solverSeconds: 0,
        batch,
        concurrency: ahead * workers,
      },
    ).seconds;
    const error = predicted / real.median - 1;
    errors.push(Math.abs(error));
    rows.push([
      name,
      dimension,
      workers,
      two(1000 * seconds),
      spreadText(real, (value) => String(two(value))),
      two(predicted),
      `${Math.round(100 * error)} %`,
    ]);
    note(rows[rows.length - 1].join(", "));
  }
  await pool.end();
}

const payRows = [1_000, 10_000, 100_000, 1_000_000].map((dimension) => [
  dimension,
  ...[2, 8, 100].flatMap((workers) =>
    [1, workers / 2].map((factor) => {
      const { cores: _, ...apart } = figures; // machines of their own
      const work = {
        evaluations: 20 * workers,
        dimension,
        solverSeconds: 0,
        batch: 1,
        concurrency: 2 * workers,
      };
      const seconds = breakEvenSeconds({ ...apart, workers }, work, factor);
      return seconds === undefined ? "never" : `${two(1000 * seconds)} ms`;
    }),
  ),
]);

const before = cpuSeconds();
const huge = simulateRemoteSum(
  { ...figures, cores: Number.POSITIVE_INFINITY, workers: 10_000, failuresPerHour: 0.1, pricePerHour: 0.04 },
  {
    evaluations: 100_000,
    evaluationSeconds: 60,
    evaluationSpread: 0.3,
    dimension: 1000,
    solverSeconds: 0.001,
    batch: 1,
    concurrency: 10_000,
  },
);
const hugeSeconds = cpuSeconds() - before;

const within = (most: number): number => errors.filter((error) => error < most).length;

function two(figure: number): number {
  return Number(figure.toPrecision(figure < 10 ? 2 : 3));
}

/** What a program takes for a question, and how fast it handles bytes. */
function costs(seconds: number, bytesPerSecond = Number.POSITIVE_INFINITY): string {
  return `${two(1000 * seconds)} ms and ${two(bytesPerSecond / 1e6)} MB/s`;
}

const f = figures;
writeReport(
  {
    paper: "cluster",
    name: "simulator",
    title: "Remote work, simulated and real",
    claim:
      "Fed with figures that one worker gives, the simulator predicts runs with 1, 2 and 4 workers within 25 %",
    data: "springs: ½ ‖x − i‖² with a stated waiting or computing time for each evaluation",
    method: `Figures measured with one worker, one question at a time, M = 1,000 and 100,000: processor time for a question with its answer, and bytes per second (Redis's with its waits for the disk): coordinator ${costs(f.coordinatorSeconds, f.coordinatorBytesPerSecond)}, Redis ${redisVersion()} ${costs(f.hubSeconds ?? 0, f.hubBytesPerSecond)}, worker ${costs(f.workerSeconds, f.workerBytesPerSecond)}; latency ${two(1000 * f.latencySeconds)} ms, ${cores} cores. The time of an evaluation is measured at home (a timer of 50 ms takes longer; processor time where it computes).`,
    repeats: `${repeats === 1 ? "One run of each" : `Medians of ${repeats} runs of each, in brackets the least and the most, one after the other`}; errors are those of the median. In the springs nothing is drawn; failures and spread of the large simulation have seed 0.`,
    clock: "both",
    findings: [
      `${verdict({ "every run": errors.every((error) => error < MOST) })} ${within(MOST)} of ${errors.length} predictions are within 25 %, ${within(0.1)} within 10 %; the largest error is ${Math.round(100 * Math.max(...errors))} %, the median ${Math.round(100 * median(errors))} %.`,
      `10,000 workers, 100,000 evaluations of 60 s, a failure in ten hours each: ${two(huge.seconds)} s predicted, at 0.04 an hour ${two(huge.cost)}, ${huge.lost} evaluations lost and made again; simulated in ${two(hugeSeconds)} s of processor time.`,
    ],
    tables: [
      {
        title: `Predicted and real, ${isQuick ? 16 : 64} evaluations`,
        columns: ["evaluation", "M", "workers", "ms at home", "s, real", "s, predicted", "error"],
        rows,
      },
      {
        title:
          "From what evaluation time on remote subfunctions pay: faster than one core at home, and by half as many times as there are workers",
        columns: ["M", "2 workers", "1 times", "8 workers", "4 times", "100 workers", "50 times"],
        rows: payRows,
      },
    ],
  },
  isQuick,
);
