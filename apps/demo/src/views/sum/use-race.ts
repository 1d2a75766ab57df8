/** The solvers side by side, each in a worker of its own, and all that the page shows of them. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import { type Ending, type Job, startJob } from "../../worker/job.js";
import { conclusionOf, type JobStatus, starting } from "../../worker/job-status.js";
import { runningSolvers, type SolverName, type SumState, solverWord } from "./options.js";
import type { ProblemRequest } from "./problem.js";
import type { Belief, Best, CurvePoint, Place, SumAnswer, SumJob, SumProgress } from "./task.js";

/** One solver on its way. */
export class Runner {
  status: JobStatus = starting;
  answer: SumAnswer | undefined;
  passes = 0;
  best: Best | undefined;
  readonly curve: CurvePoint[] = [];
  readonly path: Place[] = [];
  readonly beliefs: Belief[] = [];
  readonly warnings: string[] = [];
  private readonly run: Job<SumProgress, SumAnswer>;

  constructor(
    readonly job: SumJob,
    private readonly onChange: () => void,
  ) {
    this.run = startJob("sum", job, {
      onProgress: (progress) => this.take(progress),
      onPhase: (phase) => {
        if (this.isRunning) this.status = { kind: "running", phase };
        this.onChange();
      },
      onWarning: (sentence) => this.warnings.push(sentence),
    });
    void this.run.ending.then((ending) => this.end(ending));
  }

  get isRunning(): boolean {
    return this.status.kind === "running";
  }

  cancel(): void {
    this.run.cancel();
  }

  private take({ curve, path, beliefs, passes, best }: SumProgress): void {
    this.curve.push(...curve);
    this.path.push(...path);
    this.beliefs.push(...beliefs);
    this.passes = passes;
    this.best = best;
    this.onChange();
  }

  private end(ending: Ending<SumProgress, SumAnswer>): void {
    const { status, answer } = conclusionOf(ending);
    if (answer !== undefined) {
      this.answer = answer;
      this.best = answer.best;
      this.passes = answer.passes;
    }
    this.status = status;
    this.onChange();
  }
}

export interface Race {
  readonly runners: ReadonlyMap<SolverName, Runner>;
  readonly isRunning: boolean;
  /** Another object when another race has begun. */
  readonly subject: object | undefined;
  /** Runs all solvers whose run is missing or was of another problem; all of them if there are none such. */
  start(): void;
  stop(): void;
}

export function useRace(problem: ProblemRequest, state: SumState): Race {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const runners = useRef(new Map<SolverName, Runner>());
  const subject = useRef<object | undefined>(undefined);
  const solvers = runningSolvers(state);
  const jobs = new Map(
    solvers.map((solver): [SolverName, SumJob] => {
      const { passes, seed } = state;
      return [solver, { problem, solver: solverWord(solver, state), passes, seed }];
    }),
  );
  const isCurrent = (solver: SolverName, runner: Runner | undefined): boolean =>
    JSON.stringify(runner?.job) === JSON.stringify(jobs.get(solver));

  // What nobody sees any more, or was about something else, goes.
  useEffect(() => {
    for (const [solver, runner] of runners.current) {
      if (isCurrent(solver, runner)) continue;
      runner.cancel();
      runners.current.delete(solver);
    }
    redraw(undefined);
  }, [JSON.stringify([...jobs])]);
  useEffect(
    () => () => {
      for (const runner of runners.current.values()) runner.cancel();
    },
    [],
  );

  const start = (): void => {
    const isKept = (solver: SolverName): boolean => {
      const runner = runners.current.get(solver);
      const kind = runner?.status.kind;
      return (kind === "done" || kind === "running") && isCurrent(solver, runner);
    };
    const missing = solvers.filter((solver) => !isKept(solver));
    for (const solver of missing.length === 0 ? solvers : missing) {
      const job = jobs.get(solver);
      runners.current.get(solver)?.cancel();
      if (job !== undefined) runners.current.set(solver, new Runner(job, () => redraw(undefined)));
    }
    subject.current = {};
    redraw(undefined);
  };
  const stop = (): void => {
    for (const runner of runners.current.values()) runner.cancel();
  };
  const shown = new Map([...runners.current].filter(([solver, runner]) => isCurrent(solver, runner)));
  return {
    runners: shown,
    isRunning: [...shown.values()].some(({ isRunning }) => isRunning),
    subject: shown.size === 0 ? undefined : subject.current,
    start,
    stop,
  };
}
