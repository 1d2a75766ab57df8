import { useMemo } from "preact/hooks";
import { type Line, LineChart } from "../../plot/line-chart.js";
import { useTheme } from "../../shell/theme.js";
import { solverColor, solverDash } from "./looks.js";
import { type SolverName, solverNames } from "./options.js";
import type { Runner } from "./use-race.js";

interface CurvesProps {
  readonly runners: ReadonlyMap<SolverName, Runner>;
  readonly solvers: readonly SolverName[];
  /** The most that a solver may make; a last line search may have gone beyond. */
  readonly passes: number;
}

/** The part of F that is its rounding. */
const nothing = 1e-12;

/** Learning curves: F above the least that was found, against effective passes. */
export function Curves({ runners, solvers, passes: most }: CurvesProps) {
  const theme = useTheme();
  const curves = solvers.map((solver) => runners.get(solver)?.curve ?? []);
  const lengths = curves.map(({ length }) => length).join();
  const least = Math.min(
    ...solvers.map((solver) => runners.get(solver)?.best?.value ?? Number.POSITIVE_INFINITY),
  );
  const lines = useMemo(
    () =>
      solvers.map((solver, k): Line => {
        const drawn = curves[k].filter(({ passes }) => passes <= most + 1);
        const dash = solverDash[solver];
        return {
          name: solverNames[solver],
          color: solverColor(solver, theme),
          ...(dash === undefined ? {} : { dash }),
          x: drawn.map(({ passes }) => passes),
          y: drawn.map(({ value }) =>
            value - least > nothing * (1 + Math.abs(least)) ? value - least : Number.NaN,
          ),
        };
      }),
    [lengths, least, solvers.join(), theme, most],
  );
  const names = solvers.map((solver) => solverNames[solver]).join(", ");
  return (
    <section class="panel stack" aria-labelledby="sum-curves">
      <h2 id="sum-curves">Learning curves</h2>
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
    </section>
  );
}
