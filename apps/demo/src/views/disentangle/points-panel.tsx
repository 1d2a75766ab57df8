import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Panel } from "../../controls/panel.js";
import { Toggles } from "../../controls/toggles.js";
import type { Looks } from "../../plot/coloring.js";
import type { ViewProps } from "../../shell/view.js";
import { Board, type BoardMode } from "./board.js";
import { type DisentangleState, mostPoints, type Place } from "./options.js";
import { type PointSet, placesOf } from "./points.js";

interface PointsPanelProps extends ViewProps<DisentangleState> {
  readonly set: PointSet | undefined;
  readonly looks: Looks;
  readonly point: number | undefined;
  readonly onPoint: (point: number | undefined) => void;
  readonly describe: (point: number) => ComponentChildren;
}

const nowhere = new Float64Array(0);
const modeNames: Readonly<Record<BoardMode, string>> = {
  look: "Look",
  draw: "Draw",
  move: "Move",
  erase: "Erase",
};

/** The points, and what draws them: a set that is drawn on is one's own from then on. */
export function PointsPanel({ state, update, set, looks, point, onPoint, describe }: PointsPanelProps) {
  const [mode, setMode] = useState<BoardMode>("look");
  const count = set?.dataset.points.rows ?? 0;
  const canDraw = state.data !== "digits";
  const drawn = (): readonly Place[] => placesOf(set);
  const draw = (added: readonly Place[]): void =>
    update({ data: "drawn", drawn: [...drawn(), ...added].slice(0, mostPoints) });
  const erase = (points: readonly number[]): void => {
    if (points.length > 0 && canDraw)
      update({ data: "drawn", drawn: drawn().filter((_, i) => !points.includes(i)) });
  };
  const move = (point: number, place: Place): void =>
    update({ data: "drawn", drawn: drawn().map((each, i) => (i === point ? place : each)) });
  return (
    <Panel title="Points" beside={<span class="hint numbers">{count}</span>}>
      <Board
        label={`${count} points${state.data === "digits" ? ", by their two leading principal components" : ""}. ${canDraw ? "Arrow keys move a cursor, Enter sets a point there, or in Move takes a point and puts it down, and in Erase takes one away, as Delete does." : "Arrow keys move a cursor."}`}
        places={set?.places ?? nowhere}
        looks={looks}
        mode={canDraw ? mode : "look"}
        room={canDraw ? mostPoints - count : 0}
        point={point}
        onPoint={onPoint}
        onDraw={draw}
        onErase={erase}
        onMove={move}
        describe={describe}
      />
      {canDraw && (
        <div class="row">
          <Toggles names={modeNames} value={mode} onChange={setMode} />
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              setMode("draw");
              update({ data: "drawn", drawn: [] });
            }}
          >
            Clear
          </button>
        </div>
      )}
    </Panel>
  );
}
