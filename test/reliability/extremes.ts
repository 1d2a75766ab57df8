/** Tries the extremes of a package's calls in a thread, and goes on after one that hangs or takes the thread with it. */
import { Worker } from "node:worker_threads";
import type { ExtremeFinding, ExtremesMessage } from "./extremes-worker.ts";
import { Patience } from "./patience.ts";

export interface ExtremesRequest {
  readonly package: string;
  /** Of `stride` cases, the one with the remainder `phase` is tried. */
  readonly stride: number;
  readonly phase: number;
}

export interface ExtremesReport {
  /** Calls that ended in a CurvatureError, and in a result. */
  refused: number;
  taken: number;
  readonly findings: ExtremeFinding[];
}

const heapMegabytes = 1024;

export async function extremes(request: ExtremesRequest): Promise<ExtremesReport> {
  const report: ExtremesReport = { refused: 0, taken: 0, findings: [] };
  for (let after = 0; ; ) {
    const at = await inThread(request, after, report);
    if (at === undefined) return report;
    after = at;
  }
}

/** Tries the cases behind `after`; resolves with the case at which the thread was lost, if it was. */
function inThread(
  request: ExtremesRequest,
  after: number,
  report: ExtremesReport,
): Promise<number | undefined> {
  const worker = new Worker(new URL("./extremes-worker.ts", import.meta.url), {
    workerData: { ...request, after },
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    execArgv: ["--no-warnings"],
  });
  let at = { number: after, callee: request.package, where: `${request.package}, before the first call` };
  const patience = new Patience();
  return new Promise((done) => {
    const watch = setInterval(() => {
      if (patience.lost !== undefined) lost(patience.lost);
    }, 250);
    const end = (outcome: number | undefined): void => {
      clearInterval(watch);
      worker.removeAllListeners();
      void worker.terminate();
      done(outcome);
    };
    const lost = (what: string): void => {
      report.findings.push({ callee: at.callee, where: at.where, what });
      end(at.number === after ? undefined : at.number);
    };
    worker.on("message", (message: ExtremesMessage) => {
      patience.renew();
      if ("begin" in message) at = { number: message.begin, callee: message.callee, where: message.where };
      else if (message.end === "all") end(undefined);
      else if (message.end === "found") report.findings.push(message.finding);
      else report[message.end]++;
    });
    worker.on("error", (error) => lost(`the thread died: ${String(error)}`));
    worker.on("exit", () => lost("the thread ended without a word"));
  });
}
