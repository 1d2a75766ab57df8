/**
 * The simulator against real runs: its figures are measured with one worker, then it predicts runs with 1, 2 and 4 of
 * them, which are made too. And from what evaluation time on remote subfunctions pay, by the same figures.
 *
 * Usage: node simulator.ts [--quick]
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { breakEvenSeconds, type PoolFigures, type RemoteSum, simulateRemoteSum } from "@curvature/cluster";
import { writeReport } from "../../report.ts";
import { startPool } from "./pool.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const isQuick = values.quick;
const cores = availableParallelism();

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

/** One worker, one question at a time, two lengths of gradients. */
async function figuresOf(): Promise<PoolFigures> {
  const [short, long] = [1_000, isQuick ? 100_000 : 300_000];
  const count = isQuick ? 200 : 1000;
  const pool = await startPool(1);
  const far = await pool.remote(`springs:${short}:8`, "short");
  const before = process.cpuUsage();
  const seconds = (await measured(far.sum, count, 1, 1)) / count;
  const { user, system } = process.cpuUsage(before);
  const coordinatorSeconds = (user + system) / 1e6 / count;
  await far.close();
  const wide = await pool.remote(`springs:${long}:8`, "long");
  const some = isQuick ? 20 : 60;
  const longSeconds = (await measured(wide.sum, some, 1, 1)) / some;
  await wide.close();
  await pool.end();
  // A point and a gradient go in and out: 4 x 8 M bytes.
  const hubBytesPerSecond = (4 * 8 * (long - short)) / (longSeconds - seconds);
  // The worker's part is about the coordinator's: it sends and receives as much.
  const workerSeconds = coordinatorSeconds;
  const bytes = (4 * 8 * short) / hubBytesPerSecond;
  const latencySeconds = Math.max(0, seconds - bytes - coordinatorSeconds - workerSeconds) / 3;
  return { workers: 1, latencySeconds, hubBytesPerSecond, coordinatorSeconds, workerSeconds, cores };
}

const figures = await figuresOf();

interface Case {
  readonly name: string;
  readonly waiting: number;
  readonly computing: number;
  readonly dimension: number;
  readonly atOnce: (workers: number) => number;
  readonly batch: number;
}

const cases: readonly Case[] = [
  {
    name: "20 ms of waiting, as they come",
    waiting: 20,
    computing: 0,
    dimension: 1000,
    atOnce: (w) => 2 * w,
    batch: 1,
  },
  {
    name: "20 ms of waiting, batches of 8",
    waiting: 20,
    computing: 0,
    dimension: 1000,
    atOnce: () => 1,
    batch: 8,
  },
  {
    name: "20 ms of computing, as they come",
    waiting: 0,
    computing: 20,
    dimension: 1000,
    atOnce: (w) => 2 * w,
    batch: 1,
  },
  {
    name: "50 ms of waiting, M = 100,000, batches of 8",
    waiting: 50,
    computing: 0,
    dimension: 100_000,
    atOnce: () => 1,
    batch: 8,
  },
];

const rows: (string | number)[][] = [];
let worst = 0;
for (const { name, waiting, computing, dimension, atOnce, batch } of cases) {
  for (const workers of [1, 2, 4]) {
    const evaluations = (isQuick ? 40 : 160) * Math.min(workers, 2);
    const pool = await startPool(workers);
    const { sum, close } = await pool.remote(`springs:${dimension}:32:${waiting}:${computing}`, "run");
    const real = await measured(sum, evaluations, atOnce(workers), batch);
    await close();
    await pool.end();
    const { seconds } = simulateRemoteSum(
      { ...figures, workers },
      {
        evaluations,
        evaluationSeconds: (waiting + computing) / 1000,
        isWaiting: waiting > 0,
        dimension,
        solverSeconds: 0,
        batch,
        concurrency: atOnce(workers),
      },
    );
    const error = seconds / real - 1;
    worst = Math.max(worst, Math.abs(error));
    rows.push([name, workers, evaluations, two(real), two(seconds), `${Math.round(100 * error)} %`]);
  }
}

const payRows = [1_000, 10_000, 100_000, 1_000_000].map((dimension) => [
  dimension,
  ...[
    [2, 2],
    [8, 8],
    [100, 100],
  ].flatMap(([workers, atOnce]) =>
    [1, workers / 2].map((factor) => {
      const { cores: _, ...apart } = figures; // machines of their own
      const work = {
        evaluations: 20 * workers,
        dimension,
        solverSeconds: 0,
        batch: 1,
        concurrency: 2 * atOnce,
      };
      const seconds = breakEvenSeconds({ ...apart, workers }, work, factor);
      return seconds === undefined ? "never" : `${two(1000 * seconds)} ms`;
    }),
  ),
]);

const started = performance.now();
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
const hugeSeconds = (performance.now() - started) / 1000;

function two(figure: number): number {
  return Number(figure.toPrecision(figure < 10 ? 2 : 3));
}

writeReport(
  {
    paper: "cluster",
    name: "simulator",
    title: "Remote work, simulated and real",
    claim:
      "Fed with figures that one worker gives, the simulator predicts runs with 1, 2 and 4 workers within 25 %",
    data: "springs: ½ ‖x − i‖² with a stated waiting or computing time for each evaluation",
    method: `Figures measured with one worker: latency ${two(1000 * figures.latencySeconds)} ms, Redis ${two(figures.hubBytesPerSecond / 1e6)} MB/s, coordinator ${two(1000 * figures.coordinatorSeconds)} ms and worker ${two(1000 * figures.workerSeconds)} ms of processor for each evaluation, ${cores} cores. Wall clock, one run each.`,
    findings: [
      worst < 0.25
        ? `The largest error is ${Math.round(100 * worst)} %.`
        : `**The largest error is ${Math.round(100 * worst)} %, more than 25 %.**`,
      `10,000 workers, 100,000 evaluations of 60 s, a failure in ten hours each: ${two(huge.seconds)} s predicted, at 0.04 an hour ${two(huge.cost)}, ${huge.lost} evaluations lost and made again; simulated in ${two(hugeSeconds)} s.`,
    ],
    tables: [
      {
        title: "Predicted and real",
        columns: ["evaluation", "workers", "evaluations", "s, real", "s, predicted", "error"],
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
