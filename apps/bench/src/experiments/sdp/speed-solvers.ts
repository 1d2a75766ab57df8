/** `nomad`'s solvers beside each other, each in a process of its own (`speed-process.ts`), in turn. */
import type { DenseMatrix } from "@curvature/linalg";
import { type OwnProcess, ownProcess } from "../../contestants/own-process.ts";
import { note } from "../../processor.ts";
import { type Spread, spreadOf } from "../../spread.ts";
import { shortGap } from "./gap.ts";
import type { PointSet } from "./sets.ts";

export const solverNames = ["auto", "bm", "admm", "cg"] as const;
export type SolverName = (typeof solverNames)[number];

export interface SpeedTurn {
  readonly points: DenseMatrix;
  readonly clusters: number;
  readonly tolerance: number;
  readonly seed: number;
  /** Processor seconds after which it is broken off. */
  readonly most: number;
}

export interface Measured {
  readonly seconds: number;
  readonly iterations: number;
  readonly status: string;
  readonly lower: number;
  readonly upper: number;
  readonly gap: number;
  /** Processor seconds by phase of the iterations, and of the rest. */
  readonly phases: ReadonlyMap<string, number>;
}

/** The run of median time, with the seconds of all. */
export interface Repeated extends Measured {
  readonly spread: Spread;
}

export type SpeedProcess = OwnProcess<SpeedTurn, Measured>;

export const speedOf = (solver: SolverName) => (): Promise<SpeedProcess> =>
  ownProcess(solver, new URL("./speed-process.ts", import.meta.url), solver);

/** Seeds from 0; the processes take turns. */
export async function measured(
  processes: readonly SpeedProcess[],
  { name, points, clusters }: PointSet,
  tolerance: number,
  repeats: number,
  most: number,
): Promise<Repeated[]> {
  const runs: Measured[][] = processes.map(() => []);
  for (let seed = 0; seed < repeats; seed++)
    for (const [p, process] of processes.entries()) {
      const run = await process.turn({ points, clusters, tolerance, seed, most });
      const ending = `${run.seconds.toFixed(2)} s, ${run.status}, gap ${shortGap(run.gap)}`;
      note(`${name} ${process.name} ${tolerance} seed ${seed}: ${ending}`);
      runs[p].push(run);
    }
  return runs.map(middle);
}

function middle(runs: readonly Measured[]): Repeated {
  const spread = spreadOf(runs.map(({ seconds }) => seconds));
  const from = ({ seconds }: Measured): number => Math.abs(seconds - spread.median);
  return { ...runs.reduce((a, b) => (from(b) < from(a) ? b : a)), spread };
}
