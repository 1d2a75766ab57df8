/** One of `nomad`'s solvers in its own process: a turn is one whole call, labels and embedding included. */
import { nomad } from "@curvature/optim-sdp";
import { takeTurns } from "../../contestants/own-process.ts";
import { cpuSeconds } from "../../processor.ts";
import type { Measured, SolverName, SpeedTurn } from "./speed-solvers.ts";

takeTurns(
  async (solver: SolverName) =>
    async ({ points, clusters, tolerance, seed, most }: SpeedTurn): Promise<Measured> => {
      const phases = new Map<string, number>();
      const limiter = new AbortController();
      const began = cpuSeconds();
      let last = began;
      const lap = (phase: string): void => {
        const now = cpuSeconds();
        phases.set(phase, (phases.get(phase) ?? 0) + now - last);
        last = now;
        if (now - began > most) limiter.abort();
      };
      const { iterations, status, lower, upper, gap } = await nomad(points, {
        clusters,
        solver,
        tolerance,
        seed,
        signal: limiter.signal,
        onIteration: ({ phase }) => lap(phase),
      });
      lap("reading the answer");
      return { seconds: last - began, iterations, status, lower, upper, gap, phases };
    },
);
