/** The weights of a model of digits as a picture: one square for each pixel. */
import { svgOf } from "../../export/svg.js";
import { channelsOf, classColor } from "../../plot/palette.js";
import type { Theme } from "../../shell/theme.js";
import type { Frame } from "./task.js";

/** Pixels of a digit in a row. */
export const side = 8;
const pixelSize = 40;

/** Red, green, blue, alpha of every pixel: the first class's colour where ink speaks for it, the second's where against. */
export function weightPixels({ parameters }: Frame, theme: Theme): Uint8ClampedArray<ArrayBuffer> {
  const weights = parameters.subarray(0, side * side);
  const most = weights.reduce((greatest, w) => Math.max(greatest, Math.abs(w)), 1e-300);
  const pixels = new Uint8ClampedArray(4 * weights.length);
  weights.forEach((w, k) => {
    const color = channelsOf(classColor(w < 0 ? 0 : 1, theme));
    pixels.set([...color, 255 * Math.sqrt(Math.abs(w) / most)], 4 * k);
  });
  return pixels;
}

/** @param title - of our own words */
export function weightsSvg(frame: Frame, title: string, theme: Theme): string {
  const length = side * pixelSize;
  const pixels = weightPixels(frame, theme);
  const rects = Array.from({ length: side * side }, (_, k) => {
    const [red, green, blue, alpha] = pixels.subarray(4 * k, 4 * k + 4);
    const [x, y] = [pixelSize * (k % side), pixelSize * Math.floor(k / side)];
    return `<rect x="${x}" y="${y}" width="${pixelSize}" height="${pixelSize}" fill="rgba(${red},${green},${blue},${(alpha / 255).toFixed(3)})"/>`;
  });
  return svgOf({ box: [0, 0, length, length], title, theme }, rects);
}
