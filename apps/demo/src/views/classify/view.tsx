import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { DataStatus } from "../../controls/data-status.js";
import { Fault } from "../../controls/fault.js";
import { Player } from "../../controls/player.js";
import { useFilm } from "../../controls/use-film.js";
import type { DataRequest, Dataset } from "../../data/dataset.js";
import { fileRequest, useDataset } from "../../data/use-dataset.js";
import { useFile } from "../../data/use-file.js";
import { useTheme, wantsLessMotion } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import type { Border } from "./board-painter.js";
import { Controls } from "./controls.js";
import { Curves } from "./curves.js";
import { digitSets } from "./digits.js";
import { Figures } from "./figures.js";
import { fileSets } from "./file-set.js";
import { frameAt, scoreOf, solverColor, solverDash } from "./lines.js";
import { type ClassifyState, modelOptions, mostRows, runningSolvers, solverNames } from "./options.js";
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
  const { file, isAsking, choose, forget } = useFile("classify");
  const [refusal, setRefusal] = useState("");
  const { loading, retry } = useDataset(...requestOf(state, file));
  const dataset = loading.kind === "ready" ? loading.dataset : undefined;
  const { name, plane, columns, job, problem } = useWork(state, dataset);
  const training = useTraining();
  const run = useLiveRun(job, state.run, training.start);
  const shown = isSameKind(training.shown, job) ? training.shown : undefined;
  const range = { first: 1, last: state.epochs, step: 1, lasts: filmLasts };
  const film = useFilm(shown, range);
  const theme = useTheme();
  const solvers = runningSolvers(state);
  const chosen = solvers.includes(state.model) ? state.model : (solvers[0] ?? state.model);
  const frameOf = (solver: typeof chosen) => frameAt(shown?.frames.get(solver) ?? [], film.position);
  const borders = solvers.flatMap((solver): Border[] => {
    const frame = frameOf(solver);
    if (frame === undefined || plane === undefined) return [];
    const score = scoreOf(frame, plane.scale);
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
        canRun={job !== undefined}
        onRun={run}
        onStop={training.stop}
        dataset={state.data === "file" ? dataset : undefined}
        file={file}
        onFile={(chosen) => {
          setRefusal("");
          choose(chosen);
          update({ data: "file", labels: "", x: "", y: "", against: "" });
        }}
        onForget={() => {
          forget();
          update({ data: "clouds", labels: "", x: "", y: "", against: "" });
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
        {training.current?.status.kind === "failed" && <Fault sentence={training.current.status.sentence} />}
        <div class="classify-grid">
          <section class="panel stack" aria-labelledby="classify-left">
            <h2 id="classify-left">
              {isDigits ? `What the models look at: is it ${state.digit}?` : "Points and borders"}
            </h2>
            {isDigits && (
              <Weights training={shown} solvers={solvers} epoch={film.position} digit={state.digit} />
            )}
            {plane !== undefined && (
              <PlanePanel state={state} update={update} plane={plane} columns={columns} borders={borders} />
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
                {problem ??
                  (job === undefined ? "There is nothing to learn from yet." : statusWords(training.current))}
              </p>
              {training.shown?.warnings.map((sentence) => (
                <p key={sentence} class="hint">
                  {sentence}
                </p>
              ))}
              {isDigits && job?.test !== undefined && <Mistakes frame={frameOf(chosen)} test={job.test} />}
            </section>
            <Curves training={shown} solvers={solvers} />
          </div>
        </div>
        {job !== undefined && (
          <TakeAway
            state={{ ...state, model: chosen }}
            name={name}
            job={job}
            plane={plane}
            training={shown}
          />
        )}
      </div>
    </div>
  );
}

interface Work {
  /** For headings and files: "clouds", "digit-8", a file's name without its ending. */
  readonly name: string;
  /** Where the data are points of the plane. */
  readonly plane: Plane | undefined;
  readonly columns: readonly string[];
  /** Undefined while there is no data, and where there is a problem. */
  readonly job: ClassifyJob | undefined;
  /** Why nothing can be learned. */
  readonly problem: string | undefined;
}

/** What is to be learned; the same objects as long as nothing has changed. */
function useWork(state: ClassifyState, dataset: Dataset | undefined): Work {
  const { data, points, spread, stretch, added, seed, digit, held, x, y, against, share } = state;
  const sets = useMemo(
    () => setsOf(state, dataset),
    [data, points, spread, stretch, added, seed, dataset, digit, held, x, y, against, share],
  );
  const models = runningSolvers(state).map((solver) => modelOptions(solver, state));
  const isProblem = typeof sets === "string";
  const problem = isProblem ? sets : problemOf(sets, models);
  const job = useMemo(() => {
    if (isProblem || sets === undefined || problem !== undefined) return undefined;
    const { training, test, columns } = sets;
    return { training, test, columns, models };
  }, [sets, problem, JSON.stringify(models)]);
  const name = data === "file" ? (dataset?.name ?? "file") : data === "digits" ? `digit-${digit}` : data;
  const { plane, columns = [] } = isProblem || sets === undefined ? { plane: undefined } : sets;
  return { name, plane, columns, job, problem };
}

type Sets = Omit<ClassifyJob, "models"> & { readonly plane: Plane | undefined };

/** Undefined while the data is on its way; a sentence where it does not do. */
function setsOf(state: ClassifyState, dataset: Dataset | undefined): Sets | string | undefined {
  if (state.data === "file") return dataset === undefined ? undefined : fileSets(dataset, state);
  if (state.data === "digits")
    return dataset === undefined
      ? undefined
      : { ...digitSets(dataset, state), columns: dataset.columns, plane: undefined };
  const plane = planeOf(state);
  const training = { rows: plane.rows, labels: plane.labels };
  return { training, test: undefined, columns: columnNames, plane };
}

function problemOf(sets: Sets | undefined, models: ClassifyJob["models"]): string | undefined {
  if (sets === undefined) return undefined;
  if (models.length === 0)
    return "Dual coordinate descent has no step in closed form for the logistic loss. Choose another solver too.";
  if (new Set(sets.training.labels).size > 1) return undefined;
  return sets.test === undefined
    ? "A border needs points on both sides: add some of class a and some of class b."
    : "The rows that are left to learn from are all of one class: hold out fewer.";
}

/** The request for the state's data, and a name that is the same for the same data. */
function requestOf(
  { data, labels }: ClassifyState,
  file: File | undefined,
): [string, DataRequest | undefined] {
  if (data === "digits") return ["digits", { kind: "digits" }];
  return data === "file" && file !== undefined ? fileRequest(file, labels, mostRows) : ["none", undefined];
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

/** Whether what was trained can be drawn over what is shown now. */
const isSameKind = (training: Training | undefined, job: ClassifyJob | undefined): boolean =>
  training?.job.columns.join() === job?.columns.join() &&
  training?.job.models[0].scale === job?.models[0].scale;

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
