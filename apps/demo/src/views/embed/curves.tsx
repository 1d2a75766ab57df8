import { useEffect, useState } from "preact/hooks";
import { SelectField } from "../../controls/fields.js";
import { type Line, LineChart } from "../../plot/line-chart.js";
import { classColor } from "../../plot/palette.js";
import { useTheme } from "../../shell/theme.js";
import { axes, type EmbedState, paneTitle } from "./options.js";
import type { PaneRun } from "./pane-run.js";
import type { CurvePoint } from "./task.js";

interface CurvesProps {
  readonly state: EmbedState;
  readonly runs: readonly (PaneRun | undefined)[];
  readonly isRunning: boolean;
  readonly onAxis: (axis: EmbedState["axis"]) => void;
}

const dashes = [undefined, [8, 4], [2, 4], [10, 4, 2, 4]];
/** Points of a curve beyond which only some are drawn. */
const mostDrawn = 1000;
/** Milliseconds between two drawings of the curves. */
const drawEvery = 200;

/** Learning curves: one for each pane, against iterations, seconds or evaluations. */
export function Curves({ state, runs, isRunning, onAxis }: CurvesProps) {
  const theme = useTheme();
  const { axis, panes } = state;
  const [tick, setTick] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setTick((n) => n + 1), drawEvery);
    return () => clearInterval(timer);
  }, [isRunning]);
  const isDivergence = panes.every(
    ({ method }) => method === "tsne" || method === "ssne" || method === "sne",
  );
  const [lines, setLines] = useState<readonly Line[]>([]);
  useEffect(() => {
    setLines(
      runs.map((run, k) => ({
        name: `${k + 1}. ${paneTitle(panes[k])}`,
        color: classColor([0, 6, 4, 3][k], theme),
        ...dash(k),
        ...curveOf(run?.curve ?? [], axis, isDivergence),
      })),
    );
  }, [tick, isRunning, axis, panes, theme]);
  const yName = isDivergence ? "KL divergence" : "E at its λ";
  return (
    <section class="panel stack" aria-labelledby="curves-title">
      <div class="row spread">
        <h2 id="curves-title">Learning curves</h2>
        <SelectField
          label="Against"
          value={axis}
          options={axes.map((value) => ({ value, name: value }))}
          onChange={onAxis}
        />
      </div>
      <LineChart
        label={`${yName} against ${axis}: ${panes.map(paneTitle).join("; ")}. The figures under the maps say where each ended.`}
        lines={lines}
        xName={axis}
        yName={yName}
      />
      {!isDivergence && panes.some(({ method }) => method !== panes[0].method) && (
        <p class="hint">E of different methods cannot be compared: look at the form of the curves.</p>
      )}
    </section>
  );
}

function dash(k: number): Pick<Line, "dash"> {
  const pattern = dashes[k % dashes.length];
  return pattern === undefined ? {} : { dash: pattern };
}

function curveOf(
  curve: readonly CurvePoint[],
  axis: EmbedState["axis"],
  isDivergence: boolean,
): Pick<Line, "x" | "y"> {
  const stride = Math.ceil(curve.length / mostDrawn);
  const drawn = stride <= 1 ? curve : curve.filter((_, k) => k % stride === 0 || k === curve.length - 1);
  const x = drawn.map((point) =>
    axis === "seconds" ? point.seconds : axis === "evaluations" ? point.evaluations : point.iteration,
  );
  const y = drawn.map((point) => (isDivergence ? (point.klDivergence ?? Number.NaN) : point.energy));
  return { x, y };
}
