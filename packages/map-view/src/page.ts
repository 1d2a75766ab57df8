/** The frame that all pictures have: a white page with a title and a line below it. */
import { printable } from "@curvature/linalg";
import { escaped, fonts, ink, margin, quiet, short, shortened, svgText } from "./svg.js";

export interface Page {
  readonly title: string;
  readonly subtitle: string;
  readonly width: number;
  readonly height: number;
  /** Markup, drawn in this order, below `header`. */
  readonly body: readonly string[];
}

export function svgPage({ title, subtitle, width, height, body }: Page): string {
  const [w, h] = [short(width), short(height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="${fonts}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    svgText(
      margin,
      46,
      shortened(printable(title), width - 2 * margin, 22),
      `font-size="22" font-weight="bold" fill="${ink}"`,
    ),
    svgText(margin, 70, shortened(subtitle, width - 2 * margin, 13), `font-size="13" fill="${quiet}"`),
    ...body,
    "</svg>\n",
  ].join("\n");
}
