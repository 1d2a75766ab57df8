import { SolverTable } from "../../controls/solver-table.js";
import { frameAt } from "./lines.js";
import { solvers as looks, type SolverName } from "./options.js";
import type { Training } from "./training.js";

interface FiguresProps {
  readonly training: Training | undefined;
  readonly solvers: readonly SolverName[];
  readonly epoch: number;
  readonly chosen: SolverName;
  readonly onChoose: (solver: SolverName) => void;
}

const percent = (share: number | undefined): string =>
  share === undefined ? "–" : `${(100 * share).toFixed(1)} %`;

const leastShown = 1e-4;

function aboveWords(cost: number, optimum: number): string {
  const share = (100 * (cost - optimum)) / optimum;
  return share < leastShown ? `< ${leastShown} %` : `${Number(share.toPrecision(2))} %`;
}

/** What every model has come to at the epoch that is shown; the chosen one is looked at and taken away. */
export function Figures({ training, epoch, ...props }: FiguresProps) {
  const optimum = training?.optimum;
  const frame = (solver: SolverName) => frameAt(training?.frames.get(solver) ?? [], epoch);
  const above = (solver: SolverName): string => {
    const cost = frame(solver)?.cost;
    return cost === undefined || optimum === undefined ? "–" : aboveWords(cost, optimum);
  };
  const onNewRows = {
    head: "on new rows",
    cell: (solver: SolverName) => percent(frame(solver)?.testError),
  };
  return (
    <SolverTable
      caption={`The models after ${epoch} epochs`}
      status={training?.status.kind}
      looks={looks}
      columns={[
        { head: "cost P", isSpare: true, cell: (solver) => frame(solver)?.cost.toFixed(5) ?? "–" },
        { head: "above least", cell: above },
        { head: "errors", cell: (solver) => percent(frame(solver)?.trainingError) },
        ...(training?.job.test === undefined ? [] : [onNewRows]),
      ]}
      {...props}
    />
  );
}
