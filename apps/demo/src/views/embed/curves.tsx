import { useMemo } from "preact/hooks";
import { FieldControl } from "../../controls/declared.js";
import { Panel } from "../../controls/panel.js";
import { usePaced } from "../../controls/use-paced.js";
import { type Line, LineChart } from "../../plot/line-chart.js";
import { classColor } from "../../plot/palette.js";
import { useTheme } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import { type EmbedState, fields, paneTitle } from "./options.js";
import type { PaneRun } from "./pane-run.js";
import type { CurvePoint } from "./task.js";

interface CurvesProps extends ViewProps<EmbedState> {
  readonly runs: readonly (PaneRun | undefined)[];
}

const dashes = [undefined, [8, 4], [2, 4], [10, 4, 2, 4]];
/** Points of a curve beyond which only some are drawn. */
const mostDrawn = 1000;
/** Milliseconds between two drawings of the curves. */
const drawEvery = 200;

/** Learning curves: one for each pane, against iterations, seconds or evaluations. */
export function Curves({ runs, ...view }: CurvesProps) {
  const theme = useTheme();
  const { axis, panes } = view.state;
  const isDivergence = panes.every(
    ({ method }) => method === "tsne" || method === "ssne" || method === "sne",
  );
  const drawn = usePaced(runs.map((run) => run?.curve.length).join(), drawEvery);
  const lines = useMemo(
    () =>
      runs.map((run, k) => ({
        name: `${k + 1}. ${paneTitle(panes[k])}`,
        color: classColor([0, 6, 4, 3][k], theme),
        dash: dashes[k % dashes.length],
        ...curveOf(run?.curve ?? [], axis, isDivergence),
      })),
    [drawn, axis, panes, theme],
  );
  const yName = isDivergence ? "KL divergence" : "E at its λ";
  return (
    <Panel title="Learning curves" beside={<FieldControl fields={fields} name="axis" {...view} />}>
      <LineChart
        label={`${yName} against ${axis}: ${panes.map(paneTitle).join("; ")}. The figures under the maps say where each ended.`}
        lines={lines}
        xName={axis}
        yName={yName}
      />
      {!isDivergence && panes.some(({ method }) => method !== panes[0].method) && (
        <p class="hint">E of different methods cannot be compared: look at the form of the curves.</p>
      )}
    </Panel>
  );
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
