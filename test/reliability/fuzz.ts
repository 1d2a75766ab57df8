/** Feeds the readers with inputs that nobody wrote, and watches over time and memory from outside. */
import { Worker } from "node:worker_threads";
import type { Finding, FuzzJob, FuzzReport, FuzzRequest } from "./fuzz-worker.ts";
import { Patience } from "./patience.ts";

/** No input is large, so none may take long or much. */
const mostSeconds = 1;
const mostBytes = 64 * 2 ** 20;
const heapMegabytes = 512;

/**
 * Reads the inputs in a thread of its own.
 *
 * @param onReport - hears of each target when it is done; a hang or the thread's end comes as a last report
 */
export function fuzz(request: FuzzRequest, onReport: (report: FuzzReport) => void): Promise<void> {
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const job: FuzzJob = { ...request, progress, mostBytes, mostSeconds };
  const worker = new Worker(new URL("./fuzz-worker.ts", import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    execArgv: ["--no-warnings"],
  });
  let reports = 0;
  const broken = (what: string): void => {
    const target = request.targets[progress[0]];
    const finding: Finding = { target, seed: request.seed, index: progress[1], what };
    onReport({
      target,
      accepted: 0,
      refused: 0,
      microsecondsEach: 0,
      findings: [finding],
      failures: 1,
      summary: [],
    });
  };
  let seen = "";
  const patience = new Patience();
  return new Promise((done) => {
    const watch = setInterval(() => {
      const at = `${Atomics.load(progress, 0)}:${Atomics.load(progress, 1)}`;
      if (at !== seen) {
        seen = at;
        patience.renew();
      } else if (patience.lost !== undefined) {
        broken(patience.lost);
        reports = request.targets.length;
        void worker.terminate();
      }
    }, 500);
    worker.on("message", (report: FuzzReport) => {
      reports++;
      onReport(report);
    });
    worker.on("error", (error) => {
      broken(String(error));
      reports = request.targets.length;
    });
    worker.on("exit", () => {
      clearInterval(watch);
      if (reports < request.targets.length) broken("the thread ended without a report");
      done();
    });
  });
}
