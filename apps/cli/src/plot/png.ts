/**
 * The same picture in pixels, twice as many as the SVG has units. The font is shipped with the program, so that text
 * looks the same, and is there, on every machine.
 */
import { createRequire } from "node:module";

export async function pngOf(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import("@resvg/resvg-js");
  const require = createRequire(import.meta.url);
  const fontFiles = [
    require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
    require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
  ];
  const drawing = new Resvg(svg, {
    fitTo: { mode: "zoom", value: 2 },
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: "DejaVu Sans" },
  });
  return drawing.render().asPng();
}
