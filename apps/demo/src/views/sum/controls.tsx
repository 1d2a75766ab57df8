/** What is minimised, and by which solvers: the column beside the pictures. */
import { useState } from "preact/hooks";
import { CheckField, NumberField, SelectField } from "../../controls/fields.js";
import type { ViewProps } from "../../shell/view.js";
import {
  countLimits,
  isPlanar,
  objectiveNames,
  objectives,
  type RatedName,
  type SolverName,
  type SumState,
  solverNames,
  solvers,
  tunedRates,
} from "./options.js";

interface ControlsProps extends ViewProps<SumState> {
  readonly isRunning: boolean;
  readonly onRun: () => void;
  readonly onStop: () => void;
}

const rated = ["adam", "sgd", "adagrad"] as const satisfies readonly RatedName[];

export function Controls({ state, update, isRunning, onRun, onStop }: ControlsProps) {
  const [isWide] = useState(() => window.matchMedia("(min-width: 52rem)").matches);
  const toggle = (solver: SolverName, isOn: boolean): void => {
    const chosen = solvers.filter((each) => (each === solver ? isOn : state.solvers.includes(each)));
    if (chosen.length > 0) update({ solvers: chosen });
  };
  return (
    <form class="panel stack" onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label="Sum"
        value={state.objective}
        options={objectives.map((value) => ({ value, name: objectiveNames[value] }))}
        onChange={(objective) => update({ objective })}
      />
      <div class="row">
        {isRunning ? (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={onRun}>
            Run
          </button>
        )}
      </div>
      <details open={isWide}>
        <summary>Solvers and options</summary>
        <div class="stack">
          <fieldset>
            <legend>Solvers</legend>
            {solvers.map((solver) => (
              <CheckField
                key={solver}
                label={solverNames[solver]}
                value={state.solvers.includes(solver)}
                onChange={(isOn) => toggle(solver, isOn)}
              />
            ))}
          </fieldset>
          <NumberField
            label="Effective passes"
            value={state.passes}
            low={1}
            high={200}
            isWhole
            onChange={(passes) => passes !== undefined && update({ passes })}
          />
          <NumberField
            label={isPlanar(state.objective) ? "Functions" : "Minibatches"}
            value={state.count}
            low={countLimits.low}
            high={countLimits.high}
            placeholder={isPlanar(state.objective) ? "30" : "25"}
            isWhole
            isOptional
            onChange={(count) => update({ count })}
          />
          <details>
            <summary>More</summary>
            <div class="stack">
              {rated.map((solver) => (
                <NumberField
                  key={solver}
                  label={`Rate of ${solverNames[solver]}`}
                  {...(solver === "adam" ? { hint: "Empty: tuned for this sum." } : {})}
                  value={state[solver]}
                  low={1e-8}
                  high={1e4}
                  placeholder={String(tunedRates[state.objective][solver])}
                  isOptional
                  onChange={(rate) => update({ [solver]: rate })}
                />
              ))}
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
