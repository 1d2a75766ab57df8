import { useEffect, useRef, useState } from "preact/hooks";
import { arrowOf } from "../../plot/cursor.js";
import { shortNumber } from "../../plot/numbers.js";
import { classColor } from "../../plot/palette.js";
import { surfaceOf, useSquareCanvas } from "../../plot/use-square-canvas.js";
import { useTheme } from "../../shell/theme.js";
import { cellsOf, paintCells, paintHeatMap } from "./heat-map-painter.js";
import type { Still } from "./task.js";

interface HeatMapProps {
  readonly still: Still;
  readonly order: Int32Array;
  /** The point that stands out. */
  readonly point: number | undefined;
  readonly onPoint: (point: number | undefined) => void;
}

interface Cell {
  readonly row: number;
  readonly column: number;
}

/** Q as a picture; a cell tells its number under the pointer, or where the arrow keys have gone. */
export function HeatMap({ still, order, point, onPoint }: HeatMapProps) {
  const square = useSquareCanvas();
  const { canvas, width } = square;
  const cells = useRef<HTMLCanvasElement | undefined>(undefined);
  const theme = useTheme();
  const [cell, setCell] = useState<Cell | undefined>();
  const { levels, componentOf, components, top } = still;
  const n = order.length;
  const hasStrips = components > 1;

  useEffect(() => {
    cells.current ??= document.createElement("canvas");
    paintCells(cells.current, levels, order);
  }, [levels, order]);
  useEffect(() => {
    const surface = surfaceOf(square);
    if (surface === undefined || cells.current === undefined) return;
    paintHeatMap(surface.element, cells.current, {
      levels,
      order,
      colors: hasStrips ? Array.from(componentOf, (c) => classColor(c, theme)) : undefined,
      row: point === undefined ? undefined : order.indexOf(point),
      ink: "#ffffff",
    });
  }, [levels, order, width, theme, point, componentOf, hasStrips]);

  const show = (next: Cell | undefined): void => {
    setCell(next);
    onPoint(next === undefined ? undefined : order[next.row]);
  };
  const hover = (event: MouseEvent): void => {
    const { left, side } = cellsOf(width, hasStrips);
    const at = (offset: number): number =>
      Math.min(n - 1, Math.max(0, Math.floor(((offset - left) * n) / side)));
    show({ row: at(event.offsetY), column: at(event.offsetX) });
  };
  const key = (event: KeyboardEvent): void => {
    const move = arrowOf(event.key);
    if (event.key === "Escape") show(undefined);
    if (move === undefined) return;
    event.preventDefault();
    const stride = event.shiftKey ? 10 : 1;
    const at = (place: number, by: number): number => Math.min(n - 1, Math.max(0, place + stride * by));
    const { row, column } = cell ?? { row: 0, column: 0 };
    show({ row: at(row, -move[1]), column: at(column, move[0]) });
  };
  return (
    <div class="heat-map">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="img"
        aria-label={`Q as a heat map of ${n} times ${n} cells in ${components === 1 ? "one block" : `${components} blocks`}. Arrow keys go from cell to cell.`}
        onPointerMove={hover}
        onPointerLeave={() => show(undefined)}
        onKeyDown={key}
        onBlur={() => show(undefined)}
      />
      <p class="hint numbers" role="status">
        {cell === undefined
          ? `Entries from 0 to ${shortNumber(top)}; each row sums to 1.`
          : `Q of points ${order[cell.row]} and ${order[cell.column]}: ${shortNumber(entry(still, order[cell.row] * n + order[cell.column]))}`}
      </p>
    </div>
  );
}

/** Of 256 levels: good for two digits. */
const entry = ({ levels, top }: Still, k: number): number =>
  Number(((levels[k] / 255) ** 2 * top).toPrecision(2));
