import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { DataStatus } from "../../controls/data-status.js";
import { Fault } from "../../controls/fault.js";
import type { DataRequest, Dataset } from "../../data/dataset.js";
import { fileRequest, useDataset } from "../../data/use-dataset.js";
import { useFile } from "../../data/use-file.js";
import { coloringOf, looksOf } from "../../plot/coloring.js";
import { Legend } from "../../plot/legend.js";
import type { PointerMode } from "../../plot/scatter-canvas.js";
import { useTheme, wantsLessMotion } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import { Controls } from "./controls.js";
import { Curves } from "./curves.js";
import { type EmbedState, type PaneOptions, paneOptions } from "./options.js";
import { Pane } from "./pane.js";
import type { PaneRun } from "./pane-run.js";
import { isSameOptions, useRace } from "./race.js";
import "./style.css";
import { TakeAway } from "./take-away.js";

/** Which points stand out. */
type Highlight =
  | { readonly kind: "class"; readonly index: number }
  | { readonly kind: "lasso"; readonly points: ReadonlySet<number> };

export function EmbedScreen({ state, update }: ViewProps<EmbedState>) {
  const { file, isAsking, choose, forget } = useFile("embed");
  const [refusal, setRefusal] = useState("");
  const { loading, retry } = useDataset(...requestOf(state, file));
  const dataset = loading.kind === "ready" ? loading.dataset : undefined;
  const race = useRace(dataset?.points, state);
  const coloring = useMemo(() => coloringOf(dataset?.labels), [dataset]);
  const [highlight, setHighlight] = useState<Highlight | undefined>();
  const [mode, setMode] = useState<PointerMode>("pan");
  const theme = useTheme();
  const count = dataset?.points.rows ?? 0;
  const looks = useMemo(() => {
    if (highlight?.kind === "lasso") return looksOf(coloring, count, theme, (i) => highlight.points.has(i));
    if (highlight?.kind === "class" && coloring.kind === "classes")
      return looksOf(coloring, count, theme, (i) => coloring.classOf[i] === highlight.index);
    return looksOf(coloring, count, theme);
  }, [coloring, count, theme, highlight]);

  useEffect(() => setHighlight(undefined), [dataset]);
  useAutomaticRun(dataset, state, race.start);

  const take = (chosen: File): void => {
    setRefusal("");
    choose(chosen);
    update({ data: "file", labels: "" });
  };
  return (
    <div class="view-layout">
      <Controls
        state={state}
        update={update}
        dataset={dataset}
        isRunning={race.isRunning}
        canRun={dataset !== undefined}
        onRun={race.start}
        onStop={race.stop}
        onFile={take}
        file={file}
        onForget={() => {
          forget();
          update({ data: "digits", labels: "" });
        }}
        onRefused={setRefusal}
      />
      <div class="stack">
        <Fault sentence={refusal} />
        <DataStatus
          loading={loading}
          isMissing={state.data === "file" && file === undefined && !isAsking}
          onRetry={retry}
        />
        <div class="row">
          <button
            type="button"
            class="quiet small"
            aria-pressed={mode === "pan"}
            onClick={() => setMode("pan")}
          >
            Move
          </button>
          <button
            type="button"
            class="quiet small"
            aria-pressed={mode === "lasso"}
            onClick={() => setMode("lasso")}
          >
            Lasso
          </button>
          <span class="hint">Drag moves, wheel zooms a map that was clicked, double click shows all.</span>
          <Legend
            coloring={coloring}
            title={dataset?.labelName}
            chosen={highlight?.kind === "class" ? highlight.index : undefined}
            onChoose={(index) => setHighlight(index === undefined ? undefined : { kind: "class", index })}
          />
        </div>
        {highlight?.kind === "lasso" && dataset !== undefined && (
          <Chosen dataset={dataset} points={highlight.points} onClear={() => setHighlight(undefined)} />
        )}
        <div class={`panes panes-${state.panes.length}`}>
          {state.panes.map((pane, k) => (
            <Pane
              key={k}
              pane={pane}
              run={race.runs[k]}
              dataset={dataset}
              looks={looks}
              mode={mode}
              evaluations={state.evaluations}
              isStale={isStale(race.runs[k], paneOptions(pane, state))}
              onLasso={(points) =>
                setHighlight(points.length === 0 ? undefined : { kind: "lasso", points: new Set(points) })
              }
              onChange={(changed) => update({ panes: state.panes.with(k, changed) })}
              onRemove={
                state.panes.length > 1 ? () => update({ panes: state.panes.toSpliced(k, 1) }) : undefined
              }
            />
          ))}
        </div>
        <Curves
          state={state}
          runs={race.runs}
          isRunning={race.isRunning}
          onAxis={(axis) => update({ axis })}
        />
        {dataset !== undefined && (
          <TakeAway state={state} dataset={dataset} coloring={coloring} runs={race.runs} />
        )}
      </div>
    </div>
  );
}

/** The request for the state's data, and a name that is the same for the same data. */
function requestOf(state: EmbedState, file: File | undefined): [string, DataRequest | undefined] {
  const { data, points, noise, seed, labels } = state;
  if (data === "digits") return ["digits", { kind: "digits" }];
  if (data !== "file")
    return [
      [data, points, noise, seed].join(" "),
      { kind: "generated", set: data, count: points, noise, seed },
    ];
  return file === undefined ? ["no file", undefined] : fileRequest(file, labels, points);
}

/** Runs once, when the first data is there: a link shows what it is about. Not where less motion is wanted. */
function useAutomaticRun(dataset: Dataset | undefined, state: EmbedState, start: () => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (dataset === undefined || isDone.current) return;
    isDone.current = true;
    if (state.run && !wantsLessMotion()) start();
  });
}

/** Whether a finished map was made with other options. */
const isStale = (run: PaneRun | undefined, options: PaneOptions): boolean =>
  run?.isOver === true && !isSameOptions(run.options, options);

interface ChosenProps {
  readonly dataset: Dataset;
  readonly points: ReadonlySet<number>;
  readonly onClear: () => void;
}

const mostLabels = 6;

/** The points in the lasso: how many of which label. */
function Chosen({ dataset, points, onClear }: ChosenProps) {
  const counts = new Map<string, number>();
  for (const point of points) {
    const label = dataset.labels?.[point];
    if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const byCount = [...counts].sort((a, b) => b[1] - a[1]);
  const words = byCount.slice(0, mostLabels).map(([label, n]) => `${n} × ${label}`);
  const more = byCount.length > mostLabels ? ` and ${byCount.length - mostLabels} more` : "";
  return (
    <div class="notice" role="status">
      <p>
        {points.size} points chosen{words.length > 0 ? `: ${words.join(", ")}${more}` : ""}
      </p>
      <button type="button" class="quiet small" onClick={onClear}>
        Clear
      </button>
    </div>
  );
}
