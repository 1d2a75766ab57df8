/**
 * Reads inputs one after the other in a thread of its own, so that a reader that hangs can be ended from outside: the
 * index that is being read and when it began stand in shared memory.
 */
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { generatorOf } from "./fuzz-target.ts";
import { type FuzzTarget, targets } from "./fuzz-targets.ts";

export interface FuzzRequest {
  /** Names of targets. */
  readonly targets: readonly string[];
  /** Below 2^20. */
  readonly seed: number;
  /** The inputs from this index up to, not including, `to`; below 2^32. */
  readonly from: number;
  readonly to: number;
}

export interface FuzzJob extends FuzzRequest {
  /** The place of the target and the index of the input that is being read. */
  readonly progress: Int32Array;
  readonly mostBytes: number;
  readonly mostSeconds: number;
}

export interface Finding {
  readonly target: string;
  readonly seed: number;
  readonly index: number;
  readonly what: string;
}

/** What became of a target's inputs. */
export interface FuzzReport {
  readonly target: string;
  readonly accepted: number;
  readonly refused: number;
  /** Of the processor, for each input. */
  readonly microsecondsEach: number;
  /** The first. */
  readonly findings: readonly Finding[];
  /** All. */
  readonly failures: number;
  /** What the target counted by itself. */
  readonly summary: readonly string[];
}

const mostFindings = 20;

/** What one input takes. `process.cpuUsage` and `process.memoryUsage` take longer than most readers. */
async function read(
  target: FuzzTarget,
  { seed }: FuzzJob,
  index: number,
): Promise<{ readonly end: "accepted" | "refused"; readonly seconds: number; readonly bytes: number }> {
  const before = getHeapStatistics().external_memory; // what arrays hold
  const began = performance.now();
  const end = await target.make(generatorOf(seed, index)).read();
  const seconds = (performance.now() - began) / 1000;
  return { end, seconds, bytes: getHeapStatistics().external_memory - before };
}

async function work(target: FuzzTarget, job: FuzzJob): Promise<FuzzReport> {
  const most = target.most ?? { seconds: job.mostSeconds, bytes: job.mostBytes };
  const counts = { accepted: 0, refused: 0 };
  const findings: Finding[] = [];
  let failures = 0;
  const began = process.cpuUsage();
  const to = job.from + Math.ceil((job.to - job.from) / target.oneIn);
  let index = job.from;
  for (; index < to && (failures < mostFindings || target.summary !== undefined); index++) {
    Atomics.store(job.progress, 1, index);
    const found = (what: string): void => {
      failures++;
      if (failures <= mostFindings) findings.push({ target: target.name, seed: job.seed, index, what });
    };
    try {
      const { end, seconds, bytes } = await read(target, job, index);
      counts[end]++;
      if (bytes > most.bytes) found(`took ${bytes} bytes`);
      if (seconds <= most.seconds) continue;
      // once more by the processor's time: the machine may be busy
      const before = processorSeconds(process.cpuUsage());
      await read(target, job, index);
      const taken = processorSeconds(process.cpuUsage()) - before;
      if (taken > most.seconds) found(`took ${taken.toFixed(2)} s`);
    } catch (error) {
      found(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }
  const microsecondsEach = (1e6 * processorSeconds(process.cpuUsage(began))) / Math.max(1, index - job.from);
  const summary = target.summary?.() ?? [];
  return { target: target.name, ...counts, microsecondsEach, findings, failures, summary };
}

const processorSeconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

const job: FuzzJob = workerData;
for (const [place, name] of job.targets.entries()) {
  Atomics.store(job.progress, 0, place);
  const target = targets.find((known) => known.name === name);
  if (target === undefined) throw new Error(`There is no target "${name}".`);
  parentPort?.postMessage(await work(target, job));
}
