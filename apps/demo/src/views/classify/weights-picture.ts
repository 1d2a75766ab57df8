/** The weights of a model of digits as a picture: one square for each pixel. */
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

/** The place of pixel k, and its colour. */
function* squares(frame: Frame, theme: Theme): Generator<readonly [number, number, string]> {
  const pixels = weightPixels(frame, theme);
  for (let k = 0; k < side * side; k++) {
    const [red, green, blue, alpha] = pixels.subarray(4 * k, 4 * k + 4);
    const color = `rgba(${red},${green},${blue},${(alpha / 255).toFixed(3)})`;
    yield [pixelSize * (k % side), pixelSize * Math.floor(k / side), color];
  }
}

const ground: Readonly<Record<Theme, string>> = { light: "#ffffff", dark: "#14171c" };
const length = side * pixelSize;

/** @param title - of our own words */
export function weightsSvg(frame: Frame, title: string, theme: Theme): string {
  const rects = Array.from(
    squares(frame, theme),
    ([x, y, color]) => `<rect x="${x}" y="${y}" width="${pixelSize}" height="${pixelSize}" fill="${color}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${length}" height="${length}" viewBox="0 0 ${length} ${length}">`,
    `<title>${title}</title>`,
    `<rect width="100%" height="100%" fill="${ground[theme]}"/>`,
    ...rects,
    "</svg>\n",
  ].join("\n");
}

export function weightsPng(frame: Frame, theme: Theme): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = length;
  canvas.height = length;
  const context = canvas.getContext("2d");
  if (context === null)
    return Promise.reject(new Error("This browser gives no canvas to draw the picture on."));
  context.fillStyle = ground[theme];
  context.fillRect(0, 0, length, length);
  for (const [x, y, color] of squares(frame, theme)) {
    context.fillStyle = color;
    context.fillRect(x, y, pixelSize, pixelSize);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error("The picture could not be made.")) : resolve(blob),
    );
  });
}
