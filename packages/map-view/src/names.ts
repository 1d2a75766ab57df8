/**
 * Names beside points: as many as fit, none on another. Each name has sixteen places around its point; names of lonely points
 * come first, since they find room and leave it to others, and each takes the free place where it covers the fewest points. A name
 * that finds none asks whether one neighbour could stand elsewhere. What still has no room is left out; pointing at the point
 * shows it.
 */
import { type Box, scattered } from "./layout.js";

export interface PlacedName {
  /** The row of its point. */
  readonly index: number;
  /** The left end of the name's base line. */
  readonly x: number;
  readonly y: number;
  /** From its point to the name, x and y of both ends; undefined where the name stands close by. */
  readonly leader: readonly [number, number, number, number] | undefined;
}

/** The place of a name: its left, top, right and bottom. */
export type Frame = readonly [left: number, top: number, right: number, bottom: number];

/** Directions in the order in which readers like them: right, left, above, below, then slantwise. */
const directions = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
] as const;

/** What a covered point costs beside a place that is liked one rank less. */
const pointCost = 20;
/** So many square pixels of points a name may cover, a few small ones or none that is large: they are what the picture shows. */
const mostHidden = 30;
/** So many of the names that found no place, the loneliest first, may ask others to move; in a crowd it seldom helps. */
const mostExchanges = 500;
/** Of the height of letters. */
const lineHeight = 1.15;

export interface NameLayout {
  readonly fontSize: number;
  /** Of the points. */
  readonly radius: number;
  /** Where names may stand. */
  readonly bounds: Box;
  /** Where other words stand. */
  readonly taken?: readonly Frame[];
  /** Whether names keep off a row's point; by default off all. */
  readonly keepsOff?: (row: number) => boolean;
}

/**
 * @param pixels - N × 2
 * @param widths - of each name in pixels; 0 for a point without a name
 * @returns those that are shown, in the order of the rows
 */
export function placeNames(
  pixels: ArrayLike<number>,
  widths: ArrayLike<number>,
  { fontSize, radius, bounds, taken = [], keepsOff = () => true }: NameLayout,
): PlacedName[] {
  const mostCovered = Math.floor(mostHidden / (Math.PI * radius ** 2));
  const points = new Grid();
  const frames = new Grid();
  for (let n = 0; n < widths.length; n++) {
    const [x, y] = [pixels[2 * n], pixels[2 * n + 1]];
    if (keepsOff(n)) points.add(n, [x, y, x, y]);
  }
  for (const [k, frame] of taken.entries()) frames.add(-1 - k, frame);
  const candidatesOf = (n: number): Frame[] =>
    placesAround(pixels[2 * n], pixels[2 * n + 1], widths[n], fontSize, radius);
  const inside = ([left, top, right, bottom]: Frame): boolean =>
    left >= bounds.left &&
    top >= bounds.top &&
    right <= bounds.left + bounds.width &&
    bottom <= bounds.top + bounds.height;

  /** The free place that costs least. */
  const freePlace = (n: number): Frame | undefined => {
    let best: Frame | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const [rank, frame] of candidatesOf(n).entries()) {
      if (rank >= least || !inside(frame) || frames.first(frame) !== undefined) continue;
      const covered = points.count(grown(frame, radius), mostCovered + 1);
      const cost = rank + pointCost * covered;
      if (covered <= mostCovered && cost < least) [best, least] = [frame, cost];
    }
    return best;
  };
  /** A place that one other name makes free by going elsewhere. */
  const exchange = (n: number): boolean => {
    for (const frame of candidatesOf(n)) {
      if (!inside(frame) || points.count(grown(frame, radius), mostCovered + 1) > mostCovered) continue;
      const hits = frames.all(frame, 2);
      if (hits.length !== 1 || hits[0] < 0) continue;
      const [other] = hits;
      const before = frames.remove(other);
      frames.add(n, frame);
      const elsewhere = freePlace(other);
      if (elsewhere !== undefined) {
        frames.add(other, elsewhere);
        return true;
      }
      frames.remove(n);
      frames.add(other, before);
    }
    return false;
  };

  const left: number[] = [];
  for (const n of lonelyFirst(pixels, widths, points, fontSize)) {
    const frame = freePlace(n);
    if (frame === undefined) left.push(n);
    else frames.add(n, frame);
  }
  for (const n of left.slice(0, mostExchanges)) exchange(n);
  return frames
    .entries()
    .filter(([index]) => index >= 0)
    .sort(([a], [b]) => a - b)
    .map(([index, frame]) => {
      const [left, top, , bottom] = frame;
      const leader = leaderTo(frame, pixels[2 * index], pixels[2 * index + 1], radius);
      return { index, x: left, y: top + 0.78 * (bottom - top), leader };
    });
}

/** Rows with a name, those with the fewest points around them first; of equal ones in a mixed order. */
function lonelyFirst(
  pixels: ArrayLike<number>,
  widths: ArrayLike<number>,
  points: Grid,
  fontSize: number,
): number[] {
  const named = Array.from(widths, (_, n) => n).filter((n) => widths[n] > 0);
  const crowd = new Float64Array(widths.length);
  for (const n of named) {
    const [x, y] = [pixels[2 * n], pixels[2 * n + 1]];
    const [across, up] = [widths[n], 1.5 * fontSize];
    crowd[n] = points.load([x - across, y - up, x + across, y + up]) + scattered(n);
  }
  return named.sort((a, b) => crowd[a] - crowd[b]);
}

function placesAround(x: number, y: number, width: number, fontSize: number, radius: number): Frame[] {
  const height = lineHeight * fontSize;
  const near = radius + 3;
  return [near, near + 0.9 * fontSize].flatMap((gap) =>
    directions.map(([right, down]): Frame => {
      // Slantwise the corner, not the side, points to the point.
      const reach = right !== 0 && down !== 0 ? 0.7 * gap : gap;
      const left = x + (right === 0 ? -width / 2 : right > 0 ? reach : -reach - width);
      const top = y + (down === 0 ? -height / 2 : down > 0 ? reach : -reach - height);
      return [left, top, left + width, top + height];
    }),
  );
}

function leaderTo(
  [left, top, right, bottom]: Frame,
  x: number,
  y: number,
  radius: number,
): PlacedName["leader"] {
  const [endX, endY] = [Math.min(right, Math.max(left, x)), Math.min(bottom, Math.max(top, y))];
  const distance = Math.sqrt((endX - x) ** 2 + (endY - y) ** 2);
  if (distance < radius + 6) return undefined;
  const start = radius / distance;
  return [x + start * (endX - x), y + start * (endY - y), endX, endY];
}

const grown = ([left, top, right, bottom]: Frame, by: number): Frame => [
  left - by,
  top - by,
  right + by,
  bottom + by,
];

const overlaps = (a: Frame, b: Frame): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Of a cell, in pixels. */
const side = 32;

/** Frames by the cells that they touch, so that a look costs what is near and not what there is. */
class Grid {
  private readonly cells = new Map<number, number[]>();
  private readonly frames = new Map<number, Frame>();

  add(id: number, frame: Frame): void {
    this.frames.set(id, frame);
    this.visit(frame, (key) => {
      const cell = this.cells.get(key);
      if (cell === undefined) this.cells.set(key, [id]);
      else cell.push(id);
      return false;
    });
  }

  remove(id: number): Frame {
    const frame = this.frames.get(id) ?? [0, 0, 0, 0];
    this.frames.delete(id);
    this.visit(frame, (key) => {
      const cell = this.cells.get(key) ?? [];
      cell.splice(cell.indexOf(id), 1);
      return false;
    });
    return frame;
  }

  entries(): [number, Frame][] {
    return [...this.frames];
  }

  first(frame: Frame): number | undefined {
    return this.all(frame, 1)[0];
  }

  count(frame: Frame, most: number): number {
    return this.all(frame, most).length;
  }

  /** How much there is in the cells that the frame touches. */
  load(frame: Frame): number {
    let sum = 0;
    this.visit(frame, (key) => {
      sum += this.cells.get(key)?.length ?? 0;
      return false;
    });
    return sum;
  }

  /** Ids of what overlaps the frame, `most` of them at most. */
  all(frame: Frame, most: number): number[] {
    const found: number[] = [];
    this.visit(frame, (key) => {
      for (const id of this.cells.get(key) ?? []) {
        const other = this.frames.get(id);
        if (other === undefined || !overlaps(frame, other) || found.includes(id)) continue;
        found.push(id);
        if (found.length >= most) return true;
      }
      return false;
    });
    return found;
  }

  /** Until `each` says that it is enough. */
  private visit([left, top, right, bottom]: Frame, each: (key: number) => boolean): void {
    const [lastX, lastY] = [Math.floor(right / side), Math.floor(bottom / side)];
    for (let y = Math.floor(top / side); y <= lastY; y++)
      for (let x = Math.floor(left / side); x <= lastX; x++) if (each(y * 65_536 + x)) return;
  }
}
