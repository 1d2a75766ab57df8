/** What is mapped, and how: the column beside the maps. */

import { useState } from "preact/hooks";
import { NumberField, SelectField } from "../../controls/fields.js";
import { FileDrop } from "../../controls/file-drop.js";
import { type Dataset, dataNames } from "../../data/dataset.js";
import type { ViewProps } from "../../shell/view.js";
import { dataKinds, type EmbedState, mostPanes, mostPoints, type PaneChoice, starts } from "./options.js";

interface ControlsProps extends ViewProps<EmbedState> {
  readonly dataset: Dataset | undefined;
  readonly isRunning: boolean;
  readonly canRun: boolean;
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly file: File | undefined;
  readonly onFile: (file: File) => void;
  readonly onForget: () => void;
  readonly onRefused: (sentence: string) => void;
}

const startNames = {
  pca: "principal components",
  laplacian: "Laplacian eigenmaps",
  random: "noise",
} as const;

export function Controls(props: ControlsProps) {
  const { state, update, isRunning, canRun, onRun, onStop } = props;
  const [isWide] = useState(() => window.matchMedia("(min-width: 52rem)").matches);
  const canAdd = state.panes.length < mostPanes;
  return (
    <form class="panel stack" onSubmit={(event) => event.preventDefault()}>
      <div class="row">
        {isRunning ? (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={onRun} disabled={!canRun}>
            Run
          </button>
        )}
        <button
          type="button"
          class="quiet"
          disabled={!canAdd}
          onClick={() => update({ panes: [...state.panes, nextPane(state.panes)] })}
        >
          Add a map
        </button>
      </div>
      <details open={isWide}>
        <summary>Data and options</summary>
        <div class="stack">
          <DataControls {...props} />
          <fieldset>
            <legend>For all maps</legend>
            <NumberField
              label="Evaluations of E and its gradient"
              hint="The same budget for each."
              value={state.evaluations}
              low={1}
              high={100_000}
              isWhole
              onChange={(evaluations) => evaluations !== undefined && update({ evaluations })}
            />
            <NumberField
              label="Perplexity"
              hint="Effective number of neighbours."
              value={state.perplexity}
              low={1.01}
              high={1000}
              placeholder="30, or less for few points"
              isOptional
              onChange={(perplexity) => update({ perplexity })}
            />
            <details>
              <summary>More</summary>
              <div class="stack">
                <NumberField
                  label="λ, weight of the repulsion"
                  value={state.lambda}
                  low={0}
                  high={1e6}
                  placeholder="1; elastic and t-EE: 100"
                  isOptional
                  onChange={(lambda) => update({ lambda })}
                />
                <SelectField
                  label="First map"
                  value={state.start}
                  options={starts.map((value) => ({ value, name: startNames[value] }))}
                  onChange={(start) => update({ start })}
                />
                <NumberField
                  label="Seed"
                  value={state.seed}
                  low={0}
                  high={2 ** 32 - 1}
                  isWhole
                  onChange={(seed) => seed !== undefined && update({ seed })}
                />
              </div>
            </details>
          </fieldset>
        </div>
      </details>
    </form>
  );
}

function DataControls({ state, update, dataset, file, onFile, onForget, onRefused }: ControlsProps) {
  const isMade = state.data !== "digits" && state.data !== "file";
  const isNoisy = isMade && state.data !== "blobs" && state.data !== "curves";
  const choices = dataset?.choices ?? [];
  return (
    <fieldset>
      <legend>Data</legend>
      <SelectField
        label="Set"
        value={state.data}
        options={dataKinds.map((value) => ({ value, name: dataNames[value] }))}
        onChange={(data) => update({ data })}
      />
      {state.data !== "digits" && (
        <NumberField
          label={isMade ? "Points" : "Rows at most"}
          {...(isMade ? {} : { hint: "Of a longer file, a random sample." })}
          value={state.points}
          low={10}
          high={mostPoints}
          isWhole
          onChange={(points) => points !== undefined && update({ points })}
        />
      )}
      {isNoisy && (
        <NumberField
          label="Noise"
          hint="Standard deviation of each coordinate."
          value={state.noise}
          low={0}
          high={100}
          step={0.05}
          onChange={(noise) => noise !== undefined && update({ noise })}
        />
      )}
      <FileDrop
        label="Or a file of your own: CSV, TSV, NPY, IDX, JSON, LIBSVM, or .gz of these"
        accept=".csv,.tsv,.tab,.txt,.dat,.npy,.idx,.json,.jsonl,.ndjson,.svm,.libsvm,.gz"
        onFile={onFile}
        onRefused={onRefused}
      />
      {state.data === "file" && file !== undefined && (
        <p class="row hint">
          {file.name} is kept in this browser alone, for your next visit.
          <button type="button" class="quiet small" onClick={onForget}>
            Forget it
          </button>
        </p>
      )}
      {state.data === "file" && choices.length > 0 && (
        <SelectField
          label="Column of labels"
          value={state.labels}
          options={[
            {
              value: "",
              name: dataset?.labelName === undefined ? "none found" : `found: ${dataset.labelName}`,
            },
            ...choices.map((name) => ({ value: name, name })),
          ]}
          onChange={(labels) => update({ labels })}
        />
      )}
    </fieldset>
  );
}

/** A map that is not there yet. */
function nextPane(panes: readonly PaneChoice[]): PaneChoice {
  const offers: readonly PaneChoice[] = [
    { method: "tsne", solver: "auto", homotopy: false },
    { method: "ee", solver: "auto", homotopy: false },
    { method: "laplacian", solver: "auto", homotopy: false },
    { method: "ssne", solver: "auto", homotopy: false },
    { method: "tsne", solver: "sd", homotopy: true },
  ];
  return (
    offers.find(
      (offer) => !panes.some(({ method, solver }) => method === offer.method && solver === offer.solver),
    ) ?? offers[0]
  );
}
