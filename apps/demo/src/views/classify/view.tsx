import { useMemo } from "preact/hooks";
import { Fault } from "../../controls/notice.js";
import { Panel, Sentences } from "../../controls/panel.js";
import { Player } from "../../controls/player.js";
import { SourceStatus } from "../../controls/source-status.js";
import { TableAccount } from "../../controls/table-account.js";
import { useFilm } from "../../controls/use-film.js";
import { useLiveRun } from "../../controls/use-live-run.js";
import type { Dataset } from "../../data/dataset.js";
import { untouched } from "../../data/table-fields.js";
import { fileRequest, type KeyedRequest } from "../../data/use-dataset.js";
import { useSource } from "../../data/use-source.js";
import { lineLooks } from "../../plot/solver-looks.js";
import { useTheme } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import { useRuns } from "../../worker/job-run.js";
import type { Border } from "./board-painter.js";
import { Controls } from "./controls.js";
import { Curves } from "./curves.js";
import { digitSets } from "./digits.js";
import { Figures } from "./figures.js";
import { fileSets } from "./file-set.js";
import { frameAt, scoreOf } from "./lines.js";
import { type ClassifyState, modelOptions, mostRows, runningSolvers, solvers } from "./options.js";
import { columnNames, type Plane, planeOf } from "./plane.js";
import { PlanePanel } from "./plane-panel.js";
import "./style.css";
import { TakeAway } from "./take-away.js";
import type { ClassifyJob } from "./task.js";
import { Training } from "./training.js";
import { Mistakes, Weights } from "./weights.js";

/** Milliseconds of a film, whatever its length. */
const filmLasts = 2400;

export function ClassifyScreen(view: ViewProps<ClassifyState>) {
  const { state, update } = view;
  const { data, digit, maxPasses } = state;
  const isDigits = data === "digits";
  const source = useSource(
    "classify",
    (file) => requestOf(state, file),
    (isFile) => update({ data: isFile ? "file" : "clouds", ...untouched, x: "", y: "", against: "" }),
  );
  const { dataset } = source;
  const { name, plane, columns, job, problem } = useWork(state, dataset);
  const training = useRuns(Training);
  const run = useLiveRun(job, state.run, job && (() => training.start(job)));
  const shown = isSameKind(training.shown, job) ? training.shown : undefined;
  const range = { first: 1, last: maxPasses, step: 1, lasts: filmLasts };
  const film = useFilm(shown, range);
  const theme = useTheme();
  const running = runningSolvers(state);
  const chosen = running.includes(state.model) ? state.model : (running[0] ?? state.model);
  const frameOf = (solver: typeof chosen) => frameAt(shown?.frames.get(solver) ?? [], film.position);
  const borders = running.flatMap((solver): Border[] => {
    const frame = frameOf(solver);
    if (frame === undefined || plane === undefined) return [];
    const { color, dash } = lineLooks(solvers[solver], theme);
    return [{ score: scoreOf(frame, plane.scale), color, dash, isChosen: solver === chosen }];
  });
  const { current } = training;
  return (
    <div class="view-layout">
      <Controls
        {...view}
        running={{ isRunning: current?.isRunning === true, onRun: job && run, onStop: training.stop }}
        source={source}
      />
      <div class="stack">
        <SourceStatus source={source} isFile={data === "file"} />
        {data === "file" && <TableAccount {...view} source={source} areTargets hasScale={false} />}
        {current?.status.kind === "failed" && <Fault sentence={current.status.sentence} />}
        <div class="classify-grid">
          <Panel title={isDigits ? `What the models look at: is it ${digit}?` : "Points and borders"}>
            {isDigits && <Weights training={shown} solvers={running} epoch={film.position} digit={digit} />}
            {plane !== undefined && (
              <PlanePanel {...view} plane={plane} columns={columns} borders={borders} />
            )}
            <Player
              label="Epoch"
              film={film}
              range={range}
              words={`${film.position} of ${maxPasses}`}
              isReady={shown !== undefined}
            />
          </Panel>
          <div class="stack">
            <Panel title={`After epoch ${film.position}`}>
              <Figures
                training={shown}
                solvers={running}
                epoch={film.position}
                chosen={chosen}
                onChoose={(model) => update({ model })}
              />
              <p class="hint numbers classify-status" role="status">
                {problem ??
                  (job === undefined ? "There is nothing to learn from yet." : statusWords(current))}
              </p>
              <Sentences of={training.shown?.warnings ?? []} />
              {isDigits && job?.test !== undefined && <Mistakes frame={frameOf(chosen)} test={job.test} />}
            </Panel>
            <Curves training={shown} solvers={running} />
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

function requestOf(state: ClassifyState, file: File | undefined): KeyedRequest {
  const { data } = state;
  if (data === "digits") return ["digits", { kind: "digits" }];
  return data === "file" && file !== undefined
    ? fileRequest(file, { ...state, scale: "none" }, mostRows, true)
    : ["none", undefined];
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
  Object.entries(solvers).find(([name]) => name === phase)?.[1].name ?? phase;
