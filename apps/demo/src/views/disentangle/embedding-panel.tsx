import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Panel } from "../../controls/panel.js";
import { Toggles } from "../../controls/toggles.js";
import type { Looks } from "../../plot/coloring.js";
import { Scatter } from "../../plot/scatter.js";
import type { Still } from "./task.js";

interface EmbeddingPanelProps {
  readonly still: Still | undefined;
  readonly looks: Looks;
  readonly onPoint: (point: number | undefined) => void;
  readonly describe: (point: number) => ComponentChildren;
}

const sides = { apart: "Each by itself", together: "Together" };
const nowhere = new Float64Array(0);

/** The points by the eigenvectors of Q: all together, or each component by itself. */
export function EmbeddingPanel({ still, looks, onPoint, describe }: EmbeddingPanelProps) {
  const [side, setSide] = useState<keyof typeof sides>("apart");
  const isTogether = side === "together" || still?.apart === undefined;
  return (
    <Panel title="Embedding by Q">
      <Scatter
        label="The points by the leading eigenvectors of Q. Arrows move the picture, plus and minus zoom, 0 shows all, comma and full stop go from point to point."
        positions={(isTogether ? undefined : still?.apart) ?? still?.embedding ?? nowhere}
        looks={looks}
        mode="pan"
        describe={(i) => (
          <Pointed point={i} onPoint={onPoint}>
            {describe(i)}
          </Pointed>
        )}
        onLasso={() => undefined}
      />
      <p class="hint">
        {isTogether
          ? "By the leading eigenvectors of Q; a colour for each component."
          : "Each component by the leading eigenvectors of its block of Q."}
      </p>
      {still?.apart !== undefined && (
        <div class="row">
          <Toggles names={sides} value={side} onChange={setSide} />
        </div>
      )}
    </Panel>
  );
}

interface PointedProps {
  readonly point: number;
  readonly onPoint: (point: number | undefined) => void;
  readonly children: ComponentChildren;
}

/** Tells of the point under the pointer as long as its words are shown. */
function Pointed({ point, onPoint, children }: PointedProps) {
  useEffect(() => {
    onPoint(point);
    return () => onPoint(undefined);
  }, [point]);
  return <>{children}</>;
}
