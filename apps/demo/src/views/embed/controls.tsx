/** What is mapped, and how: the column beside the maps. */

import { useState } from "preact/hooks";
import { NumberField, SelectField } from "../../controls/fields.js";
import { RunButton } from "../../controls/run-button.js";
import { SeedField } from "../../controls/seed-field.js";
import { type FileActions, LabelColumnField, VisitorFileField } from "../../controls/visitor-file.js";
import { type Dataset, dataNames, pointFiles } from "../../data/dataset.js";
import type { ViewProps } from "../../shell/view.js";
import {
  dataKinds,
  type EmbedState,
  gradients,
  mostPanes,
  mostPoints,
  type PaneChoice,
  starts,
} from "./options.js";

interface ControlsProps extends ViewProps<EmbedState>, FileActions {
  readonly dataset: Dataset | undefined;
  readonly isRunning: boolean;
  readonly canRun: boolean;
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly file: File | undefined;
}

const startNames = {
  pca: "principal components",
  laplacian: "Laplacian eigenmaps",
  random: "noise",
} as const;

const gradientNames = {
  auto: "auto, the fastest",
  exact: "exact, all pairs",
  "barnes-hut": "Barnes-Hut, by cells",
  fft: "FFT, on a grid",
} as const;

export function Controls(props: ControlsProps) {
  const { state, update, isRunning, canRun, onRun, onStop } = props;
  const [isWide] = useState(() => window.matchMedia("(min-width: 52rem)").matches);
  const canAdd = state.panes.length < mostPanes;
  return (
    <form class="panel stack" onSubmit={(event) => event.preventDefault()}>
      <div class="row">
        <RunButton isRunning={isRunning} canRun={canRun} onRun={onRun} onStop={onStop} />
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
                  label="Gradient of the repulsion"
                  hint="Barnes-Hut and FFT: from 300 points on, not for SNE; for elastic and t-EE above 5,000."
                  value={state.gradient}
                  options={gradients.map((value) => ({ value, name: gradientNames[value] }))}
                  onChange={(gradient) => update({ gradient })}
                />
                <SelectField
                  label="First map"
                  value={state.start}
                  options={starts.map((value) => ({ value, name: startNames[value] }))}
                  onChange={(start) => update({ start })}
                />
                <SeedField value={state.seed} onChange={(seed) => update({ seed })} />
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
      <VisitorFileField
        {...pointFiles}
        file={state.data === "file" ? file : undefined}
        onFile={onFile}
        onForget={onForget}
        onRefused={onRefused}
      />
      {state.data === "file" && (
        <LabelColumnField dataset={dataset} value={state.labels} onChange={(labels) => update({ labels })} />
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
