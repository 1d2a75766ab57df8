/**
 * Reads inputs one after the other in a thread of its own, so that a reader that hangs can be ended from outside: the
 * index that is being read and when it began stand in shared memory.
 */
import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { type FuzzTarget, generatorOf, targets } from "./fuzz-targets.ts";

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
  readonly slowestSeconds: number;
  readonly findings: readonly Finding[];
}

const mostFindings = 20;

/** Time of the processor, since the machine may be busy; `process.memoryUsage` takes longer than most readers. */
function use(): { readonly seconds: number; readonly arrayBytes: number } {
  const { user, system } = process.cpuUsage();
  return { seconds: (user + system) / 1e6, arrayBytes: getHeapStatistics().external_memory };
}

async function work(target: FuzzTarget, job: FuzzJob): Promise<FuzzReport> {
  const counts = { accepted: 0, refused: 0 };
  const findings: Finding[] = [];
  let slowestSeconds = 0;
  let before = use();
  for (let index = job.from; index < job.to && findings.length < mostFindings; index++) {
    Atomics.store(job.progress, 1, index);
    const found = (what: string): void => {
      findings.push({ target: target.name, seed: job.seed, index, what });
    };
    try {
      counts[await target.make(generatorOf(job.seed, index)).read()]++;
    } catch (error) {
      found(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    const after = use();
    const seconds = after.seconds - before.seconds;
    slowestSeconds = Math.max(slowestSeconds, seconds);
    if (seconds > job.mostSeconds) found(`took ${seconds.toFixed(2)} s`);
    const grown = after.arrayBytes - before.arrayBytes;
    if (grown > job.mostBytes) found(`took ${grown} bytes`);
    before = after;
  }
  return { target: target.name, ...counts, slowestSeconds, findings };
}

const job: FuzzJob = workerData;
for (const [place, name] of job.targets.entries()) {
  Atomics.store(job.progress, 0, place);
  const target = targets.find((known) => known.name === name);
  if (target === undefined) throw new Error(`There is no target "${name}".`);
  parentPort?.postMessage(await work(target, job));
}
