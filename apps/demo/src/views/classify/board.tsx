import { useEffect, useMemo, useState } from "preact/hooks";
import { pointRadius, toPlane } from "../../plot/camera.js";
import { paintPoints } from "../../plot/canvas-painter.js";
import type { Looks } from "../../plot/coloring.js";
import { arrowOf } from "../../plot/cursor.js";
import { channelsOf, classColor } from "../../plot/palette.js";
import { surfaceOf, useSquareCanvas } from "../../plot/use-square-canvas.js";
import { useTheme } from "../../shell/theme.js";
import { type Border, boardCamera, paintBoard } from "./board-painter.js";
import { edge } from "./options.js";
import type { Plane } from "./plane.js";

interface BoardProps {
  readonly label: string;
  readonly plane: Plane;
  readonly borders: readonly Border[];
  /** What changes the points; undefined where they are only looked at. */
  readonly hand: Hand | undefined;
}

interface Hand {
  /** A press, or a key, at a place in units of the board. */
  press(x: number, y: number): void;
  /** Delete, at a place. */
  remove(x: number, y: number): void;
}

const steps = { coarse: 0.1, fine: 0.02 };

/** Places have two decimals, so that links stay short. */
const rounded = (value: number): number => Math.round(Math.min(edge, Math.max(-edge, value)) * 100) / 100;

/** The plane with its points, on which one may set more: by a press, or with the arrow keys and Enter. */
export function Board({ label, plane, borders, hand }: BoardProps) {
  const square = useSquareCanvas();
  const { canvas, width } = square;
  const points = useMemo(() => document.createElement("canvas"), []);
  const theme = useTheme();
  const [cursor, setCursor] = useState<readonly [number, number] | undefined>();
  const size = { width, height: width };

  // The points stay while the borders turn: thousands of them are not drawn anew in every frame.
  useEffect(() => {
    const surface = surfaceOf(square);
    const context = points.getContext("2d");
    if (surface === undefined || context === null) return;
    const { places } = plane;
    points.width = surface.element.width;
    points.height = surface.element.height;
    const radius = pointRadius(places.length / 2, size);
    const frame = { camera: boardCamera(size), size, density: surface.density, radius };
    paintPoints(context, places, looksOf(plane, theme), frame);
  }, [plane, theme, width]);
  useEffect(() => {
    const surface = surfaceOf(square);
    if (surface === undefined) return;
    const { element, context, density } = surface;
    const { color: ink, borderTopColor: grid } = getComputedStyle(element);
    paintBoard(context, {
      size,
      density,
      points,
      borders,
      sides: [classColor(0, theme), classColor(1, theme)],
      ink,
      grid,
      cursor,
    });
  });

  if (hand === undefined)
    return <canvas ref={canvas} class="board board-still" role="img" aria-label={label} />;
  const press = (event: MouseEvent): void => {
    const [x, y] = toPlane(boardCamera(size), size, event.offsetX, event.offsetY);
    setCursor(undefined);
    hand.press(rounded(x), rounded(y));
  };
  const key = (event: KeyboardEvent): void => {
    const [x, y] = cursor ?? [0, 0];
    const move = arrowOf(event.key);
    if (move !== undefined) {
      const step = event.shiftKey ? steps.fine : steps.coarse;
      setCursor([rounded(x + step * move[0]), rounded(y + step * move[1])]);
    } else if (event.key === "Enter" || event.key === " ") {
      hand.press(x, y);
      setCursor([x, y]);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      hand.remove(x, y);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a board that takes presses and keys */}
      <canvas
        ref={canvas}
        class="board"
        tabIndex={0}
        role="application"
        aria-label={label}
        onClick={press}
        onKeyDown={key}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && setCursor([0, 0])}
        onBlur={() => setCursor(undefined)}
      />
      <span class="visually-hidden" role="status">
        {cursor !== undefined && `x ${cursor[0]}, y ${cursor[1]}`}
      </span>
    </>
  );
}

/** The first class as discs, the second as rings, so that colour is not the only difference. */
function looksOf({ labels, classes }: Plane, theme: "light" | "dark"): Looks {
  const colors = new Uint8Array(4 * labels.length);
  labels.forEach((label, i) => {
    colors.set([...channelsOf(classColor(classes.indexOf(label), theme)), 235], 4 * i);
  });
  return { colors, shapes: Uint8Array.from(labels, (label) => classes.indexOf(label)) };
}
