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

/**
 * Pictures as they go into a PNG: large ones made smaller, to `side` pixels or up to twice as many, since what draws them takes
 * single pixels out of more; "" for one of which nothing is to be seen.
 */
export async function drawnPictures(urls: readonly string[], side: number): Promise<string[]> {
  const { Resvg } = await import("@resvg/resvg-js");
  const drawing = (url: string, size: string): InstanceType<typeof Resvg> =>
    new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${url}"/></svg>`);
  return urls.map((given) => {
    try {
      const { width = 0, height = 0 } = drawing(given, "").innerBBox() ?? {};
      let url = given;
      let larger = Math.max(width, height);
      // By halves: each pixel of the smaller one is made of all its pixels in the larger one.
      for (let part = 2; larger > 2 * side && !given.startsWith("data:image/svg"); part *= 2) {
        const size = `width="${Math.ceil(width / part)}" height="${Math.ceil(height / part)}"`;
        url = `data:image/png;base64,${drawing(url, size).render().asPng().toString("base64")}`;
        larger /= 2;
      }
      const seen = drawing(url, `width="${side}" height="${side}"`).render().pixels;
      return seen.some((value) => value > 0) ? url : "";
    } catch {
      return ""; // an SVG that is no XML, say
    }
  });
}
