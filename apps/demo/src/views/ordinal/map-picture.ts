/** The map as a picture to keep: SVG, or PNG made of it. */
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

const inks: Readonly<
  Record<Theme, { readonly ground: string; readonly ink: string; readonly line: string }>
> = {
  light: { ground: "#ffffff", ink: "#1b1f24", line: "#565d68" },
  dark: { ground: "#14171c", ink: "#e8eaed", line: "#a3abb8" },
};

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? c);
const digits = (value: number): string => String(Math.round(value * 100) / 100);

export function mapSvg({ title, spots, names, drawings, theme }: MapPicture): string {
  const { ground, ink, line } = inks[theme];
  const ways = spots.map(({ x, y, truth }) =>
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
        : `<g transform="translate(${digits(x)} ${digits(y)})"><title>${name}</title>${drawn(drawing, ink, line)}</g>`;
    const words =
      label === undefined
        ? ""
        : `<text x="${digits(label.x)}" y="${digits(label.y)}" text-anchor="${label.anchor}">${escaped(shortName(names[object]))}</text>`;
    return mark + words;
  });
  const size = 2 * side;
  const height = 2 * (side + header);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${height}" viewBox="0 ${-header} ${side} ${side + header}" font-family="system-ui, sans-serif" font-size="${nameSizes.picture}" fill="${ink}">`,
    `<title>${escaped(title)}</title>`,
    `<rect y="${-header}" width="${side}" height="${side + header}" fill="${ground}"/>`,
    `<text x="12" y="-12" font-size="13">${escaped(title)}</text>`,
    ...ways,
    ...marks,
    "</svg>\n",
  ].join("\n");
}

function drawn(drawing: Drawing, ink: string, line: string): string {
  if (drawing.kind === "disc")
    return `<circle r="${thingSize}" fill="${drawing.color}" stroke="${line}" stroke-width="0.6"/>`;
  return `<path d="${pathOf(drawing.points.map((value) => value * thingSize))}" fill="${ink}"/>`;
}

/** The SVG, drawn by the browser. */
export async function mapPng(picture: MapPicture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(mapSvg(picture))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * image.naturalWidth;
  canvas.height = 2 * image.naturalHeight;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser gives no canvas to draw the picture on.");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error("The picture could not be made.")) : resolve(blob),
    );
  });
}
