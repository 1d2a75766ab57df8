/** The race of figures 1 to 3: contestants in processes of their own, which take turns until each has ended or has had its seconds. */
import { type OwnProcess, ownProcess } from "../../contestants/own-process.ts";
import type { SetChoice } from "./small-set.ts";
import { contestants } from "./small-set-contestants.ts";

/** Seconds of a contestant's turn. */
export const TURN = 0.02;

/** The set of a process, and its method, of `contestants`. */
export interface Task {
  readonly choice: SetChoice;
  readonly contestant: string;
}

/** What is minimised, and from where. */
export interface Way {
  /** Of `smallSet`'s objectives. */
  readonly model: string;
  readonly X0: Float64Array;
  /** Values of λ of a homotopy; none where left out. */
  readonly lambdas?: number;
}

/** E after so many iterations, seconds and evaluations. */
export interface Moment {
  readonly iterations: number;
  readonly seconds: number;
  readonly evaluations: number;
  readonly E: number;
  readonly lambda: number;
  readonly stepLength: number | undefined;
}

/** A turn of a way. */
export interface Course {
  readonly moments: readonly Moment[];
  /** Why it ended. */
  readonly outcome: string | undefined;
  readonly x: Float64Array;
}

export interface Race {
  readonly name: string;
  /** From the start on, whose seconds are those of making the solver, with its factor. */
  readonly moments: readonly Moment[];
  /** Why it ended before the time was up. */
  readonly outcome: string | undefined;
  readonly x: Float64Array;
}

type Contestant = OwnProcess<Way | "go on", Course>;

/** For `withProcesses`: all contestants on one set. */
export function contestantsOn(choice: SetChoice): (() => Promise<Contestant>)[] {
  const script = new URL("./small-set-process.ts", import.meta.url);
  return Object.keys(contestants).map((contestant) => () => {
    const task = { choice, contestant };
    return ownProcess<Task, Way | "go on", Course>(contestant, script, task);
  });
}

/** @param limit - seconds of each */
export async function race(processes: readonly Contestant[], way: Way, limit: number): Promise<Race[]> {
  const runs = processes.map(({ name, turn }) => {
    const moments: Moment[] = [];
    return { name, turn, moments, outcome: undefined as string | undefined, x: way.X0 };
  });
  for (;;) {
    const running = runs.filter(
      ({ moments, outcome }) => outcome === undefined && (moments.at(-1)?.seconds ?? 0) < limit,
    );
    if (running.length === 0) return runs;
    for (const run of running) {
      const { moments, outcome, x } = await run.turn(run.moments.length === 0 ? way : "go on");
      run.moments.push(...moments);
      run.outcome = outcome;
      run.x = x;
    }
  }
}

export const METHOD =
  "Contestants, each in a process of its own, take turns of 0.02 s of processor time, after a race that is not counted; the factor of SD is in its time, neighbours and affinities, which all share, are not. SD: κ = N; SD−: linear CG to 0.1, at most 50 steps; L-BFGS: 100 pairs, strong Wolfe search, first step scaled by 1/‖g‖₁; CG: Polak-Ribière+, strong Wolfe search; GD, FP, DiagH, SD, SD−: backtracking from the step before.";
