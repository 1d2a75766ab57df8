import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Looks } from "./coloring.js";
import { type PointerMode, ScatterCanvas } from "./scatter-canvas.js";
import "./scatter.css";

export interface ScatterProps {
  /** What the picture shows, for who does not see it. */
  readonly label: string;
  /** x0, y0, x1, y1, …; a new array object for new positions. */
  readonly positions: ArrayLike<number>;
  readonly looks: Looks;
  readonly mode: PointerMode;
  /** What is said of a point under the pointer. */
  readonly describe: (point: number) => ComponentChildren;
  /** The points in a lasso; none after an empty one. */
  readonly onLasso: (points: Int32Array) => void;
}

interface Hover {
  readonly point: number;
  readonly x: number;
  readonly y: number;
  /** Whether the words go to the left of the point, and below it. */
  readonly isLeft: boolean;
  readonly isBelow: boolean;
}

/**
 * Many points that one can zoom, pan, hover and lasso: by drag and (once it has the focus) wheel, by two fingers, or by keys (arrows, + and −,
 * 0 for all, comma and full stop from point to point).
 */
export function Scatter({ label, positions, looks, mode, describe, onLasso }: ScatterProps) {
  const host = useRef<HTMLDivElement>(null);
  const points = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const plot = useRef<ScatterCanvas | undefined>(undefined);
  const heard = useRef(onLasso);
  heard.current = onLasso;
  const [hover, setHover] = useState<Hover | undefined>();
  const [generation, setGeneration] = useState(0);

  useEffect(() => {
    if (host.current === null || points.current === null || overlay.current === null) return undefined;
    const element = host.current;
    const events = {
      onHover: (point: number, x: number, y: number): void =>
        setHover(
          point < 0
            ? undefined
            : { point, x, y, isLeft: x > element.clientWidth / 2, isBelow: y < element.clientHeight / 2 },
        ),
      onLasso: (chosen: Int32Array): void => heard.current(chosen),
    };
    const made = new ScatterCanvas(element, points.current, overlay.current, events, () =>
      setGeneration((n) => n + 1),
    );
    plot.current = made;
    return () => {
      plot.current = undefined;
      made.dispose();
    };
  }, [generation]);
  useEffect(() => plot.current?.setLooks(looks), [looks, generation]);
  useEffect(() => plot.current?.setPositions(positions), [positions, generation]);
  useEffect(() => {
    if (plot.current !== undefined) plot.current.mode = mode;
  }, [mode, generation]);

  return (
    <div class="scatter">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the picture is moved by keys */}
      <div class={`scatter-host scatter-${mode}`} ref={host} tabIndex={0} role="img" aria-label={label}>
        <canvas key={generation} ref={points} />
        <canvas ref={overlay} />
      </div>
      <div class="scatter-tools">
        <button
          type="button"
          class="quiet small"
          aria-label="Zoom in"
          onClick={() => plot.current?.zoom(1.5)}
        >
          +
        </button>
        <button
          type="button"
          class="quiet small"
          aria-label="Zoom out"
          onClick={() => plot.current?.zoom(1 / 1.5)}
        >
          −
        </button>
        <button type="button" class="quiet small" aria-label="Show all" onClick={() => plot.current?.reset()}>
          ⤢
        </button>
      </div>
      <div class="scatter-hover" role="status">
        {hover !== undefined && (
          <div
            class="scatter-words"
            style={{
              left: `${hover.x}px`,
              top: `${hover.y}px`,
              transform: `translate(${hover.isLeft ? "calc(-100% - 12px)" : "12px"}, ${hover.isBelow ? "12px" : "calc(-100% - 12px)"})`,
            }}
          >
            {describe(hover.point)}
          </div>
        )}
      </div>
    </div>
  );
}
