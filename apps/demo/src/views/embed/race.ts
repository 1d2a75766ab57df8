/** The maps side by side: all from the same data, as many at once as the machine has cores. */
import type { DenseMatrix } from "@curvature/linalg";
import { useEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { type EmbedState, type PaneChoice, paneOptions } from "./options.js";
import { PaneRun } from "./pane-run.js";

export interface Race {
  /** One for each pane. */
  readonly runs: readonly (PaneRun | undefined)[];
  readonly isRunning: boolean;
  start(): void;
  stop(): void;
}

const atOnce = Math.max(1, navigator.hardwareConcurrency || 2);

export function useRace(points: DenseMatrix | undefined, state: EmbedState): Race {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const runs = useRef(new Map<string, PaneRun>());
  const keys = paneKeys(state.panes);

  const stop = (): void => {
    for (const run of runs.current.values()) run.cancel();
  };
  // What ran on other data is gone; leaving the view stops what runs.
  useEffect(
    () => () => {
      stop();
      runs.current.clear();
    },
    [points],
  );

  const start = (): void => {
    if (points === undefined) return;
    stop();
    runs.current = new Map(
      state.panes.map((pane, k) => [
        keys[k],
        new PaneRun(paneOptions(pane, state), points, () => redraw(undefined)),
      ]),
    );
    startInTurn([...runs.current.values()]);
    redraw(undefined);
  };
  const shown = useMemo(() => keys, [keys.join("~")]);
  const list = shown.map((key) => runs.current.get(key));
  return { runs: list, isRunning: list.some((run) => run !== undefined && !run.isOver), start, stop };
}

/** The pane's choice, and its place among equal ones. */
function paneKeys(panes: readonly PaneChoice[]): string[] {
  return panes.map((pane, k) => `${k}:${JSON.stringify(pane)}`);
}

/** No more workers at once than cores: they would only make each other slow. */
function startInTurn(runs: readonly PaneRun[]): void {
  const waiting = [...runs];
  const next = (): void => {
    const run = waiting.shift();
    if (run === undefined) return;
    run.start();
    void run.finished.then(next);
  };
  for (let k = 0; k < Math.min(atOnce, runs.length); k++) next();
}
