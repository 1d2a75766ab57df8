import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Size, toPlane, toScreen } from "../../plot/camera.js";
import type { Looks } from "../../plot/coloring.js";
import { arrowOf } from "../../plot/cursor.js";
import { surfaceOf, useSquareCanvas } from "../../plot/use-square-canvas.js";
import { useTheme } from "../../shell/theme.js";
import { cameraOf, edgeOf, paintBoard } from "./board-painter.js";
import type { Place } from "./options.js";

/** What a press does: shows what Q says of a point, sets points along its way, moves a point, takes points away. */
export type BoardMode = "look" | "draw" | "move" | "erase";

interface BoardProps {
  readonly label: string;
  /** x0, y0, x1, y1, … */
  readonly places: Float64Array;
  readonly looks: Looks;
  readonly mode: BoardMode;
  /** How many more points may be drawn; 0 where these cannot be changed. */
  readonly room: number;
  readonly point: number | undefined;
  readonly onPoint: (point: number | undefined) => void;
  readonly onDraw: (places: readonly Place[]) => void;
  readonly onErase: (points: readonly number[]) => void;
  readonly onMove: (point: number, place: Place) => void;
  /** What is said of a point under the pointer. */
  readonly describe: (point: number) => ComponentChildren;
}

type Pair = readonly [number, number];

/** Of the cursor, as shares of the board. */
const steps = { coarse: 0.04, fine: 0.01 };
/** Pixels between the points of a stroke, and around an eraser or a pointer. */
const apart = 9;
const near = 14;

/** As far as a point may be moved, in sides of the board: the board then grows. */
const farthest = 3;

/** The plane with the points: drawn on by a pointer, or with the arrow keys, Enter and Delete. */
export function Board(props: BoardProps) {
  const { label, places, looks, mode, room, point, onPoint, onDraw, onErase, onMove, describe } = props;
  const square = useSquareCanvas();
  const { canvas, width } = square;
  const theme = useTheme();
  const [cursor, setCursor] = useState<Pair | undefined>();
  const [stroke, setStroke] = useState<readonly Pair[]>([]);
  const [isPressed, setPressed] = useState(false);
  /** The point that is being moved, and where it is. */
  const [moved, setMoved] = useState<{ readonly i: number; readonly to: Pair } | undefined>();
  const size: Size = { width, height: width };
  const edge = edgeOf(places);
  const camera = cameraOf(edge, size);

  useEffect(() => {
    const surface = surfaceOf(square);
    if (surface === undefined) return;
    const { element, context, density } = surface;
    const chosen: Pair | undefined =
      point === undefined || 2 * point >= places.length
        ? undefined
        : [places[2 * point], places[2 * point + 1]];
    const ink = getComputedStyle(element).color;
    const path = moved === undefined ? stroke : [moved.to];
    paintBoard(context, { size, density, camera, places, looks, stroke: path, cursor, chosen, ink });
  }, [places, looks, stroke, moved, cursor, point, width, theme]);

  /** The points within so many pixels, the nearest first. */
  const around = ([x, y]: Pair): readonly number[] => {
    const [px, py] = toScreen(camera, size, x, y);
    const found: { readonly i: number; readonly distance: number }[] = [];
    for (let i = 0; 2 * i < places.length; i++) {
      const [placeX, placeY] = moved?.i === i ? moved.to : [places[2 * i], places[2 * i + 1]];
      const [qx, qy] = toScreen(camera, size, placeX, placeY);
      const distance = Math.sqrt((px - qx) ** 2 + (py - qy) ** 2);
      if (distance <= near) found.push({ i, distance });
    }
    return found.sort((a, b) => a.distance - b.distance).map(({ i }) => i);
  };
  const within = (value: number, most = edge): number =>
    Math.round(Math.min(most, Math.max(-most, value)) * 1000) / 1000;
  const placeOf = (event: PointerEvent, most = edge): Pair => {
    const [x, y] = toPlane(camera, size, event.offsetX, event.offsetY);
    return [within(x, most), within(y, most)];
  };
  const canChange = room > 0 || mode === "erase" || mode === "move";

  const drop = (): void => {
    if (moved === undefined) return;
    const [x, y] = moved.to;
    onMove(moved.i, { x, y });
    setMoved(undefined);
  };
  const press = (event: PointerEvent & { readonly currentTarget: HTMLCanvasElement }): void => {
    setCursor(undefined);
    drop(); // what keys hold
    const place = placeOf(event);
    if (mode === "look" || !canChange) {
      onPoint(around(place)[0]);
      return;
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    setPressed(true);
    const [nearest] = around(place);
    if (mode === "draw") setStroke([place]);
    else if (mode === "erase") onErase(around(place));
    else if (nearest !== undefined) setMoved({ i: nearest, to: place });
  };
  const move = (event: PointerEvent): void => {
    const place = placeOf(event);
    if (!isPressed) {
      onPoint(around(place)[0]);
      return;
    }
    if (mode === "erase") {
      onErase(around(place));
      return;
    }
    if (mode === "move") {
      if (moved !== undefined) setMoved({ ...moved, to: placeOf(event, farthest * edge) });
      return;
    }
    const last = stroke.at(-1);
    if (last === undefined || stroke.length >= room) return;
    const [ax, ay] = toScreen(camera, size, ...last);
    const [bx, by] = toScreen(camera, size, ...place);
    if ((ax - bx) ** 2 + (ay - by) ** 2 >= apart * apart) setStroke([...stroke, place]);
  };
  const release = (): void => {
    setPressed(false);
    drop();
    if (stroke.length === 0) return;
    onDraw(stroke.slice(0, room).map(([x, y]) => ({ x, y })));
    setStroke([]);
  };
  const key = (event: KeyboardEvent): void => {
    const [x, y] = cursor ?? [0, 0];
    const by = arrowOf(event.key);
    const isPress = event.key === "Enter" || event.key === " ";
    if (by !== undefined) {
      const step = 2 * edge * (event.shiftKey ? steps.fine : steps.coarse);
      const most = moved === undefined ? edge : farthest * edge;
      const next: Pair = [within(x + step * by[0], most), within(y + step * by[1], most)];
      setCursor(next);
      if (moved === undefined) onPoint(around(next)[0]);
      else setMoved({ ...moved, to: next });
    } else if (isPress && event.repeat) {
      // A key that is held is one press.
    } else if (isPress && mode === "move") {
      const [nearest] = around([x, y]);
      setCursor([x, y]);
      if (moved !== undefined) drop();
      else if (nearest !== undefined) setMoved({ i: nearest, to: [x, y] });
    } else if (event.key === "Escape" && moved !== undefined) {
      setMoved(undefined);
    } else if (isPress && mode !== "erase" && room > 0) {
      onDraw([{ x, y }]);
      setCursor([x, y]);
    } else if ((isPress && mode === "erase") || event.key === "Delete" || event.key === "Backspace") {
      // Were another one erased, the point that is held would have another number.
      if (moved === undefined) onErase(around([x, y]).slice(0, 1));
    } else if (!isPress) return;
    event.preventDefault();
  };
  const leave = (): void => {
    drop();
    setCursor(undefined);
    onPoint(undefined);
  };
  return (
    <div class="disentangle-board">
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a board that takes presses and keys */}
      <canvas
        ref={canvas}
        class={`board-${mode}`}
        tabIndex={0}
        role="application"
        aria-label={label}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={release}
        onPointerLeave={() => !isPressed && onPoint(undefined)}
        onKeyDown={key}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && setCursor([0, 0])}
        onBlur={leave}
      />
      <div class="hint board-words" role="status">
        {moved === undefined ? (
          <>
            {cursor !== undefined && <span class="numbers">{`x ${cursor[0]}, y ${cursor[1]}. `}</span>}
            {point === undefined
              ? cursor === undefined &&
                "Point at one: the colours then say how much Q joins the others to it."
              : describe(point)}
          </>
        ) : (
          <>
            <span class="numbers">{`Point ${moved.i} to x ${moved.to[0]}, y ${moved.to[1]}. `}</span>
            {cursor !== undefined &&
              "Enter puts it down, and so does leaving the board (Tab); Escape leaves it where it was."}
          </>
        )}
      </div>
    </div>
  );
}
