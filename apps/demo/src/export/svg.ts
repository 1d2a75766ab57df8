/** Pictures to keep are SVG; PNG is made of it. */
import type { Theme } from "../shell/theme.js";

const ground: Readonly<Record<Theme, string>> = { light: "#ffffff", dark: "#14171c" };
export const ink: Readonly<Record<Theme, string>> = { light: "#1b1f24", dark: "#e8eaed" };

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? c);

export const digits = (value: number): string => String(Math.round(value * 100) / 100);

interface SvgFrame {
  /** left, top, width, height */
  readonly box: readonly [number, number, number, number];
  /** Pixels of a unit. */
  readonly scale?: number;
  readonly title: string;
  readonly theme: Theme;
  readonly fontSize?: number;
}

/** A picture of these parts on the theme's ground. */
export function svgOf(
  { box, scale = 1, title, theme, fontSize = 13 }: SvgFrame,
  parts: readonly string[],
): string {
  const [left, top, width, height] = box;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${scale * width}" height="${scale * height}" viewBox="${box.join(" ")}" font-family="system-ui, sans-serif" font-size="${fontSize}" fill="${ink[theme]}">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="${left}" y="${top}" width="100%" height="100%" fill="${ground[theme]}"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** The picture as the browser draws it, at twice its resolution. */
export async function pngOf(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return await drawnPng(2 * image.naturalWidth, 2 * image.naturalHeight, (context, width, height) =>
      context.drawImage(image, 0, 0, width, height),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** What is drawn on a canvas of these sizes. */
export function drawnPng(
  width: number,
  height: number,
  draw: (context: CanvasRenderingContext2D, width: number, height: number) => void,
): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null)
    return Promise.reject(new Error("This browser gives no canvas to draw the picture on."));
  draw(context, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error("The picture could not be made.")) : resolve(blob),
    );
  });
}
