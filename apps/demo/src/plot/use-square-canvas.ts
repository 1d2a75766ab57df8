import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface SquareCanvas {
  readonly canvas: RefObject<HTMLCanvasElement>;
  /** Its side in CSS pixels; 0 before it is laid out. */
  readonly width: number;
}

/** A canvas that is as high as it is wide, and knows when that changes. */
export function useSquareCanvas(): SquareCanvas {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { canvas, width };
}

export interface Surface {
  readonly element: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  /** Device pixels per CSS pixel. */
  readonly density: number;
}

/** The canvas with a pixel for every one of the display; undefined where nothing can be drawn. */
export function surfaceOf({ canvas, width }: SquareCanvas): Surface | undefined {
  const element = canvas.current;
  const context = element?.getContext("2d");
  if (element === null || context === null || context === undefined || width === 0) return undefined;
  const density = window.devicePixelRatio;
  const pixels = Math.round(width * density);
  if (element.width !== pixels) {
    element.width = pixels;
    element.height = pixels;
  }
  return { element, context, density };
}
