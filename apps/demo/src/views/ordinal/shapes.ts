/**
 * Sixteen outlines. The rule measures three things of each: how long it is against its width (from the second moments
 * of its area), how much of its convex hull it fills, and how much area its outline encloses (4πA/P²: 1 for a circle).
 */
import type { Drawing, DrawnSet } from "./drawn-set.js";

type Outline = readonly number[];

/** r(θ), drawn at so many angles from the top on. */
function polar(count: number, radius: (angle: number, k: number) => number): Outline {
  return Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count;
    const r = radius(angle, k);
    return [r * Math.sin(angle), -r * Math.cos(angle)];
  }).flat();
}

const regular = (corners: number): Outline => polar(corners, () => 1);
const star = (points: number, inner: number): Outline =>
  polar(2 * points, (_, k) => (k % 2 === 0 ? 1 : inner));
const stretched = (outline: Outline, x: number, y: number): Outline =>
  outline.map((value, k) => value * (k % 2 === 0 ? x : y));
const box = (x: number, y: number): Outline => [-x, -y, x, -y, x, y, -x, y];

const circle = regular(64);
const arm = 0.33;

const shapes: readonly (readonly [string, Outline])[] = [
  ["circle", circle],
  ["oval", stretched(circle, 1, 0.62)],
  ["long oval", stretched(circle, 1, 0.3)],
  ["square", box(0.85, 0.85)],
  ["oblong", box(1, 0.55)],
  ["bar", box(1, 0.22)],
  ["diamond", stretched(regular(4), 0.7, 1)],
  ["triangle", regular(3)],
  ["spike", [0, -1, 0.32, 1, -0.32, 1]],
  ["hexagon", regular(6)],
  ["flower", polar(96, (angle) => 0.78 + 0.22 * Math.cos(5 * angle))],
  [
    "cross",
    [
      [-arm, -1, arm, -1, arm, -arm, 1, -arm, 1, arm, arm, arm],
      [arm, 1, -arm, 1, -arm, arm, -1, arm, -1, -arm, -arm, -arm],
    ].flat(),
  ],
  ["five-pointed star", star(5, 0.4)],
  ["four-pointed star", star(4, 0.3)],
  ["eight-pointed star", star(8, 0.62)],
  ["long star", stretched(star(4, 0.38), 1, 0.5)],
];

/** Elongation, fullness and compactness, each in units of its standard deviation over the set. */
const measures = standardised(shapes.map(([, outline]) => measuresOf(outline)));

function measuresOf(outline: Outline): readonly number[] {
  const { area, perimeter, narrowness } = moments(outline);
  return [narrowness, area / moments(hullOf(outline)).area, (4 * Math.PI * area) / perimeter ** 2];
}

interface Moments {
  readonly area: number;
  readonly perimeter: number;
  /** The root of the ratio of the principal second moments: 1 for a disc or a square, 0 for a line. */
  readonly narrowness: number;
}

/** Green's theorem for polygons. */
function moments(outline: Outline): Moments {
  let [area, perimeter, x, y, xx, xy, yy] = [0, 0, 0, 0, 0, 0, 0];
  const n = outline.length;
  for (let k = 0; k < n; k += 2) {
    const [x0, y0, x1, y1] = [outline[k], outline[k + 1], outline[(k + 2) % n], outline[(k + 3) % n]];
    const cross = x0 * y1 - x1 * y0;
    area += cross / 2;
    perimeter += Math.hypot(x1 - x0, y1 - y0);
    x += ((x0 + x1) * cross) / 6;
    y += ((y0 + y1) * cross) / 6;
    xx += ((x0 * x0 + x0 * x1 + x1 * x1) * cross) / 12;
    yy += ((y0 * y0 + y0 * y1 + y1 * y1) * cross) / 12;
    xy += ((x0 * y1 + 2 * x0 * y0 + 2 * x1 * y1 + x1 * y0) * cross) / 24;
  }
  const [a, b, c] = [
    xx / area - (x / area) ** 2,
    xy / area - (x * y) / area ** 2,
    yy / area - (y / area) ** 2,
  ];
  const spread = Math.hypot((a - c) / 2, b);
  const middle = (a + c) / 2;
  return { area: Math.abs(area), perimeter, narrowness: Math.sqrt((middle - spread) / (middle + spread)) };
}

/** Andrew's monotone chain. */
function hullOf(outline: Outline): Outline {
  const corners: (readonly [number, number])[] = [];
  for (let k = 0; k < outline.length; k += 2) corners.push([outline[k], outline[k + 1]]);
  corners.sort(([x0, y0], [x1, y1]) => x0 - x1 || y0 - y1);
  const half = (ordered: typeof corners): typeof corners => {
    const chain: typeof corners = [];
    for (const [x, y] of ordered) {
      while (chain.length > 1) {
        const [[x0, y0], [x1, y1]] = chain.slice(-2);
        if ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0) break;
        chain.pop();
      }
      chain.push([x, y]);
    }
    return chain.slice(0, -1);
  };
  return [...half(corners), ...half([...corners].reverse())].flat();
}

function standardised(rows: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const scales = rows[0].map((_, c) => {
    const mean = rows.reduce((sum, row) => sum + row[c], 0) / rows.length;
    return Math.sqrt(rows.reduce((sum, row) => sum + (row[c] - mean) ** 2, 0) / rows.length);
  });
  return rows.map((row) => row.map((value, c) => value / scales[c]));
}

const drawingOf = (points: Outline): Drawing => ({ kind: "outline", points });

export const shapeSet: DrawnSet = {
  name: "shapes",
  things: shapes.map(([name, outline]) => ({ name, drawing: drawingOf(outline) })),
  rule: "how long, how full and how compact the outlines are",
  distance: (i, j) => Math.hypot(...measures[i].map((value, c) => value - measures[j][c])),
  compass: Float64Array.from(measures.flatMap(([narrowness, fullness]) => [narrowness, -fullness])),
};
