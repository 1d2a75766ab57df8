import { useMemo } from "preact/hooks";
import { Panel } from "../../controls/panel.js";
import { type Line, LineChart } from "../../plot/line-chart.js";
import { lineLooks } from "../../plot/solver-looks.js";
import { useTheme } from "../../shell/theme.js";
import { solvers as looks, type SolverName } from "./options.js";
import type { SolverRun } from "./use-race.js";

interface CurvesProps {
  readonly runs: ReadonlyMap<SolverName, SolverRun>;
  readonly solvers: readonly SolverName[];
  /** The most that a solver may make; a last line search may have gone beyond. */
  readonly passes: number;
}

/** The part of F that is its rounding. */
const nothing = 1e-12;

/** Learning curves: F above the least that was found, against effective passes. */
export function Curves({ runs, solvers, passes: most }: CurvesProps) {
  const theme = useTheme();
  const curves = solvers.map((solver) => runs.get(solver)?.curve ?? []);
  const lengths = curves.map(({ length }) => length).join();
  const least = Math.min(
    ...solvers.map((solver) => runs.get(solver)?.best?.value ?? Number.POSITIVE_INFINITY),
  );
  const lines = useMemo(
    () =>
      solvers.map((solver, k): Line => {
        const drawn = curves[k].filter(({ passes }) => passes <= most + 1);
        return {
          ...lineLooks(looks[solver], theme),
          x: drawn.map(({ passes }) => passes),
          y: drawn.map(({ value }) =>
            value - least > nothing * (1 + Math.abs(least)) ? value - least : Number.NaN,
          ),
        };
      }),
    [lengths, least, solvers.join(), theme, most],
  );
  const names = solvers.map((solver) => looks[solver].name).join(", ");
  return (
    <Panel title="Learning curves">
      <LineChart
        label={`F above the least that was found, against effective passes, on a logarithmic axis: ${names}. The table has the figures.`}
        lines={lines}
        xName="effective passes"
        yName="F − least found"
        isLogarithmic
      />
      <p class="hint">
        A pass is as many evaluations as there are functions. Where a curve ends early, its solver had ended,
        or had found the least.
      </p>
    </Panel>
  );
}
