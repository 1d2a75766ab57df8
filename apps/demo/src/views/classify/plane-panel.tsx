/** The board with its tools: which class a press adds, or that it removes. */
import { useState } from "preact/hooks";
import { classColor } from "../../plot/palette.js";
import { useTheme } from "../../shell/theme.js";
import type { ViewProps } from "../../shell/view.js";
import { Board } from "./board.js";
import type { Border } from "./board-painter.js";
import { type ClassifyState, type ClassName, classNames, mostAdded } from "./options.js";
import type { Plane } from "./plane.js";

interface PlanePanelProps extends ViewProps<ClassifyState> {
  readonly plane: Plane;
  readonly borders: readonly Border[];
}

type Tool = ClassName | "remove";

/** How far from a press a point may be that it removes, in units of the board. */
const reach = 0.15;

export function PlanePanel({ state, update, plane, borders }: PlanePanelProps) {
  const theme = useTheme();
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
          <button
            key={name}
            type="button"
            class="quiet small"
            aria-pressed={tool === name}
            onClick={() => setTool(name)}
          >
            <span
              class="legend-mark"
              style={
                k === 0
                  ? { background: classColor(k, theme) }
                  : { border: `2px solid ${classColor(k, theme)}` }
              }
            />
            Add {name}
          </button>
        ))}
        <button
          type="button"
          class="quiet small"
          aria-pressed={tool === "remove"}
          disabled={added.length === 0}
          onClick={() => setTool("remove")}
        >
          Remove
        </button>
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
        onPress={press}
        onDelete={remove}
      />
      {isFull && <p class="hint">{mostAdded} points of one's own are the most that a link can hold.</p>}
    </>
  );
}
