import "../../controls/figures-table.css";
import { SolverChoice } from "../../controls/solver-choice.js";
import { useTheme } from "../../shell/theme.js";
import { frameAt, solverColor } from "./lines.js";
import { type SolverName, solverNames } from "./options.js";
import type { Training } from "./use-training.js";

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
export function Figures({ training, solvers, epoch, chosen, onChoose }: FiguresProps) {
  const theme = useTheme();
  const optimum = training?.optimum;
  const hasTest = training?.job.test !== undefined;
  return (
    <table class="figures-table numbers" data-status={training?.status.kind}>
      <caption class="visually-hidden">The models after {epoch} epochs</caption>
      <thead>
        <tr>
          <th scope="col">Solver</th>
          <th scope="col" class="spare">
            cost P
          </th>
          <th scope="col">above least</th>
          <th scope="col">errors</th>
          {hasTest && <th scope="col">on new rows</th>}
        </tr>
      </thead>
      <tbody>
        {solvers.map((solver) => {
          const frame = frameAt(training?.frames.get(solver) ?? [], epoch);
          return (
            <tr key={solver} class={solver === chosen ? "chosen" : ""}>
              <SolverChoice
                color={solverColor(solver, theme)}
                isChosen={solver === chosen}
                onChoose={() => onChoose(solver)}
              >
                {solverNames[solver]}
              </SolverChoice>
              <td class="spare">{frame === undefined ? "–" : frame.cost.toFixed(5)}</td>
              <td>{frame === undefined || optimum === undefined ? "–" : aboveWords(frame.cost, optimum)}</td>
              <td>{percent(frame?.trainingError)}</td>
              {hasTest && <td>{percent(frame?.testError)}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
