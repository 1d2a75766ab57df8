/** What is disentangled, and how: the column beside the pictures. */
import { useState } from "preact/hooks";
import { CheckField, NumberField, SelectField, SliderField } from "../../controls/fields.js";
import { RunButton } from "../../controls/run-button.js";
import { SeedField } from "../../controls/seed-field.js";
import type { ViewProps } from "../../shell/view.js";
import {
  clustersOf,
  type DisentangleState,
  dataKinds,
  dataNames,
  fewestPoints,
  layeringNames,
  layerings,
  mostClusters,
  mostPoints,
  solverNames,
  solvers,
} from "./options.js";

interface ControlsProps extends ViewProps<DisentangleState> {
  /** How many points there are. */
  readonly count: number;
  readonly isRunning: boolean;
  readonly canRun: boolean;
  readonly onRun: () => void;
  readonly onStop: () => void;
}

export function Controls({ state, update, count, isRunning, canRun, onRun, onStop }: ControlsProps) {
  const hasK = state.layering === "one" || state.layering === "halves";
  return (
    <form class="panel stack" onSubmit={(event) => event.preventDefault()}>
      <div class="row">
        <RunButton isRunning={isRunning} canRun={canRun} onRun={onRun} onStop={onStop} />
      </div>
      <SelectField
        label="Points"
        value={state.data}
        options={dataKinds.map((value) => ({ value, name: dataNames[value] }))}
        onChange={(data) => update({ data })}
      />
      {state.data === "digits" && (
        <SelectField
          label="Digit"
          value={String(state.digit)}
          options={Array.from({ length: 10 }, (_, d) => ({ value: String(d), name: String(d) }))}
          onChange={(digit) => update({ digit: Number(digit) })}
        />
      )}
      <ClustersField state={state} update={update} count={count} isDisabled={!hasK} />
      <SelectField
        label="Layers"
        hint="The Q of a layer is the Gram matrix of the next."
        value={state.layering}
        options={layerings.map((value) => ({ value, name: layeringNames[value] }))}
        onChange={(layering) => update({ layering })}
      />
      {state.layering === "list" && <LayersField state={state} update={update} />}
      <details>
        <summary>More</summary>
        <div class="stack">
          <MoreFields state={state} update={update} />
        </div>
      </details>
    </form>
  );
}

function MoreFields({ state, update }: ViewProps<DisentangleState>) {
  const isGenerated = state.data !== "drawn" && state.data !== "digits";
  return (
    <>
      {state.data !== "drawn" && (
        <NumberField
          label={isGenerated ? "How many points" : "Pictures at most"}
          value={state.points}
          low={fewestPoints}
          high={mostPoints}
          isWhole
          onChange={(points) => points !== undefined && update({ points })}
        />
      )}
      {isGenerated && (
        <NumberField
          label="Noise"
          hint="Standard deviation of each coordinate."
          value={state.noise}
          low={0}
          high={10}
          step={0.01}
          onChange={(noise) => noise !== undefined && update({ noise })}
        />
      )}
      <SelectField
        label="Solver"
        value={state.solver}
        options={solvers.map((value) => ({ value, name: solverNames[value] }))}
        onChange={(solver) => update({ solver })}
      />
      <NumberField
        label="Certified gap to reach"
        value={state.tolerance}
        low={1e-5}
        high={0.5}
        onChange={(tolerance) => tolerance !== undefined && update({ tolerance })}
      />
      <SeedField value={state.seed} onChange={(seed) => update({ seed })} />
      <CheckField label="Run at every change" value={state.run} onChange={(run) => update({ run })} />
    </>
  );
}

interface ClustersProps extends ViewProps<DisentangleState> {
  readonly count: number;
  readonly isDisabled: boolean;
}

function ClustersField({ state, update, count, isDisabled }: ClustersProps) {
  const value = clustersOf(state, count);
  return (
    <SliderField
      label="K, clusters"
      {...(isDisabled ? { hint: "The layers have their own." } : {})}
      value={value}
      low={2}
      high={Math.max(2, Math.min(mostClusters, count))}
      step={1}
      words={`${value}`}
      disabled={isDisabled}
      onChange={(clusters) => update({ clusters })}
    />
  );
}

function LayersField({ state, update }: ViewProps<DisentangleState>) {
  const [draft, setDraft] = useState<string | undefined>();
  const isGood = draft === undefined || layersIn(draft) !== undefined;
  const change = (event: { readonly currentTarget: HTMLInputElement }): void => {
    setDraft(event.currentTarget.value);
    const layers = layersIn(event.currentTarget.value);
    if (layers !== undefined) update({ layers });
  };
  return (
    <div class="field">
      <label for="layers">K of each layer</label>
      <input
        id="layers"
        type="text"
        inputMode="decimal"
        value={draft ?? state.layers.join(", ")}
        aria-invalid={!isGood}
        aria-describedby="layers-hint"
        onInput={change}
        onBlur={() => setDraft(undefined)}
      />
      <small id="layers-hint" class={isGood ? "hint" : "bad"}>
        Whole numbers, none larger than the one before it: 16, 8, 2.
      </small>
    </div>
  );
}

function layersIn(text: string): readonly number[] | undefined {
  const layers = text
    .split(/[\s,;]+/)
    .filter((word) => word !== "")
    .map(Number);
  const isFalling = layers.every(
    (K, l) => Number.isInteger(K) && K >= 1 && K <= mostPoints && (l === 0 || K <= layers[l - 1]),
  );
  return layers.length > 0 && layers.length <= 20 && isFalling ? layers : undefined;
}
