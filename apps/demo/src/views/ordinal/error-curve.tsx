import { LineChart } from "../../plot/line-chart.js";
import { classColor } from "../../plot/palette.js";
import { useTheme } from "../../shell/theme.js";
import type { Trace } from "./use-mapping.js";

/** Fewer maps are no curve. */
const leastMaps = 3;

/** What more answers have brought: errors against their number. */
export function ErrorCurve({ trail }: { readonly trail: readonly Trace[] }) {
  const theme = useTheme();
  if (trail.length < leastMaps) return null;
  const x = trail.map(({ trained }) => trained);
  const percentOf = (share: number | undefined): number => 100 * (share ?? Number.NaN);
  return (
    <LineChart
      label={`Errors of the maps so far, in per cent, against the answers fitted: from ${x[0]} to ${x[x.length - 1]}.`}
      lines={[
        {
          name: "held out",
          color: classColor(0, theme),
          x,
          y: trail.map(({ testError }) => percentOf(testError)),
        },
        {
          name: "fitted",
          color: classColor(6, theme),
          dash: [6, 4],
          x,
          y: trail.map(({ trainingError }) => percentOf(trainingError)),
        },
      ]}
      xName="answers fitted"
      yName="wrong, %"
      height={150}
    />
  );
}
