import { SolverTable } from "../../controls/solver-table.js";
import { shortNumber } from "../../plot/numbers.js";
import { solvers as looks, type SolverName, type SumState, solverWord } from "./options.js";
import type { SolverRun } from "./use-race.js";

interface FiguresProps {
  readonly state: SumState;
  readonly solvers: readonly SolverName[];
  readonly runs: ReadonlyMap<SolverName, SolverRun>;
  /** The pass that is shown. */
  readonly position: number;
  readonly chosen: SolverName;
  readonly onChoose: (solver: SolverName) => void;
}

/** What every solver had come to at the pass that is shown, and how it ended. */
export function Figures({ state, runs, position, ...props }: FiguresProps) {
  const value = (solver: SolverName): string => {
    const point = runs.get(solver)?.curve.findLast(({ passes }) => passes <= position + 1e-9);
    return point === undefined ? "–" : shortNumber(Number(point.value.toPrecision(6)));
  };
  const least = (solver: SolverName): string => {
    const best = runs.get(solver)?.best;
    return best === undefined ? "–" : String(Number(best.value.toPrecision(8)));
  };
  return (
    <SolverTable
      caption={`The solvers after ${position.toFixed(1)} passes`}
      looks={looks}
      aside={(solver) => solverWord(solver, state).split(":")[1]}
      columns={[
        { head: "F", cell: value },
        { head: "least", cell: least },
        { head: "passes", isSpare: true, cell: (solver) => runs.get(solver)?.passes.toFixed(1) ?? "–" },
        {
          head: "ended",
          status: (solver) => runs.get(solver)?.status.kind,
          cell: (solver) => statusWord(runs.get(solver)),
        },
      ]}
      {...props}
    />
  );
}

function statusWord(run: SolverRun | undefined): string {
  if (run === undefined) return "–";
  const { status, answer } = run;
  if (status.kind !== "done" || answer === undefined) return status.kind;
  const { status: how } = answer;
  return how === "max-iterations" || how === "max-evaluations" ? "at the limit" : how;
}
