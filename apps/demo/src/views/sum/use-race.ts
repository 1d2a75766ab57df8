/** The solvers side by side, each in a worker of its own, and all that the page shows of them. */
import { useEffect, useRef } from "preact/hooks";
import { JobRun, useRedraw } from "../../worker/job-run.js";
import { runningSolvers, type SolverName, type SumState, solverWord } from "./options.js";
import type { ProblemRequest } from "./problem-request.js";
import type { Best, CurvePoint, ModelsAt, Place, SumAnswer, SumJob, SumProgress } from "./task.js";

/** One solver on its way. */
export class SolverRun extends JobRun<"sum"> {
  passes = 0;
  best: Best | undefined;
  readonly curve: CurvePoint[] = [];
  readonly path: Place[] = [];
  readonly models: ModelsAt[] = [];

  constructor(
    readonly job: SumJob,
    onChange: () => void,
  ) {
    super(onChange);
    this.start("sum", job);
  }

  protected override take({ curve, path, models, passes, best }: SumProgress): void {
    this.curve.push(...curve);
    this.path.push(...path);
    this.models.push(...models);
    this.passes = passes;
    this.best = best;
  }

  protected override conclude({ best, passes }: SumAnswer): void {
    this.best = best;
    this.passes = passes;
  }
}

export interface Race {
  readonly runs: ReadonlyMap<SolverName, SolverRun>;
  readonly isRunning: boolean;
  /** Another object when another race has begun. */
  readonly subject: object | undefined;
  /** Runs all solvers whose run is missing or was of another problem; all of them if there are none such. */
  start(): void;
  stop(): void;
}

export function useRace(problem: ProblemRequest, state: SumState): Race {
  const redraw = useRedraw();
  const runs = useRef(new Map<SolverName, SolverRun>());
  const subject = useRef<object | undefined>(undefined);
  const solvers = runningSolvers(state);
  const { maxPasses, seed } = state;
  const jobs = new Map<SolverName, SumJob>();
  for (const name of solvers) jobs.set(name, { problem, solver: solverWord(name, state), maxPasses, seed });
  const isCurrent = (solver: SolverName, run: SolverRun | undefined): boolean =>
    JSON.stringify(run?.job) === JSON.stringify(jobs.get(solver));
  const stop = (): void => {
    for (const run of runs.current.values()) run.cancel();
  };

  // What nobody sees any more, or was about something else, goes.
  useEffect(() => {
    for (const [solver, run] of runs.current) {
      if (isCurrent(solver, run)) continue;
      run.cancel();
      runs.current.delete(solver);
    }
    redraw();
  }, [JSON.stringify([...jobs])]);
  useEffect(() => stop, []);

  const start = (): void => {
    const isKept = (solver: SolverName): boolean => {
      const run = runs.current.get(solver);
      const kind = run?.status.kind;
      return (kind === "done" || kind === "running") && isCurrent(solver, run);
    };
    const missing = solvers.filter((solver) => !isKept(solver));
    for (const solver of missing.length === 0 ? solvers : missing) {
      const job = jobs.get(solver);
      runs.current.get(solver)?.cancel();
      if (job !== undefined) runs.current.set(solver, new SolverRun(job, redraw));
    }
    subject.current = {};
    redraw();
  };
  const shown = new Map([...runs.current].filter(([solver, run]) => isCurrent(solver, run)));
  return {
    runs: shown,
    isRunning: [...shown.values()].some(({ isRunning }) => isRunning),
    subject: shown.size === 0 ? undefined : subject.current,
    start,
    stop,
  };
}
