import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Notice } from "../../controls/notice.js";
import { SourceStatus } from "../../controls/source-status.js";
import { TableAccount } from "../../controls/table-account.js";
import { Toggles } from "../../controls/toggles.js";
import type { Dataset } from "../../data/dataset.js";
import { untouched } from "../../data/table-fields.js";
import { fileRequest, type KeyedRequest } from "../../data/use-dataset.js";
import { useSource } from "../../data/use-source.js";
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

const modes: Readonly<Record<PointerMode, string>> = { pan: "Move", lasso: "Lasso" };

export function EmbedScreen(view: ViewProps<EmbedState>) {
  const { state, update } = view;
  const source = useSource(
    "embed",
    (file) => requestOf(state, file),
    (isFile) => update({ data: isFile ? "file" : "digits", ...untouched }),
  );
  const { dataset } = source;
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

  return (
    <div class="view-layout">
      <Controls
        {...view}
        source={source}
        running={{ isRunning: race.isRunning, onRun: dataset && race.start, onStop: race.stop }}
      />
      <div class="stack">
        <SourceStatus source={source} isFile={state.data === "file"} />
        {state.data === "file" && <TableAccount {...view} source={source} areTargets={false} hasScale />}
        <div class="row">
          <Toggles names={modes} value={mode} onChange={setMode} />
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
              evaluations={state.maxEvaluations}
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
        <Curves {...view} runs={race.runs} />
        {dataset !== undefined && (
          <TakeAway state={state} dataset={dataset} coloring={coloring} runs={race.runs} />
        )}
      </div>
    </div>
  );
}

function requestOf(state: EmbedState, file: File | undefined): KeyedRequest {
  const { data, points, noise, seed } = state;
  if (data === "digits") return ["digits", { kind: "digits" }];
  if (data === "file")
    return file === undefined ? ["no file", undefined] : fileRequest(file, state, points, false);
  const request = { kind: "generated", set: data, count: points, noise, seed } as const;
  return [JSON.stringify(request), request];
}

/**
 * Runs when the first data are there, since a link shows what it is about, and when those of a visitor's file are: who drops a file wants
 * its map. Not where less motion is wanted.
 */
function useAutomaticRun(dataset: Dataset | undefined, state: EmbedState, start: () => void): void {
  const isFirst = useRef(true);
  const lastFile = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (dataset === undefined) return;
    const { ofFile } = dataset;
    if (!isFirst.current && (ofFile === undefined || ofFile.mark === lastFile.current)) return;
    isFirst.current = false;
    lastFile.current = ofFile?.mark;
    if (state.run && !wantsLessMotion()) start();
  });
}

/** Whether a finished map was made with other options. */
const isStale = (run: PaneRun | undefined, options: PaneOptions): boolean =>
  run?.isRunning === false && !isSameOptions(run.options, options);

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
    <Notice
      sentence={`${points.size} points chosen${words.length > 0 ? `: ${words.join(", ")}${more}` : ""}`}
      button="Clear"
      onPress={onClear}
    />
  );
}
