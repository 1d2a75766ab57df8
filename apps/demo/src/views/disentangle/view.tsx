import { useMemo, useState } from "preact/hooks";
import { Panel, Sentences } from "../../controls/panel.js";
import { Player } from "../../controls/player.js";
import { useAutomaticRun } from "../../controls/use-live-run.js";
import { useTheme, wantsLessMotion } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import { useRuns } from "../../worker/job-run.js";
import { PointWords } from "../embed/describe-point.js";
import { BoundsPanel } from "./bounds-panel.js";
import { ChoicePanel } from "./choice-panel.js";
import { Controls } from "./controls.js";
import { EmbeddingPanel } from "./embedding-panel.js";
import { HeatMap } from "./heat-map.js";
import { byComponent } from "./heat-map-painter.js";
import { LabelCostPanel } from "./label-cost-panel.js";
import { LayersStrip } from "./layers-strip.js";
import { looksOf } from "./looks.js";
import { NomadRun } from "./nomad-run.js";
import { type DisentangleState, optionsOf } from "./options.js";
import { fewest, usePointSet } from "./points.js";
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
  const options = optionsOf(state, count);
  const job = useMemo(
    () =>
      set === undefined || count < fewest
        ? undefined
        : { points: set.dataset.points, options, target: state.target },
    [set, state.target, JSON.stringify(options)],
  );
  const start = job && (() => runs.start(job));
  const isAutomatic = state.run && !wantsLessMotion();
  useAutomaticRun(isAutomatic && job, isAutomatic ? start : undefined);

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
  const isSame =
    isOfNow &&
    current?.job.target === state.target &&
    JSON.stringify(current.job.options) === JSON.stringify(options);
  const isStale = current?.isRunning === false && !isSame;
  return (
    <div class="view-layout">
      <Controls
        {...view}
        count={count}
        running={{ isRunning: current?.isRunning === true, onRun: start, onStop: runs.stop }}
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
            {shown.answer?.labelCost && <LabelCostPanel of={shown.answer.labelCost} />}
            {shown.answer?.choice && <ChoicePanel of={shown.answer.choice} />}
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
