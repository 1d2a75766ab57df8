/** How far the labels are from the best possible ones: another gap than that of Q. */
import { Panel } from "../../controls/panel.js";
import { figure, percent } from "./bounds-panel.js";
import type { LabelCost } from "./task.js";

/** Gaps of it are those of rounding. */
const rounding = 1e-9;

/** Rounded down: a bound that is rounded up is none. */
function figureBelow(value: number): string {
  const shown = Number(value.toPrecision(6));
  return shown <= value ? figure(value) : figure(shown - 10 ** (Math.floor(Math.log10(value)) - 5));
}

export const LabelCostPanel = ({
  of: { clusters, cost, costLower, costGap },
}: {
  readonly of: LabelCost;
}) => (
  <Panel title="The bound of the labels">
    <p class="numbers bounds-words">
      {costGap <= rounding ? (
        <>
          No clustering into {clusters} groups costs less than this one, {figure(cost)}, by more than{" "}
          {rounding} of it: it is proved best.
        </>
      ) : (
        <>
          No clustering into {clusters} groups costs less than {figureBelow(costLower)}; this one costs{" "}
          {figure(cost)}. <strong>Certified gap {percent(costGap)}</strong>
        </>
      )}
    </p>
    <p class="hint">
      The cost is the sum of the squared distances of the points from the means of their groups, which k-means
      minimises. Its gap is not that of Q: the value of Q holds the distances between groups too, so that with
      one far point a gap of Q of 0.001 % leaves the labels of all others free. Move a point far away to see
      both.
    </p>
  </Panel>
);
