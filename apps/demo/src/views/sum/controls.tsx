/** What is minimised, and by which solvers: the column beside the pictures. */
import { useState } from "preact/hooks";
import { NumberField, SelectField } from "../../controls/fields.js";
import { RunButton } from "../../controls/run-button.js";
import { SeedField } from "../../controls/seed-field.js";
import { SolverChecks } from "../../controls/solver-checks.js";
import type { ViewProps } from "../../shell/view.js";
import {
  countLimits,
  isPlanar,
  objectiveNames,
  objectives,
  type RatedName,
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
  return (
    <form class="panel stack" onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label="Sum"
        value={state.objective}
        options={objectives.map((value) => ({ value, name: objectiveNames[value] }))}
        onChange={(objective) => update({ objective })}
      />
      <div class="row">
        <RunButton isRunning={isRunning} onRun={onRun} onStop={onStop} />
      </div>
      <details open={isWide}>
        <summary>Solvers and options</summary>
        <div class="stack">
          <SolverChecks
            all={solvers}
            names={solverNames}
            chosen={state.solvers}
            onChange={(chosen) => update({ solvers: chosen })}
          />
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
              <SeedField value={state.seed} onChange={(seed) => update({ seed })} />
            </div>
          </details>
        </div>
      </details>
    </form>
  );
}
