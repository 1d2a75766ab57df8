/** What is minimised, and by which solvers: the column beside the pictures. */
import { ControlPanel, Folded, type Running } from "../../controls/control-panel.js";
import { FieldControl } from "../../controls/declared.js";
import { SolverChecks } from "../../controls/solver-checks.js";
import type { ViewProps } from "../../shell/view.js";
import { fields, rateFields, type SumState, solvers, tunedRates } from "./options.js";
import { isPlanar } from "./problem-request.js";

interface ControlsProps extends ViewProps<SumState> {
  readonly running: Running;
}

export function Controls({ running, ...view }: ControlsProps) {
  const { state, update } = view;
  const planar = isPlanar(state.objective);
  const tuned = tunedRates[state.objective];
  return (
    <ControlPanel
      {...running}
      above={<FieldControl fields={fields} name="objective" {...view} />}
      title="Solvers and options"
    >
      <SolverChecks
        solvers={solvers}
        chosen={state.solvers}
        onChange={(chosen) => update({ solvers: chosen })}
      />
      <FieldControl fields={fields} name="maxPasses" {...view} />
      <FieldControl
        fields={fields}
        name="count"
        label={planar ? "Functions" : "Minibatches"}
        placeholder={planar ? "30" : "25"}
        {...view}
      />
      <Folded>
        {(["adam", "sgd", "adagrad"] as const).map((name) => (
          <FieldControl key={name} fields={rateFields} name={name} placeholder={`${tuned[name]}`} {...view} />
        ))}
        <FieldControl fields={fields} name="seed" {...view} />
      </Folded>
    </ControlPanel>
  );
}
