/** Where the things of a map stand in a square picture, and on which side of them their names. */
import { boundsOf } from "../../plot/camera.js";
import type { Places } from "./task.js";

export interface Spot {
  readonly object: number;
  /** In the picture's units; y goes down. */
  readonly x: number;
  readonly y: number;
  /** Where the object really is, where that is known. */
  readonly truth: readonly [number, number] | undefined;
  /** Undefined where there is no room for the name. */
  readonly label: Label | undefined;
}

interface Label {
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
}

/** Side of the picture. */
export const side = 400;
const margin = 34;
/** Of names, in the picture's units: a unit is more than a pixel on a wide screen, less on a phone, two in a picture to keep. */
export const nameSizes = { wide: 10.5, narrow: 12, picture: 9 };

/** More than these are points without names. */
export const mostDrawn = 100;

export const nameOf = (names: readonly string[] | undefined, object: number): string =>
  names?.[object] ?? String(object);

const longestName = 20;
export const shortName = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;

/**
 * @param labels - the names that are written; undefined for none
 * @param truth - x0, y0, x1, y1, … of where the objects really are, in the map's units
 */
export function layOut(
  { shown }: Pick<Places, "shown">,
  labels: readonly string[] | undefined,
  truth: ArrayLike<number> | undefined,
  nameSize: number = nameSizes.picture,
): readonly Spot[] {
  const all = truth === undefined ? shown : Float64Array.of(...shown, ...Array.from(truth));
  const bounds = boundsOf(all);
  if (bounds === undefined) return [];
  const { left, right, bottom, top } = bounds;
  const scale = (side - 2 * margin) / Math.max(right - left, top - bottom, 1e-300);
  const at = (x: number, y: number): readonly [number, number] => [
    side / 2 + (x - (left + right) / 2) * scale,
    side / 2 + (y - (bottom + top) / 2) * scale,
  ];
  const spots: Omit<Spot, "label">[] = [];
  for (let object = 0; 2 * object < shown.length; object++) {
    if (!Number.isFinite(shown[2 * object])) continue;
    const [x, y] = at(shown[2 * object], shown[2 * object + 1]);
    spots.push({
      object,
      x,
      y,
      truth: truth === undefined ? undefined : at(truth[2 * object], truth[2 * object + 1]),
    });
  }
  return labels === undefined
    ? spots.map((spot) => ({ ...spot, label: undefined }))
    : labelled(spots, labels, nameSize);
}

/** Width of a letter against its height, on the large side. */
const letterShare = 0.56;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Each name on the first of eight sides where it covers neither a point nor another name. */
function labelled(
  spots: readonly Omit<Spot, "label">[],
  names: readonly string[],
  nameSize: number,
): readonly Spot[] {
  const taken: Box[] = spots.map(({ x, y }) => ({ left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 }));
  return spots.map((spot, own) => {
    const width = shortName(names[spot.object]).length * nameSize * letterShare;
    for (const { label, box } of sides(spot, width, nameSize)) {
      const isFree =
        box.left >= 0 &&
        box.right <= side &&
        box.top >= 0 &&
        box.bottom <= side &&
        taken.every((other, k) => k === own || !overlap(box, other));
      if (!isFree) continue;
      taken.push(box);
      return { ...spot, label };
    }
    return { ...spot, label: undefined };
  });
}

function sides(
  { x, y }: Pick<Spot, "x" | "y">,
  width: number,
  lineHeight: number,
): readonly { readonly label: Label; readonly box: Box }[] {
  const gap = 6;
  const above = y - gap - 0.1 * lineHeight;
  const below = y + gap + 0.75 * lineHeight;
  const at = (label: Label): { readonly label: Label; readonly box: Box } => {
    const left = label.x - { start: 0, middle: width / 2, end: width }[label.anchor];
    const [top, bottom] = [label.y - 0.85 * lineHeight, label.y + 0.2 * lineHeight];
    return { label, box: { left, right: left + width, top, bottom } };
  };
  return [
    at({ x: x + gap, y: y + 0.35 * lineHeight, anchor: "start" }),
    at({ x: x - gap, y: y + 0.35 * lineHeight, anchor: "end" }),
    at({ x, y: above, anchor: "middle" }),
    at({ x, y: below, anchor: "middle" }),
    at({ x: x + gap / 2, y: above, anchor: "start" }),
    at({ x: x + gap / 2, y: below, anchor: "start" }),
    at({ x: x - gap / 2, y: above, anchor: "end" }),
    at({ x: x - gap / 2, y: below, anchor: "end" }),
  ];
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
