import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Panel, Sentences } from "../../controls/panel.js";
import { Player } from "../../controls/player.js";
import { useTheme, wantsLessMotion } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import { useRuns } from "../../worker/job-run.js";
import { PointWords } from "../embed/describe-point.js";
import { BoundsPanel } from "./bounds-panel.js";
import { Controls } from "./controls.js";
import { EmbeddingPanel } from "./embedding-panel.js";
import { HeatMap } from "./heat-map.js";
import { byComponent } from "./heat-map-painter.js";
import { LayersStrip } from "./layers-strip.js";
import { looksOf } from "./looks.js";
import { NomadRun } from "./nomad-run.js";
import { type DisentangleState, optionsOf, type PlainNomadOptions } from "./options.js";
import { fewest, type PointSet, usePointSet } from "./points.js";
import { PointsPanel } from "./points-panel.js";
import { Status } from "./status.js";
import "./style.css";
import { TakeAway } from "./take-away.js";
import { useReplay } from "./use-replay.js";

export function DisentangleScreen(view: ViewProps<DisentangleState>) {
  const { state } = view;
  const set = usePointSet(state);
  const [point, setPoint] = useState<number | undefined>();
  const theme = useTheme();
  const runs = useRuns(NomadRun);
  const count = set?.dataset.points.rows ?? 0;
  const options = useMemo(() => optionsOf(state, count), [state, count]);
  const canRun = set !== undefined && count >= fewest;
  const start = (): void => {
    if (set === undefined) return;
    runs.start({ points: set.dataset.points, options });
  };
  useAutomaticRun(set, options, state.run && canRun, start);

  const { current, shown } = runs;
  const stills = shown?.stills ?? [];
  const film = useReplay(shown, stills.length);
  const still = stills[film.position];
  // Pictures of other points than those of now have nothing to say of them.
  const isOfNow = set !== undefined && shown?.job.points === set.dataset.points;
  const chosen = point !== undefined && point < count ? point : undefined;
  const boardLooks = useMemo(
    () => looksOf(count, isOfNow ? still : undefined, chosen, theme),
    [count, isOfNow, still, chosen, theme],
  );
  const embeddedLooks = useMemo(
    () => looksOf((still?.embedding.length ?? 0) / 2, still, isOfNow ? chosen : undefined, theme),
    [isOfNow, still, chosen, theme],
  );
  const order = useMemo(
    () => shown?.answer?.order ?? (still && byComponent(still.componentOf)),
    [shown?.answer, still],
  );

  const describe = (i: number) => set !== undefined && <PointWords dataset={set.dataset} point={i} />;
  const isStale = current?.isRunning === false && (!isOfNow || !isSame(current.job.options, options));
  return (
    <div class="view-layout">
      <Controls
        {...view}
        count={count}
        running={{ isRunning: current?.isRunning === true, canRun, onRun: start, onStop: runs.stop }}
      />
      <div class="stack">
        <Status run={current} isStale={isStale} count={count} isLoading={set === undefined} />
        <div class="disentangle-panes">
          <PointsPanel
            {...view}
            set={set}
            looks={boardLooks}
            point={chosen}
            onPoint={setPoint}
            describe={describe}
          />
          <Panel
            title="Q"
            beside={
              still !== undefined && (
                <span class="hint numbers">
                  K {still.clusters} ·{" "}
                  {still.components === 1 ? "one piece" : `${still.components} components`}
                </span>
              )
            }
          >
            {still !== undefined && order !== undefined ? (
              <HeatMap
                still={still}
                order={order}
                point={isOfNow ? chosen : undefined}
                onPoint={(i) => setPoint(isOfNow ? i : undefined)}
              />
            ) : (
              <p class="hint">Not run yet.</p>
            )}
          </Panel>
          <EmbeddingPanel
            still={still}
            looks={embeddedLooks}
            onPoint={setPoint}
            describe={(i) => (isOfNow ? describe(i) : `point ${i}`)}
          />
        </div>
        <Sentences of={current?.warnings ?? []} class="notice" />
        {shown !== undefined && still !== undefined && (
          <>
            <LayersStrip run={shown} shown={still} onShow={film.show} />
            <Player
              label="The run, step by step"
              film={film}
              range={{ first: 0, last: stills.length - 1, step: 1 }}
              words={`K ${still.clusters}, iteration ${still.iteration}, Tr(D Q) ${still.lower.toPrecision(5)}`}
              isReady={stills.length > 1}
            />
            <BoundsPanel run={shown} still={still} />
          </>
        )}
        {set !== undefined && (
          <TakeAway
            state={state}
            set={set}
            options={isOfNow && shown !== undefined ? shown.job.options : options}
            run={isOfNow ? shown : undefined}
          />
        )}
      </div>
    </div>
  );
}

/** Milliseconds of rest after which a change counts. */
const rest = 200;

/** Runs when the first points are there, and at every change. Not where less motion is wanted. */
function useAutomaticRun(
  set: PointSet | undefined,
  options: PlainNomadOptions,
  isWanted: boolean,
  start: () => void,
): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isWanted || wantsLessMotion()) return undefined;
    const timer = setTimeout(start, isFirst.current ? 0 : rest);
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [set, JSON.stringify(options), isWanted]);
}

const isSame = (a: PlainNomadOptions, b: PlainNomadOptions): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
