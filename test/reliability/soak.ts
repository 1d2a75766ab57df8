/** One round of everything that a long-lived process does, and whether memory and handles grow over many of them. */
import { readPoints, writeCsv } from "@curvature/datasets";
import { nomad } from "@curvature/optim-sdp";
import { minimizeSum } from "@curvature/optim-sfo";
import { LinearClassifier, loadModel, saveModel } from "@curvature/optim-sgdqn";
import { embed } from "@curvature/optim-spectral";
import { ordinalEmbedding } from "@curvature/optim-svrg";
import { answers, classLabels, points, start, terms } from "./problems.ts";

interface Kept {
  bytes: Uint8Array | undefined;
}

/** Options under which a run writes checkpoints into `kept`, and a limit after which it is ended and gone on with. */
const keeping = (kept: Kept) => ({
  everySeconds: 0,
  write: (bytes: Uint8Array): void => {
    kept.bytes = bytes.slice();
  },
});

/** Runs, keeps the last checkpoint, and runs again from it. */
async function interrupted(
  run: (options: { checkpoint: ReturnType<typeof keeping>; resume?: Uint8Array }) => Promise<unknown>,
): Promise<void> {
  const kept: Kept = { bytes: undefined };
  await run({ checkpoint: keeping(kept) });
  if (kept.bytes === undefined) throw new Error("No checkpoint was written.");
  await run({ checkpoint: keeping(kept), resume: kept.bytes });
}

export async function soakRound(): Promise<void> {
  const rows = points(60);
  await interrupted((options) => embed(rows, { perplexity: 8, maxEvaluations: 40, ...options }));
  await interrupted((options) => nomad(points(15), { clusters: 3, maxIterations: 40, ...options }));
  await interrupted((options) => ordinalEmbedding(answers, { maxPasses: 40, ...options }));
  await interrupted((options) => minimizeSum({ ...terms, initial: start() }, { maxPasses: 10, ...options }));
  const model = new LinearClassifier();
  await interrupted((options) => model.fit(rows, classLabels(60), options));
  loadModel(saveModel(model)).predict(rows);
  await readPoints([...writeCsv(rows, { labels: classLabels(60) })].join(""), { labels: 3 });
}

export interface Sample {
  readonly heapBytes: number;
  readonly arrayBytes: number;
  readonly residentBytes: number;
  readonly handles: number;
}

/**
 * After collections until arrays shrink no more: a thread gives back what they held, in its own time. Just after one
 * collection the arrays of a whole round, up to 2 MiB, may still be counted.
 */
export async function sample(): Promise<Sample> {
  let before = Number.POSITIVE_INFINITY;
  for (let now = before; ; before = now) {
    globalThis.gc?.();
    await new Promise((done) => setTimeout(done, 10));
    now = process.memoryUsage().arrayBuffers;
    if (now >= before) break;
  }
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  return { heapBytes: heapUsed, arrayBytes: arrayBuffers, residentBytes: rss, handles };
}

const megabyte = 2 ** 20;
/** What the line through the samples may rise from the end of the warm-up on: measuring has its noise. */
const allowed: Sample = {
  heapBytes: 2 * megabyte,
  arrayBytes: megabyte,
  residentBytes: 48 * megabyte,
  handles: 0.5,
};

export interface Growth {
  readonly name: string;
  /** The rise of the least-squares line over the samples. */
  readonly rise: number;
  readonly first: number;
  readonly isTooMuch: boolean;
}

/** The growth over the samples behind the first quarter of them, in which caches fill and code is compiled. */
export function growth(samples: readonly Sample[]): readonly Growth[] {
  const kept = samples.slice(Math.ceil(samples.length / 4));
  const names = ["heapBytes", "arrayBytes", "residentBytes", "handles"] as const;
  return names.map((name) => {
    const values = kept.map((one) => one[name]);
    const rise = slope(values) * (values.length - 1);
    return { name, rise, first: values[0], isTooMuch: rise > allowed[name] };
  });
}

/** Of the least-squares line through the values at 0, 1, 2, … */
export function slope(values: readonly number[]): number {
  const n = values.length;
  const middle = (n - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  let [above, below] = [0, 0];
  for (const [k, value] of values.entries()) {
    above += (k - middle) * (value - mean);
    below += (k - middle) * (k - middle);
  }
  return below === 0 ? 0 : above / below;
}
