/** What is learned, and by which solvers: the column beside the board. */
import { useState } from "preact/hooks";
import { CheckField, NumberField, SelectField, SliderField } from "../../controls/fields.js";
import type { ViewProps } from "../../shell/view.js";
import {
  type ClassifyState,
  dataKinds,
  dataNames,
  losses,
  lossNames,
  type SolverName,
  solverNames,
  solvers,
} from "./options.js";

interface ControlsProps extends ViewProps<ClassifyState> {
  readonly isRunning: boolean;
  readonly canRun: boolean;
  readonly onRun: () => void;
  readonly onStop: () => void;
}

const digitNames = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;

export function Controls(props: ControlsProps) {
  const { state, update, isRunning, canRun, onRun, onStop } = props;
  const [isWide] = useState(() => window.matchMedia("(min-width: 52rem)").matches);
  const toggle = (solver: SolverName, isOn: boolean): void => {
    const chosen = solvers.filter((each) => (each === solver ? isOn : state.solvers.includes(each)));
    if (chosen.length > 0) update({ solvers: chosen });
  };
  return (
    <form class="panel stack" onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label="Data"
        value={state.data}
        options={dataKinds.map((value) => ({ value, name: dataNames[value] }))}
        onChange={(data) => update({ data })}
      />
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
      </div>
      <details open={isWide}>
        <summary>Data and options</summary>
        <div class="stack">
          {state.data === "digits" ? <DigitControls {...props} /> : <PlaneControls {...props} />}
          <fieldset>
            <legend>Solvers</legend>
            {solvers.map((solver) => (
              <CheckField
                key={solver}
                label={solverNames[solver]}
                value={state.solvers.includes(solver)}
                disabled={solver === "dcd" && state.loss === "logistic"}
                onChange={(isOn) => toggle(solver, isOn)}
              />
            ))}
          </fieldset>
          <NumberField
            label="Epochs"
            hint="Passes over the rows."
            value={state.epochs}
            low={1}
            high={1000}
            isWhole
            onChange={(epochs) => epochs !== undefined && update({ epochs })}
          />
          <details>
            <summary>More</summary>
            <div class="stack">
              <SelectField
                label="Loss"
                {...(state.loss === "logistic"
                  ? { hint: "Dual coordinate descent has no step in closed form for it." }
                  : {})}
                value={state.loss}
                options={losses.map((value) => ({ value, name: lossNames[value] }))}
                onChange={(loss) => update({ loss })}
              />
              <NumberField
                label="λ, weight of ½ ‖w‖²"
                value={state.lambda}
                low={1e-9}
                high={1e6}
                placeholder="mean of ‖x‖² / n"
                isOptional
                onChange={(lambda) => update({ lambda })}
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
        </div>
      </details>
    </form>
  );
}

function PlaneControls({ state, update }: ControlsProps) {
  return (
    <fieldset>
      <legend>Points</legend>
      {state.data !== "drawn" && (
        <>
          <NumberField
            label="Points"
            value={state.points}
            low={4}
            high={5000}
            isWhole
            onChange={(points) => points !== undefined && update({ points })}
          />
          <SliderField
            label="Spread"
            value={state.spread}
            low={0}
            high={2}
            step={0.05}
            words={String(state.spread)}
            onChange={(spread) => update({ spread })}
          />
        </>
      )}
      <SliderField
        label="x is larger than y by"
        hint="Columns of different sizes make the problem long and narrow."
        value={state.stretch}
        low={1}
        high={20}
        step={1}
        words={`× ${state.stretch}`}
        onChange={(stretch) => update({ stretch })}
      />
    </fieldset>
  );
}

/** Measured after 30 epochs: P − P* of 37 % with SGD, 11 % with SGD-QN, 7 % with averaged SGD. */
const [hintedDigit, hintedLambda] = [8, 0.1] as const;

function DigitControls({ state, update }: ControlsProps) {
  return (
    <fieldset>
      <legend>One digit against the rest</legend>
      <SelectField
        label="Digit"
        value={digitNames[state.digit]}
        options={digitNames.map((value) => ({ value, name: value }))}
        onChange={(digit) => update({ digit: Number(digit) })}
      />
      <NumberField
        label="Digits held out"
        hint="The last so many are not learned from; errors on them tell how well the model reads."
        value={state.held}
        low={100}
        high={1000}
        isWhole
        onChange={(held) => held !== undefined && update({ held })}
      />
      {state.digit === hintedDigit && state.lambda !== hintedLambda && (
        <p class="row hint">
          With a weaker λ SGD-QN and averaged SGD are ahead of SGD here.
          <button type="button" class="quiet small" onClick={() => update({ lambda: hintedLambda })}>
            λ = {hintedLambda}
          </button>
        </p>
      )}
    </fieldset>
  );
}
