/**
 * The same picture in pixels, twice as many as the SVG has units. The font is shipped with the program, so that text
 * looks the same, and is there, on every machine.
 */
import { createRequire } from "node:module";

/** DejaVu Sans, plain and bold: what one lacks is taken from the other. */
export function fontFiles(): string[] {
  const require = createRequire(import.meta.url);
  return [
    require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
    require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
  ];
}

export async function pngOf(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js");
  const drawing = new Resvg(svg, {
    fitTo: { mode: "zoom", value: 2 },
    font: { fontFiles: fontFiles(), loadSystemFonts: false, defaultFontFamily: "DejaVu Sans" },
  });
  return drawing.render().asPng();
}
