/** How many groups there are: what each K costs, and what its BIC is. A finding, not a fact. */
import type { ClusterChoice } from "@curvature/optim-sdp";
import { useMemo } from "preact/hooks";
import { Panel } from "../../controls/panel.js";
import { LineChart } from "../../plot/line-chart.js";
import { classColor } from "../../plot/palette.js";
import { useTheme } from "../../shell/theme.js";
import { figure, percent } from "./bounds-panel.js";

export function ChoicePanel({ of: { clusters, table } }: { readonly of: ClusterChoice }) {
  const theme = useTheme();
  const lines = useMemo(
    () => [
      {
        name: "BIC",
        color: classColor(0, theme),
        x: table.map((row) => row.clusters),
        y: table.map(({ bic }) => (Number.isFinite(bic) ? bic : Number.NaN)),
      },
    ],
    [table, theme],
  );
  return (
    <Panel title="The number of groups">
      <p class="numbers bounds-words">
        {clusters === 1 ? (
          <>One group has the least BIC: no structure of clusters was found.</>
        ) : (
          <>
            <strong>{clusters} groups</strong> have the least BIC of {table.length} numbers that were tried.
          </>
        )}
      </p>
      <LineChart
        label="BIC against the number of groups; the table below has its numbers."
        lines={lines}
        xName="K"
        yName="BIC"
        height={170}
      />
      <div class="choice-table">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">K</th>
              <th scope="col">cost</th>
              <th scope="col">certified gap</th>
              <th scope="col">BIC</th>
              <th scope="col">silhouette</th>
            </tr>
          </thead>
          <tbody>
            {table.map((row) => (
              <tr key={row.clusters} aria-current={row.clusters === clusters ? "true" : undefined}>
                <td>{row.clusters}</td>
                <td>{figure(row.cost)}</td>
                <td>{percent(row.costGap)}</td>
                <td>{figure(row.bic)}</td>
                <td>{row.silhouette?.toFixed(3) ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">
        This is a finding, not a fact. BIC takes the points for round normal clouds of one width; rings and
        moons are none, and their groups are counted in pieces. The silhouette says how far apart groups lie,
        from −1 to 1.
      </p>
    </Panel>
  );
}
