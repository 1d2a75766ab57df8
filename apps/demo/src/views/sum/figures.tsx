import "../../controls/figures-table.css";
import { SolverChoice } from "../../controls/solver-choice.js";
import { shortNumber } from "../../plot/numbers.js";
import { useTheme } from "../../shell/theme.js";
import { solverColor } from "./looks.js";
import { type SolverName, type SumState, solverNames, solverWord } from "./options.js";
import type { Runner } from "./use-race.js";

interface FiguresProps {
  readonly state: SumState;
  readonly solvers: readonly SolverName[];
  readonly runners: ReadonlyMap<SolverName, Runner>;
  /** The pass that is shown. */
  readonly position: number;
  readonly chosen: SolverName;
  readonly onChoose: (solver: SolverName) => void;
}

/** What every solver had come to at the pass that is shown, and how it ended. */
export function Figures({ state, solvers, runners, position, chosen, onChoose }: FiguresProps) {
  const theme = useTheme();
  return (
    <table class="figures-table numbers">
      <caption class="visually-hidden">The solvers after {position.toFixed(1)} passes</caption>
      <thead>
        <tr>
          <th scope="col">Solver</th>
          <th scope="col">F</th>
          <th scope="col">least</th>
          <th scope="col" class="spare">
            passes
          </th>
          <th scope="col">ended</th>
        </tr>
      </thead>
      <tbody>
        {solvers.map((solver) => {
          const runner = runners.get(solver);
          const point = runner?.curve.findLast(({ passes }) => passes <= position + 1e-9);
          return (
            <tr key={solver} class={solver === chosen ? "chosen" : ""}>
              <SolverChoice
                color={solverColor(solver, theme)}
                isChosen={solver === chosen}
                onChoose={() => onChoose(solver)}
              >
                {solverNames[solver]}
                {solverWord(solver, state).includes(":") && (
                  <small class="hint"> {solverWord(solver, state).split(":")[1]}</small>
                )}
              </SolverChoice>
              <td>{point === undefined ? "–" : shortNumber(Number(point.value.toPrecision(6)))}</td>
              <td>{runner?.best === undefined ? "–" : Number(runner.best.value.toPrecision(8))}</td>
              <td class="spare">{runner === undefined ? "–" : runner.passes.toFixed(1)}</td>
              <td data-status={runner?.status.kind}>{statusWord(runner)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function statusWord(runner: Runner | undefined): string {
  if (runner === undefined) return "–";
  const { status, answer } = runner;
  if (status.kind !== "done" || answer === undefined) return status.kind;
  const { status: how } = answer;
  return how === "max-iterations" || how === "max-evaluations" ? "at the limit" : how;
}
