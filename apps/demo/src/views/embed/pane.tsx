/** One map: its choice of method and solver, the map itself, its film and its figures. */
import { useState } from "preact/hooks";
import { FieldControl } from "../../controls/declared.js";
import { SliderField } from "../../controls/fields.js";
import { Sentences } from "../../controls/panel.js";
import type { Dataset } from "../../data/dataset.js";
import type { Looks } from "../../plot/coloring.js";
import { fixed, shortNumber } from "../../plot/numbers.js";
import { Scatter } from "../../plot/scatter.js";
import type { PointerMode } from "../../plot/scatter-canvas.js";
import { Elapsed } from "../../shell/elapsed.js";
import { PointWords } from "./describe-point.js";
import type { Still } from "./film.js";
import { hasHomotopy, type PaneChoice, paneFields, paneTitle } from "./options.js";
import type { PaneRun } from "./pane-run.js";

interface PaneProps {
  readonly pane: PaneChoice;
  readonly run: PaneRun | undefined;
  readonly dataset: Dataset | undefined;
  readonly looks: Looks;
  readonly mode: PointerMode;
  /** The budget, to tell how far a run has come. */
  readonly evaluations: number;
  /** Whether the map was made with other options than those of now. */
  readonly isStale: boolean;
  readonly onLasso: (points: Int32Array) => void;
  readonly onChange: (pane: PaneChoice) => void;
  /** Left out for the last pane, which stays. */
  readonly onRemove: (() => void) | undefined;
}

const nothing = new Float64Array(0);

export function Pane(props: PaneProps) {
  const { pane, run, dataset, looks, mode, evaluations, isStale, onLasso } = props;
  const [still, setStill] = useState<number | undefined>();
  const stills = run?.stills ?? [];
  const isReplay = still !== undefined && still < stills.length - 1 && run?.isRunning === false;
  const shown = isReplay ? stills[still] : undefined;
  const positions = shown?.map ?? run?.map ?? nothing;
  const title = paneTitle(pane);
  return (
    <section class="panel pane" aria-label={title}>
      <PaneHeading {...props} title={title} />
      <div class="stack pane-map">
        <Scatter
          label={`Map by ${title}: ${positions.length / 2} points. ${statusWords(run)} Arrows move it, plus and minus zoom, 0 shows all, comma and full stop go from point to point.`}
          positions={positions}
          looks={looks}
          mode={mode}
          onLasso={onLasso}
          describe={(point) => dataset !== undefined && <PointWords dataset={dataset} point={point} />}
        />
        {run === undefined ? (
          <p class="hint">Not run yet.</p>
        ) : (
          <Figures run={run} evaluations={evaluations} />
        )}
        {isStale && <p class="hint">Made with other options than those beside; Run makes it anew.</p>}
        {stills.length > 1 && (
          <SliderField
            label={isHomotopy(stills) ? "λ homotopy" : "Film"}
            words={filmWords(stills[isReplay ? still : stills.length - 1])}
            low={0}
            high={stills.length - 1}
            step={1}
            value={isReplay ? still : stills.length - 1}
            disabled={run?.isRunning !== false}
            onChange={setStill}
          />
        )}
      </div>
    </section>
  );
}

const isHomotopy = (stills: readonly Still[]): boolean =>
  stills[0].lambda !== stills[stills.length - 1].lambda;

const filmWords = ({ lambda, iteration }: { readonly lambda: number; readonly iteration: number }): string =>
  `λ = ${shortNumber(lambda)}, iteration ${iteration}`;

function PaneHeading({ pane, title, onChange, onRemove }: PaneProps & { readonly title: string }) {
  const isIterative = pane.method !== "laplacian";
  const update = (change: Partial<PaneChoice>): void => {
    const next = { ...pane, ...change };
    onChange({ ...next, homotopy: next.homotopy && hasHomotopy(next) });
  };
  const view = { fields: paneFields, state: pane, update };
  return (
    <details class="pane-heading">
      <summary>
        <h2>{title}</h2>
        <span class="hint">change</span>
      </summary>
      <div class="stack">
        <FieldControl name="method" {...view} />
        <FieldControl
          name="solver"
          disabled={!isIterative}
          hint={isIterative ? undefined : "A problem of eigenvectors: no iterations."}
          {...view}
        />
        <FieldControl name="homotopy" disabled={!hasHomotopy(pane)} {...view} />
        {onRemove !== undefined && (
          <button type="button" class="quiet" onClick={onRemove} aria-label={`Remove ${title}`}>
            Remove this map
          </button>
        )}
      </div>
    </details>
  );
}

function Figures({ run, evaluations }: { readonly run: PaneRun; readonly evaluations: number }) {
  const { status, latest } = run;
  const used = latest?.evaluations ?? 0;
  return (
    <div class="figures" data-status={status.kind}>
      {status.kind === "running" && (
        <progress max={evaluations} value={used} aria-label={`${run.options.method}: evaluations made`} />
      )}
      <p
        class={`numbers ${status.kind === "failed" ? "bad" : ""}`}
        role={status.kind === "failed" ? "alert" : undefined}
      >
        {statusWords(run)}
        {isPreparing(run) && <Elapsed since={run.startedAt} />}
      </p>
      <Sentences of={run.warnings} />
    </div>
  );
}

/** Whether a run is in a phase that tells no numbers. */
const isPreparing = ({ status, latest }: PaneRun): boolean =>
  status.kind === "running" && (latest === undefined || status.phase !== "optimisation");

/** What a run does, or did, with its numbers. */
function statusWords(run: PaneRun | undefined): string {
  if (run === undefined) return "Not run yet.";
  const { status, latest } = run;
  switch (status.kind) {
    case "running":
      return isPreparing(run) ? `${status.phase} … ` : runningWords(run);
    case "stopped":
      return latest === undefined ? "Stopped before there was a map." : `Stopped. ${runningWords(run)}`;
    case "failed":
      return status.sentence;
    case "done":
      return doneWords(run);
  }
}

function runningWords({ latest }: PaneRun): string {
  if (latest === undefined) return "";
  const { iteration, evaluations, lambda, energy, klDivergence, seconds } = latest;
  const value = klDivergence === undefined ? `E ${shortNumber(energy)}` : `KL ${fixed(klDivergence, 4)}`;
  return `iteration ${iteration} · ${evaluations} evaluations · λ ${shortNumber(lambda)} · ${value} · ${seconds.toFixed(1)} s`;
}

function doneWords({ answer, options }: PaneRun): string {
  if (answer === undefined) return "";
  const parts = [
    answer.klDivergence === undefined
      ? answer.value !== undefined && `E ${shortNumber(answer.value)}`
      : `KL ${fixed(answer.klDivergence, 4)}`,
    answer.knnPreservation !== undefined && `neighbours kept ${(100 * answer.knnPreservation).toFixed(1)} %`,
    answer.trustworthiness !== undefined && `trustworthiness ${answer.trustworthiness.toFixed(3)}`,
    options.method !== "laplacian" && `${answer.evaluations} evaluations`,
    `${answer.elapsedSeconds.toFixed(2)} s`,
    answer.status !== "max-evaluations" && answer.status !== "converged" && answer.message,
  ];
  return parts.filter((part) => part !== false).join(" · ");
}
