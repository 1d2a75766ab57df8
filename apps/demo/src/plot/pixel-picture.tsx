import { useEffect, useRef } from "preact/hooks";

interface PixelPictureProps {
  readonly class: string;
  readonly label: string;
  readonly columns: number;
  readonly rows: number;
  /** Red, green, blue, alpha of each pixel, row by row; undefined for an empty picture. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer> | undefined;
}

/** A few pixels, as large as the style makes them. */
export function PixelPicture({ class: look, label, columns, rows, pixels }: PixelPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (pixels !== undefined) context?.putImageData(new ImageData(pixels, columns, rows), 0, 0);
  }, [pixels]);
  return <canvas ref={canvas} class={look} width={columns} height={rows} role="img" aria-label={label} />;
}

/** @param most - the value of full ink; 0 is the ground */
export function inkPixels(values: ArrayLike<number>, most: number): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * values.length);
  for (let k = 0; k < values.length; k++) {
    const grey = 255 - Math.round((255 * Math.min(most, Math.max(0, values[k]))) / most);
    pixels.set([grey, grey, grey, 255], 4 * k);
  }
  return pixels;
}
