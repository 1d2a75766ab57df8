/** The maps side by side: all from the same data, as many at once as the machine has cores. */
import type { DenseMatrix } from "@curvature/linalg";
import { useEffect, useRef } from "preact/hooks";
import { useRedraw } from "../../worker/job-run.js";
import { type EmbedState, type PaneChoice, type PaneOptions, paneField, paneOptions } from "./options.js";
import { PaneRun } from "./pane-run.js";

export interface Race {
  /** One for each pane. */
  readonly runs: readonly (PaneRun | undefined)[];
  readonly isRunning: boolean;
  /** Makes the maps that are missing or were made with other options; all, if there are none such. */
  start(): void;
  stop(): void;
}

const atOnce = Math.max(1, navigator.hardwareConcurrency || 2);

export function useRace(points: DenseMatrix | undefined, state: EmbedState): Race {
  const redraw = useRedraw();
  const runs = useRef(new Map<string, PaneRun>());
  const keys = paneKeys(state.panes);
  const list = keys.map((key) => runs.current.get(key));

  // What ran on other data is gone; leaving the view stops what runs.
  useEffect(
    () => () => {
      for (const run of runs.current.values()) run.cancel();
      runs.current.clear();
    },
    [points],
  );
  // What nobody sees any more stops.
  useEffect(() => {
    for (const [key, run] of runs.current) {
      if (keys.includes(key)) continue;
      run.cancel();
      runs.current.delete(key);
    }
  }, [keys.join()]);

  /** No more workers at once than cores: they would only make each other slow. */
  const goOn = (): void => {
    const open = [...runs.current.values()].filter(({ isRunning }) => isRunning);
    const waiting = open.filter(({ isWaiting }) => isWaiting);
    for (const run of waiting.slice(0, Math.max(0, atOnce - open.length + waiting.length))) run.begin();
    redraw();
  };
  const start = (): void => {
    if (points === undefined) return;
    const isKept = list.map((run, k) => run !== undefined && isCurrent(run, state.panes[k], state));
    const isAllKept = isKept.every(Boolean);
    state.panes.forEach((pane, k) => {
      if (isKept[k] && !isAllKept) return;
      list[k]?.cancel();
      runs.current.set(keys[k], new PaneRun(paneOptions(pane, state), points, goOn));
    });
    goOn();
  };
  const stop = (): void => {
    for (const run of list) run?.cancel();
  };
  return { runs: list, isRunning: list.some((run) => run?.isRunning), start, stop };
}

/** Whether a map is finished, and made with the options as they are now. */
const isCurrent = (run: PaneRun, pane: PaneChoice, state: EmbedState): boolean =>
  run.status.kind === "done" && isSameOptions(run.options, paneOptions(pane, state));

export const isSameOptions = (a: PaneOptions, b: PaneOptions): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** A name for each pane that it keeps when others come and go: its choice, and its number among equal ones. */
function paneKeys(panes: readonly PaneChoice[]): string[] {
  const names = panes.map((pane) => paneField.format(pane));
  return names.map((name, k) => `${name}#${names.slice(0, k).filter((other) => other === name).length}`);
}
