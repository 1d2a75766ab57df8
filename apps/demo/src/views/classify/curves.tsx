import { useMemo } from "preact/hooks";
import { Panel } from "../../controls/panel.js";
import { usePaced } from "../../controls/use-paced.js";
import { type Line, LineChart } from "../../plot/line-chart.js";
import { lineLooks } from "../../plot/solver-looks.js";
import { useTheme } from "../../shell/theme.js";
import { solvers as looks, type SolverName } from "./options.js";
import type { Frame } from "./task.js";
import type { Training } from "./training.js";

interface CurvesProps {
  readonly training: Training | undefined;
  readonly solvers: readonly SolverName[];
}

/** Milliseconds between two drawings of the curves. */
const drawEvery = 200;

/** (P − P*)/P* below which a curve is drawn no further. */
const leastShare = 1e-7;

/** Primal cost against epochs, and the test error where there is a test. */
export function Curves({ training, solvers }: CurvesProps) {
  const theme = useTheme();
  const count = solvers.reduce((sum, solver) => sum + (training?.frames.get(solver)?.length ?? 0), 0);
  const drawn = usePaced(count, drawEvery);
  const [costs, errors] = useMemo(() => {
    const lines = (y: (frame: Frame) => number): Line[] =>
      solvers.map((solver) => {
        const frames = training?.frames.get(solver) ?? [];
        return {
          ...lineLooks(looks[solver], theme),
          x: frames.map(({ epoch }) => epoch),
          y: frames.map(y),
        };
      });
    const optimum = training?.optimum ?? Number.NaN;
    const above = ({ cost }: Frame): number => {
      const share = (cost - optimum) / optimum;
      return share > leastShare ? share : Number.NaN;
    };
    return [lines(above), lines(({ testError }) => 100 * (testError ?? Number.NaN))];
  }, [training, solvers.join(), theme, drawn]);
  const hasTest = training?.job.test !== undefined;
  const names = solvers.map((solver) => looks[solver].name).join(", ");
  return (
    <Panel title="Primal cost above the least, (P − P*) / P*">
      <LineChart
        label={`Primal cost above the least against epochs, on a logarithmic axis: ${names}. The table has the figures.`}
        lines={costs}
        xName="epochs"
        yName="(P − P*) / P*"
        isLogarithmic
      />
      {hasTest && (
        <>
          <h2>Errors on new rows, %</h2>
          <LineChart
            label={`Errors on the rows held out against epochs: ${names}. The table has the figures.`}
            lines={errors}
            xName="epochs"
            yName="errors, %"
          />
        </>
      )}
    </Panel>
  );
}
