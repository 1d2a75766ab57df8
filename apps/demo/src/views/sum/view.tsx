import { useMemo } from "preact/hooks";
import { Fault } from "../../controls/notice.js";
import { Panel, Sentences } from "../../controls/panel.js";
import { Player } from "../../controls/player.js";
import { useFilm } from "../../controls/use-film.js";
import { useLiveRun } from "../../controls/use-live-run.js";
import type { ViewProps } from "../../shell/view.js";
import { Controls } from "./controls.js";
import { Curves } from "./curves.js";
import { Figures } from "./figures.js";
import { countOf, runningSolvers, type SumState, solvers } from "./options.js";
import { Plane } from "./plane.js";
import { isPlanar } from "./problem-request.js";
import "./style.css";
import { TakeAway } from "./take-away.js";
import { type Race, useRace } from "./use-race.js";

/** Milliseconds of a film, whatever its length. */
const filmLasts = 8000;

export function SumScreen(view: ViewProps<SumState>) {
  const { state, update } = view;
  const { objective, seed, maxPasses } = state;
  const isPlane = isPlanar(objective);
  const count = countOf(state);
  const problem = useMemo(() => ({ objective, count, seed }), [objective, count, seed]);
  const race = useRace(problem, state);
  const { runs } = race;
  const { adam, sgd, adagrad } = state;
  const key = JSON.stringify([problem, state.solvers, maxPasses, adam, sgd, adagrad]);
  const run = useLiveRun(key, state.run, race.start);
  const range = { first: 0, last: maxPasses, step: isPlane ? 1 / count : 1, lasts: filmLasts };
  const film = useFilm(isPlane ? race.subject : undefined, range);
  const position = isPlane ? film.position : maxPasses;
  const running = runningSolvers(state);
  const chosen = running.includes(state.model) ? state.model : running[0];
  return (
    <div class="view-layout">
      <Controls {...view} running={{ isRunning: race.isRunning, onRun: run, onStop: race.stop }} />
      <div class="stack">
        {failuresOf(race).map((sentence) => (
          <Fault key={sentence} sentence={sentence} />
        ))}
        <div class="sum-grid">
          {isPlane && (
            <Panel title="The contours of F">
              <Plane
                objective={objective}
                count={count}
                seed={seed}
                solvers={running}
                runs={runs}
                position={position}
              />
              <Player
                label="Effective passes"
                film={film}
                range={range}
                words={`${position.toFixed(1)} of ${maxPasses}`}
                isReady={race.subject !== undefined}
              />
              <p class="hint">
                Grey: contours of F. Thin ellipses: SFO's quadratic model of each function it has met, drawn
                through the point where it stands. Dashed: their sum at the contours' levels; the cross is its
                minimum, where SFO wants to go.
              </p>
            </Panel>
          )}
          <div class="stack">
            <Panel title={isPlane ? `After ${position.toFixed(1)} passes` : "Where they stand"}>
              <Figures
                state={state}
                solvers={running}
                runs={runs}
                position={position}
                chosen={chosen}
                onChoose={(model) => update({ model })}
              />
              <p class="hint numbers" role="status">
                {statusWords(race)}
              </p>
              <Sentences of={[...runs.values()].flatMap(({ warnings }) => warnings)} />
            </Panel>
            <Curves runs={runs} solvers={running} passes={maxPasses} />
          </div>
        </div>
        <TakeAway state={state} chosen={chosen} runs={runs} />
      </div>
    </div>
  );
}

function failuresOf({ runs }: Race): readonly string[] {
  return [...runs].flatMap(([solver, { status }]) =>
    status.kind === "failed" ? [`${solvers[solver].name}: ${status.sentence}`] : [],
  );
}

function statusWords({ runs, isRunning }: Race): string {
  if (runs.size === 0) return "Press Run to start the solvers.";
  const list = [...runs];
  if (isRunning) {
    const words = list.flatMap(([solver, { status, passes }]) =>
      status.kind === "running" ? [`${solvers[solver].name} ${status.phase}, pass ${passes.toFixed(1)}`] : [],
    );
    return `Running: ${words.join("; ")}.`;
  }
  if (list.some(([, { status }]) => status.kind === "stopped")) return "Stopped: what was there is kept.";
  const best = list.reduce((least, each) =>
    (each[1].best?.value ?? Number.POSITIVE_INFINITY) < (least[1].best?.value ?? Number.POSITIVE_INFINITY)
      ? each
      : least,
  );
  return `Done. The least F was found by ${solvers[best[0]].name}: ${best[1].best?.value ?? "–"}.`;
}
