import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Player } from "../../controls/player.js";
import { useTheme, wantsLessMotion } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import { PointWords } from "../embed/describe-point.js";
import { BoundsPanel } from "./bounds-panel.js";
import { Controls } from "./controls.js";
import { EmbeddingPanel } from "./embedding-panel.js";
import { HeatMap } from "./heat-map.js";
import { LayersStrip } from "./layers-strip.js";
import { looksOf } from "./looks.js";
import { type DisentangleState, nomadOptions, type PlainNomadOptions } from "./options.js";
import { orderOf } from "./order.js";
import { fewest, type PointSet } from "./points.js";
import { PointsPanel } from "./points-panel.js";
import { Status } from "./status.js";
import "./style.css";
import { TakeAway } from "./take-away.js";
import { usePointSet } from "./use-point-set.js";
import { useReplay } from "./use-replay.js";
import { useRuns } from "./use-run.js";

export function DisentangleScreen({ state, update }: ViewProps<DisentangleState>) {
  const set = usePointSet(state);
  const [point, setPoint] = useState<number | undefined>();
  const theme = useTheme();
  const runs = useRuns();
  const count = set?.dataset.points.rows ?? 0;
  const options = useMemo(() => nomadOptions(state, count), [state, count]);
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
    () => (shown === undefined || still === undefined ? undefined : orderOf(shown, still)),
    [shown?.answer, still],
  );

  const describe = (i: number) => set !== undefined && <PointWords dataset={set.dataset} point={i} />;
  const isStale = current?.isRunning === false && (!isOfNow || !isSame(current.job.options, options));
  return (
    <div class="view-layout">
      <Controls
        state={state}
        update={update}
        count={count}
        isRunning={current?.isRunning === true}
        canRun={canRun}
        onRun={start}
        onStop={runs.stop}
      />
      <div class="stack">
        <Status run={current} isStale={isStale} count={count} isLoading={set === undefined} />
        <div class="disentangle-panes">
          <PointsPanel
            state={state}
            update={update}
            set={set}
            looks={boardLooks}
            point={chosen}
            onPoint={setPoint}
            describe={describe}
          />
          <section class="panel stack" aria-labelledby="q-title">
            <div class="row spread">
              <h2 id="q-title">Q</h2>
              {still !== undefined && (
                <span class="hint numbers">
                  K {still.clusters} ·{" "}
                  {still.components === 1 ? "one piece" : `${still.components} components`}
                </span>
              )}
            </div>
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
          </section>
          <EmbeddingPanel
            still={still}
            looks={embeddedLooks}
            onPoint={setPoint}
            describe={(i) => (isOfNow ? describe(i) : `point ${i}`)}
          />
        </div>
        {current?.warnings.map((sentence) => (
          <p key={sentence} class="notice">
            {sentence}
          </p>
        ))}
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
