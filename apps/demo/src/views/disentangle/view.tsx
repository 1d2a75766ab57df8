import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useDataset } from "../../data/use-dataset.js";
import { Scatter } from "../../plot/scatter.js";
import { Elapsed } from "../../shell/elapsed.js";
import { useTheme, wantsLessMotion } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import { PointWords } from "../embed/describe-point.js";
import { Board, type BoardMode } from "./board.js";
import { BoundsPanel } from "./bounds-panel.js";
import { Controls } from "./controls.js";
import { FilmPlayer } from "./film-player.js";
import { HeatMap } from "./heat-map.js";
import { LayersStrip } from "./layers-strip.js";
import { looksOf } from "./looks.js";
import {
  type DisentangleState,
  mostPoints,
  nomadOptions,
  type Place,
  type PlainNomadOptions,
} from "./options.js";
import { orderOf } from "./order.js";
import { type PointSet, pointsOf } from "./points.js";
import "./style.css";
import { TakeAway } from "./take-away.js";
import { type NomadRun, useRuns } from "./use-run.js";

/** Points below which there is nothing to disentangle. */
const least = 2;
const nowhere = new Float64Array(0);
const modeNames: Readonly<Record<BoardMode, string>> = { look: "Look", draw: "Draw", erase: "Erase" };

export function DisentangleScreen({ state, update }: ViewProps<DisentangleState>) {
  const set = usePointSet(state);
  const [mode, setMode] = useState<BoardMode>("look");
  const [point, setPoint] = useState<number | undefined>();
  const [film, setFilm] = useState<number | undefined>();
  const [isPlaying, setPlaying] = useState(false);
  const [isTogether, setTogether] = useState(false);
  const theme = useTheme();
  const runs = useRuns();
  const count = set?.dataset.points.rows ?? 0;
  const options = useMemo(() => nomadOptions(state, count), [state, count]);
  const canRun = set !== undefined && count >= least;
  const start = (): void => {
    if (set === undefined) return;
    setFilm(undefined);
    setPlaying(false);
    runs.start({ points: set.dataset.points, options });
  };
  useAutomaticRun(set, options, state.run && canRun, start);

  const { current, shown } = runs;
  const stills = shown?.stills ?? [];
  const place = Math.min(film ?? stills.length - 1, stills.length - 1);
  const still = stills[place];
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

  const canDraw = state.data !== "digits";
  const drawn = (): readonly Place[] => placesOf(set);
  const draw = (added: readonly Place[]): void =>
    update({ data: "drawn", drawn: [...drawn(), ...added].slice(0, mostPoints) });
  const erase = (points: readonly number[]): void => {
    if (points.length > 0 && canDraw)
      update({ data: "drawn", drawn: drawn().filter((_, i) => !points.includes(i)) });
  };
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
          <section class="panel stack" aria-labelledby="points-title">
            <div class="row spread">
              <h2 id="points-title">Points</h2>
              <span class="hint numbers">{count}</span>
            </div>
            <Board
              label={`${count} points${state.data === "digits" ? ", by their two leading principal components" : ""}. ${canDraw ? "Arrow keys move a cursor, Enter sets a point there, Delete takes one away." : "Arrow keys move a cursor."}`}
              places={set?.places ?? nowhere}
              looks={boardLooks}
              mode={canDraw ? mode : "look"}
              room={canDraw ? mostPoints - count : 0}
              point={chosen}
              onPoint={setPoint}
              onDraw={draw}
              onErase={erase}
              describe={describe}
            />
            {canDraw && (
              <div class="row">
                {(["look", "draw", "erase"] as const).map((each) => (
                  <button
                    key={each}
                    type="button"
                    class="quiet small"
                    aria-pressed={mode === each}
                    onClick={() => setMode(each)}
                  >
                    {modeNames[each]}
                  </button>
                ))}
                <button
                  type="button"
                  class="quiet small"
                  onClick={() => {
                    setMode("draw");
                    update({ data: "drawn", drawn: [] });
                  }}
                >
                  Clear
                </button>
              </div>
            )}
          </section>
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
          <section class="panel stack" aria-labelledby="embedding-title">
            <h2 id="embedding-title">Embedding by Q</h2>
            <Scatter
              label="The points by the leading eigenvectors of Q. Arrows move the picture, plus and minus zoom, 0 shows all, comma and full stop go from point to point."
              positions={(isTogether ? undefined : still?.apart) ?? still?.embedding ?? nowhere}
              looks={embeddedLooks}
              mode="pan"
              describe={(i) => (
                <Pointed point={i} onPoint={setPoint}>
                  {isOfNow ? describe(i) : `point ${i}`}
                </Pointed>
              )}
              onLasso={() => undefined}
            />
            <p class="hint">
              {still?.apart === undefined || isTogether
                ? "By the leading eigenvectors of Q; a colour for each component."
                : "Each component by the leading eigenvectors of its block of Q."}
            </p>
            {still?.apart !== undefined && (
              <div class="row">
                {[false, true].map((together) => (
                  <button
                    key={String(together)}
                    type="button"
                    class="quiet small"
                    aria-pressed={isTogether === together}
                    onClick={() => setTogether(together)}
                  >
                    {together ? "Together" : "Each by itself"}
                  </button>
                ))}
              </div>
            )}
          </section>
        </div>
        {shown !== undefined && still !== undefined && (
          <>
            <LayersStrip run={shown} shown={still} onShow={(k) => setFilm(k)} />
            <FilmPlayer
              stills={stills}
              shown={place}
              isPlaying={isPlaying}
              onShow={setFilm}
              onPlay={setPlaying}
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

function usePointSet(state: DisentangleState): PointSet | undefined {
  const wantsDigits = state.data === "digits";
  const { loading } = useDataset(
    wantsDigits ? "digits" : "none",
    wantsDigits ? { kind: "digits" } : undefined,
  );
  const digits = loading.kind === "ready" ? loading.dataset : undefined;
  const { data, points, noise, digit, drawn, seed } = state;
  return useMemo(() => pointsOf(state, digits), [data, points, noise, digit, drawn, seed, digits]);
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

/** The points as they would have been drawn: with three decimals, so that links stay short. */
function placesOf(set: PointSet | undefined): readonly Place[] {
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  const places = set?.places ?? nowhere;
  return Array.from({ length: places.length / 2 }, (_, i) => ({
    x: rounded(places[2 * i]),
    y: rounded(places[2 * i + 1]),
  }));
}

interface PointedProps {
  readonly point: number;
  readonly onPoint: (point: number | undefined) => void;
  readonly children: ComponentChildren;
}

/** Tells of the point under the pointer as long as its words are shown. */
function Pointed({ point, onPoint, children }: PointedProps) {
  useEffect(() => {
    onPoint(point);
    return () => onPoint(undefined);
  }, [point]);
  return <>{children}</>;
}

const phaseWords: Readonly<Record<string, string>> = {
  "burer-monteiro": "factorisation, for the lower bound",
  "dual-guess": "dual, for the upper bound",
  "dual-gradient": "dual, for the upper bound",
  admm: "ADMM, for both bounds",
  "upper-estimate": "estimate of the upper bound",
  certificate: "certificate of the upper bound",
};

interface StatusProps {
  readonly run: NomadRun | undefined;
  /** Whether the run was made with other points or options than those of now. */
  readonly isStale: boolean;
  readonly count: number;
  readonly isLoading: boolean;
}

function Status({ run, isStale, count, isLoading }: StatusProps) {
  if (isLoading) return <p class="notice">loading the digits …</p>;
  if (count < least)
    return (
      <p class="notice disentangle-status" role="status">
        There are {count === 0 ? "no" : "too few"} points yet. Draw some: press and move, or use the arrow
        keys and Enter.
      </p>
    );
  if (run === undefined) return <p class="notice">Not run yet.</p>;
  const { status } = run;
  return (
    <div
      class={`notice disentangle-status${status.kind === "failed" ? " notice-bad" : ""}`}
      data-status={status.kind}
    >
      <p class="numbers" role={status.kind === "failed" ? "alert" : undefined}>
        <StatusWords run={run} />
        {isStale &&
          status.kind !== "failed" &&
          " Made with other points or options than those of now: Run makes it anew."}
      </p>
      {run.warnings.map((sentence) => (
        <p key={sentence} class="hint">
          {sentence}
        </p>
      ))}
    </div>
  );
}

function StatusWords({ run: { status, bounds, answer, startedAt } }: { readonly run: NomadRun }) {
  const latest = bounds.at(-1);
  switch (status.kind) {
    case "running":
      return (
        <>
          {phaseWords[status.phase] ?? status.phase} …{" "}
          {latest !== undefined && `K ${latest.clusters} · iteration ${latest.iteration} · `}
          <Elapsed since={startedAt} />
        </>
      );
    case "failed":
      return <>{status.sentence}</>;
    case "stopped":
      return (
        <>
          Stopped
          {latest === undefined
            ? " before there was a Q."
            : `. iteration ${latest.iteration}: the best Q so far is kept.`}
        </>
      );
    case "done":
      return (
        <>
          {answer?.message} {answer?.iterations} iterations in {answer?.elapsedSeconds.toFixed(2)} s.
        </>
      );
  }
}
