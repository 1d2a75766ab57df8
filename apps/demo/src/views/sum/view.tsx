import { useEffect, useMemo, useRef } from "preact/hooks";
import { Player } from "../../controls/player.js";
import { useFilm } from "../../controls/use-film.js";
import { wantsLessMotion } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import { Controls } from "./controls.js";
import { Curves } from "./curves.js";
import { Figures } from "./figures.js";
import { countOf, isPlanar, runningSolvers, type SumState, solverNames } from "./options.js";
import { Plane } from "./plane.js";
import "./style.css";
import { TakeAway } from "./take-away.js";
import { type Race, useRace } from "./use-race.js";

/** Milliseconds of a film, whatever its length. */
const filmLasts = 8000;

export function SumScreen({ state, update }: ViewProps<SumState>) {
  const { objective, seed, passes } = state;
  const count = countOf(state);
  const problem = useMemo(() => ({ objective, count, seed }), [objective, count, seed]);
  const race = useRace(problem, state);
  const run = useLiveRun(
    JSON.stringify([problem, state.solvers, passes, rates(state)]),
    state.run,
    race.start,
  );
  const range = { first: 0, last: passes, step: isPlanar(objective) ? 1 / count : 1, lasts: filmLasts };
  const film = useFilm(isPlanar(objective) ? race.subject : undefined, range);
  const position = isPlanar(objective) ? film.position : passes;
  const solvers = runningSolvers(state);
  const chosen = solvers.includes(state.model) ? state.model : solvers[0];
  const warnings = new Set([...race.runners.values()].flatMap(({ warnings: sentences }) => sentences));
  return (
    <div class="view-layout">
      <Controls state={state} update={update} isRunning={race.isRunning} onRun={run} onStop={race.stop} />
      <div class="stack">
        {failuresOf(race).map((sentence) => (
          <p key={sentence} class="notice notice-bad" role="alert">
            {sentence}
          </p>
        ))}
        <div class="sum-grid">
          {isPlanar(objective) && (
            <section class="panel stack" aria-labelledby="sum-plane">
              <h2 id="sum-plane">The landscape F</h2>
              <Plane
                objective={objective}
                count={count}
                seed={seed}
                solvers={solvers}
                runners={race.runners}
                position={position}
              />
              <Player
                label="Effective passes"
                film={film}
                range={range}
                words={`${position.toFixed(1)} of ${passes}`}
                isReady={race.subject !== undefined}
              />
              <p class="hint">
                Grey: contours of F. Thin ellipses: what SFO believes of each function it has met, drawn
                through the point where it stands. Dashed: their sum at the contours' levels; the cross is its
                minimum, where SFO wants to go.
              </p>
            </section>
          )}
          <div class="stack">
            <section class="panel stack" aria-labelledby="sum-figures">
              <h2 id="sum-figures">
                {isPlanar(objective) ? `After ${position.toFixed(1)} passes` : "Where they stand"}
              </h2>
              <Figures
                state={state}
                solvers={solvers}
                runners={race.runners}
                position={position}
                chosen={chosen}
                onChoose={(model) => update({ model })}
              />
              <p class="hint numbers" role="status">
                {statusWords(race)}
              </p>
              {[...warnings].map((sentence) => (
                <p key={sentence} class="hint">
                  {sentence}
                </p>
              ))}
            </section>
            <Curves runners={race.runners} solvers={solvers} passes={passes} />
          </div>
        </div>
        <TakeAway state={state} chosen={chosen} runners={race.runners} />
      </div>
    </div>
  );
}

const rates = ({ adam, sgd, adagrad }: SumState): readonly (number | undefined)[] => [adam, sgd, adagrad];

/** Milliseconds after the last change before it is run. */
const patience = 250;

/**
 * Once something was run, what changes is run again; a link begins by itself, but not where less motion is wanted.
 *
 * @param key - names all that a run depends on
 * @returns what the button does
 */
function useLiveRun(key: string, isAutomatic: boolean, start: () => void): () => void {
  const isLive = useRef(isAutomatic && !wantsLessMotion());
  const isFirst = useRef(true);
  const latest = useRef(start);
  latest.current = start;
  useEffect(() => {
    if (!isLive.current) return undefined;
    const timer = setTimeout(() => latest.current(), isFirst.current ? 0 : patience);
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [key]);
  return () => {
    isLive.current = true;
    isFirst.current = false;
    start();
  };
}

function failuresOf({ runners }: Race): readonly string[] {
  return [...runners].flatMap(([solver, { status }]) =>
    status.kind === "failed" ? [`${solverNames[solver]}: ${status.sentence}`] : [],
  );
}

function statusWords({ runners, isRunning }: Race): string {
  if (runners.size === 0) return "Press Run to start the solvers.";
  const list = [...runners];
  if (isRunning) {
    const words = list.flatMap(([solver, { status, passes }]) =>
      status.kind === "running" ? [`${solverNames[solver]} ${status.phase}, pass ${passes.toFixed(1)}`] : [],
    );
    return `Running: ${words.join("; ")}.`;
  }
  if (list.some(([, { status }]) => status.kind === "stopped")) return "Stopped: what was there is kept.";
  const best = list.reduce((least, each) =>
    (each[1].best?.value ?? Number.POSITIVE_INFINITY) < (least[1].best?.value ?? Number.POSITIVE_INFINITY)
      ? each
      : least,
  );
  return `Done. The least F was found by ${solverNames[best[0]]}: ${best[1].best?.value ?? "–"}.`;
}
