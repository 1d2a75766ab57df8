/** The board with its tools: which class a press adds, or that it removes; of a file, what its marks mean. */
import { useState } from "preact/hooks";
import { Toggle } from "../../controls/toggles.js";
import { classColor } from "../../plot/palette.js";
import { useTheme } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import { Board } from "./board.js";
import type { Border } from "./board-painter.js";
import { type ClassifyState, type ClassName, classNames, mostAdded } from "./options.js";
import type { Plane } from "./plane.js";

interface PlanePanelProps extends ViewProps<ClassifyState> {
  readonly plane: Plane;
  /** Of the axes. */
  readonly columns: readonly string[];
  readonly borders: readonly Border[];
}

type Tool = ClassName | "remove";

/** How far from a press a point may be that it removes, in units of the board. */
const reach = 0.15;

export function PlanePanel(props: PlanePanelProps) {
  return props.state.data === "file" ? <FilePanel {...props} /> : <DrawnPanel {...props} />;
}

function DrawnPanel({ state, update, plane, borders }: PlanePanelProps) {
  const [tool, setTool] = useState<Tool>("b");
  const { added } = state;
  const isFull = added.length >= mostAdded;
  const remove = (x: number, y: number): void => {
    const distances = added.map((point) => (point.x - x) ** 2 + (point.y - y) ** 2);
    const nearest = distances.indexOf(Math.min(...distances));
    if (nearest >= 0 && distances[nearest] <= reach * reach) update({ added: added.toSpliced(nearest, 1) });
  };
  const press = (x: number, y: number): void => {
    if (tool === "remove") remove(x, y);
    else if (!isFull) update({ added: [...added, { x, y, label: tool }] });
  };
  return (
    <>
      <div class="row">
        {classNames.map((name, k) => (
          <Toggle key={name} isOn={tool === name} onClick={() => setTool(name)}>
            <ClassMark place={k} />
            Add {name}
          </Toggle>
        ))}
        <Toggle isOn={tool === "remove"} disabled={added.length === 0} onClick={() => setTool("remove")}>
          Remove
        </Toggle>
        {added.length > 0 && (
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              setTool(tool === "remove" ? "b" : tool);
              update({ added: [] });
            }}
          >
            Clear yours ({added.length})
          </button>
        )}
      </div>
      <Board
        label={`${plane.labels.length} points of two classes, and ${borders.length} borders. Press to add a point; or move with the arrow keys and press Enter to add, Delete to remove one of yours.`}
        plane={plane}
        borders={borders}
        hand={{ press, remove }}
      />
      {isFull && <p class="hint">{mostAdded} points of one's own are the most that a link can hold.</p>}
    </>
  );
}

function FilePanel({ plane, columns: [x, y], borders }: PlanePanelProps) {
  const count = (name: string): number => plane.labels.filter((label) => label === name).length;
  return (
    <>
      <p class="row">
        {plane.classes.map((name, k) => (
          <span key={name}>
            <ClassMark place={k} />
            {name} <span class="hint numbers">{count(name)}</span>
          </span>
        ))}
      </p>
      <Board
        label={`${plane.labels.length} rows of ${plane.classes.join(" and ")} by ${x} and ${y}, and ${borders.length} borders.`}
        plane={plane}
        borders={borders}
        hand={undefined}
      />
      <p class="hint">
        {x} to the right, {y} upwards, each in units of its standard deviation, around its mean. The rows held
        out are not drawn.
      </p>
    </>
  );
}

/** A disc for the first class, a ring for the second. */
function ClassMark({ place }: { readonly place: number }) {
  const color = classColor(place, useTheme());
  return (
    <span
      class="legend-mark"
      style={place === 0 ? { background: color } : { border: `2px solid ${color}` }}
    />
  );
}
