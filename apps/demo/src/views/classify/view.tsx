import { useEffect, useMemo, useRef } from "preact/hooks";
import { Player } from "../../controls/player.js";
import { useFilm } from "../../controls/use-film.js";
import type { Dataset } from "../../data/dataset.js";
import { useDataset } from "../../data/use-dataset.js";
import { useTheme, wantsLessMotion } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import type { Border } from "./board-painter.js";
import { Controls } from "./controls.js";
import { Curves } from "./curves.js";
import { digitSets } from "./digits.js";
import { Figures } from "./figures.js";
import { frameAt, scoreOf, solverColor, solverDash } from "./lines.js";
import { type ClassifyState, modelOptions, runningSolvers, solverNames } from "./options.js";
import { columnNames, type Plane, planeOf } from "./plane.js";
import { PlanePanel } from "./plane-panel.js";
import "./style.css";
import { TakeAway } from "./take-away.js";
import type { ClassifyJob } from "./task.js";
import { type Training, useTraining } from "./use-training.js";
import { Mistakes, Weights } from "./weights.js";

/** Milliseconds of a film, whatever its length. */
const filmLasts = 2400;

export function ClassifyScreen({ state, update }: ViewProps<ClassifyState>) {
  const isDigits = state.data === "digits";
  const { loading, retry } = useDataset(
    isDigits ? "digits" : "none",
    isDigits ? { kind: "digits" } : undefined,
  );
  const { plane, job } = useJob(state, loading.kind === "ready" ? loading.dataset : undefined);
  const problem = problemOf(job);
  const training = useTraining();
  const run = useLiveRun(problem === undefined ? job : undefined, state.run, training.start);
  const shown = problem === undefined && isSameKind(training.shown, job) ? training.shown : undefined;
  const range = { first: 1, last: state.epochs, step: 1, lasts: filmLasts };
  const film = useFilm(shown, range);
  const theme = useTheme();
  const solvers = runningSolvers(state);
  const chosen = solvers.includes(state.model) ? state.model : (solvers[0] ?? state.model);
  const frameOf = (solver: typeof chosen) => frameAt(shown?.frames.get(solver) ?? [], film.position);
  const borders = solvers.flatMap((solver): Border[] => {
    const frame = frameOf(solver);
    if (frame === undefined) return [];
    const score = scoreOf(frame, state.stretch);
    const color = solverColor(solver, theme);
    return [{ score, color, dash: solverDash[solver], isChosen: solver === chosen }];
  });
  const isRunning = training.current?.isRunning === true;
  return (
    <div class="view-layout">
      <Controls
        state={state}
        update={update}
        isRunning={isRunning}
        canRun={job !== undefined && problem === undefined}
        onRun={run}
        onStop={training.stop}
      />
      <div class="stack">
        {loading.kind === "failed" && <Bad sentence={loading.sentence} onRetry={retry} />}
        {loading.kind === "loading" && isDigits && <p class="notice">{loading.phase} …</p>}
        {training.current?.status.kind === "failed" && <Bad sentence={training.current.status.sentence} />}
        <div class="classify-grid">
          <section class="panel stack" aria-labelledby="classify-left">
            <h2 id="classify-left">
              {plane === undefined ? `What the models look at: is it ${state.digit}?` : "Points and borders"}
            </h2>
            {plane === undefined ? (
              <Weights training={shown} solvers={solvers} epoch={film.position} digit={state.digit} />
            ) : (
              <PlanePanel state={state} update={update} plane={plane} borders={borders} />
            )}
            <Player
              label="Epoch"
              film={film}
              range={range}
              words={`${film.position} of ${state.epochs}`}
              isReady={shown !== undefined}
            />
          </section>
          <div class="stack">
            <section class="panel stack" aria-labelledby="classify-figures">
              <h2 id="classify-figures">After epoch {film.position}</h2>
              <Figures
                training={shown}
                solvers={solvers}
                epoch={film.position}
                chosen={chosen}
                onChoose={(model) => update({ model })}
              />
              <p class="hint numbers classify-status" role="status">
                {problem ?? statusWords(training.current)}
              </p>
              {training.shown?.warnings.map((sentence) => (
                <p key={sentence} class="hint">
                  {sentence}
                </p>
              ))}
              {job?.test !== undefined && <Mistakes frame={frameOf(chosen)} test={job.test} />}
            </section>
            <Curves training={shown} solvers={solvers} />
          </div>
        </div>
        {job !== undefined && (
          <TakeAway state={{ ...state, model: chosen }} job={job} plane={plane} training={shown} />
        )}
      </div>
    </div>
  );
}

interface Work {
  /** Where the data are points of the plane. */
  readonly plane: Plane | undefined;
  readonly job: ClassifyJob | undefined;
}

/** What is to be learned; the same object as long as nothing has changed. */
function useJob(state: ClassifyState, digits: Dataset | undefined): Work {
  const { data, points, spread, stretch, added, seed, digit, held } = state;
  const plane = useMemo(
    () => (data === "digits" ? undefined : planeOf({ data, points, spread, stretch, added, seed })),
    [data, points, spread, stretch, added, seed],
  );
  const sets = useMemo(() => {
    if (plane !== undefined) {
      const training = { rows: plane.rows, labels: plane.labels };
      return { training, test: undefined, columns: columnNames };
    }
    if (digits === undefined) return undefined;
    return { ...digitSets(digits, { digit, held }), columns: digits.columns };
  }, [plane, digits, digit, held]);
  const models = runningSolvers(state).map((solver) => modelOptions(solver, state));
  const job = useMemo(
    () => (sets === undefined ? undefined : { ...sets, models }),
    [sets, JSON.stringify(models)],
  );
  return { plane, job };
}

/** Why nothing can be learned. */
function problemOf(job: ClassifyJob | undefined): string | undefined {
  if (job === undefined) return undefined;
  if (job.models.length === 0)
    return "Dual coordinate descent has no step in closed form for the logistic loss. Choose another solver too.";
  return new Set(job.training.labels).size < 2
    ? "A border needs points on both sides: add some of class a and some of class b."
    : undefined;
}

/** Milliseconds after the last change before the models are trained anew. */
const patience = 120;

/**
 * Once something was run, what changes is run again; a link begins by itself, but not where less motion is wanted.
 *
 * @returns what the button does
 */
function useLiveRun(
  job: ClassifyJob | undefined,
  isAutomatic: boolean,
  start: (job: ClassifyJob) => void,
): () => void {
  const isLive = useRef(isAutomatic && !wantsLessMotion());
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isLive.current || job === undefined) return undefined;
    const timer = setTimeout(() => start(job), isFirst.current ? 0 : patience);
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [job]);
  return () => {
    isLive.current = true;
    isFirst.current = false;
    if (job !== undefined) start(job);
  };
}

const isSameKind = (training: Training | undefined, job: ClassifyJob | undefined): boolean =>
  training?.job.training.rows.columns === job?.training.rows.columns;

function statusWords(training: Training | undefined): string {
  if (training === undefined) return "Press Run to train the models.";
  const { status, optimum } = training;
  const least = optimum === undefined ? "" : ` The least cost there is, P*, is ${optimum.toFixed(5)}.`;
  switch (status.kind) {
    case "running":
      return `Running: ${phaseWords(status.phase)}.`;
    case "done":
      return `Done.${least}`;
    case "stopped":
      return `Stopped: what was there is kept.${least}`;
    case "failed":
      return "Failed.";
  }
}

const phaseWords = (phase: string): string =>
  Object.entries(solverNames).find(([name]) => name === phase)?.[1] ?? phase;

function Bad({ sentence, onRetry }: { readonly sentence: string; readonly onRetry?: () => void }) {
  return (
    <div class="notice notice-bad" role="alert">
      <p>{sentence}</p>
      {onRetry !== undefined && (
        <button type="button" class="quiet small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
