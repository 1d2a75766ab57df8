/** The map as a picture to keep. */
import { digits, escaped, ink, svgOf } from "../../export/svg.js";
import { classColor } from "../../plot/palette.js";
import type { Theme } from "../../shell/theme.js";
import { type Drawing, pathOf } from "./drawn-set.js";
import { nameSizes, type Spot, shortName, side } from "./layout.js";

export interface MapPicture {
  readonly title: string;
  readonly spots: readonly Spot[];
  /** Of every object. */
  readonly names: readonly string[];
  /** Of every object; undefined for points with names. */
  readonly drawings: readonly Drawing[] | undefined;
  readonly theme: Theme;
}

const header = 34;
/** Half of the width of a drawn thing. */
export const thingSize = 15;

const lines: Readonly<Record<Theme, string>> = { light: "#565d68", dark: "#a3abb8" };

export function mapSvg({ title, spots, names, drawings, theme }: MapPicture): string {
  const line = lines[theme];
  const paths = spots.map(({ x, y, truth }) =>
    truth === undefined
      ? ""
      : `<path d="M${digits(x)} ${digits(y)}L${digits(truth[0])} ${digits(truth[1])}" stroke="${line}" stroke-width="0.8" opacity="0.6"/>`,
  );
  const marks = spots.map(({ object, x, y, label }) => {
    const name = escaped(names[object]);
    const drawing = drawings?.[object];
    const mark =
      drawing === undefined
        ? `<circle cx="${digits(x)}" cy="${digits(y)}" r="3.5" fill="${classColor(0, theme)}"><title>${name}</title></circle>`
        : `<g transform="translate(${digits(x)} ${digits(y)})"><title>${name}</title>${drawn(drawing, theme)}</g>`;
    const words =
      label === undefined
        ? ""
        : `<text x="${digits(label.x)}" y="${digits(label.y)}" text-anchor="${label.anchor}">${escaped(shortName(names[object]))}</text>`;
    return mark + words;
  });
  return svgOf(
    { box: [0, -header, side, side + header], scale: 2, title, theme, fontSize: nameSizes.picture },
    [`<text x="12" y="-12" font-size="13">${escaped(title)}</text>`, ...paths, ...marks],
  );
}

function drawn(drawing: Drawing, theme: Theme): string {
  if (drawing.kind === "disc")
    return `<circle r="${thingSize}" fill="${drawing.color}" stroke="${lines[theme]}" stroke-width="0.6"/>`;
  return `<path d="${pathOf(drawing.points.map((value) => value * thingSize))}" fill="${ink[theme]}"/>`;
}
