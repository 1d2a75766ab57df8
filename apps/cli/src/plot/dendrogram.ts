/** Clusters within clusters as a tree: a leaf for each cluster, one below the other, and merges to the right by what they cost. */

import {
  header,
  ink,
  margin,
  quiet,
  short,
  shortenedWithin,
  svgPage,
  svgText,
  textWidth,
} from "@curvature/map-view/pictures";
import { colorOf, ticks } from "./line-chart.js";

export interface Dendrogram {
  readonly title: string;
  readonly subtitle: string;
  /** Of the axis. */
  readonly xTitle: string;
  /** Of the clusters, by their numbers. */
  readonly names: readonly string[];
  /** Group b joins group a, a < b; heights do not fall. */
  readonly merges: readonly { readonly a: number; readonly b: number; readonly height: number }[];
}

const plotWidth = 560;
const nameWidth = 300;
const rowHeight = 24;
const grid = "#e5e7eb";

export function svgDendrogram({ title, subtitle, xTitle, names, merges }: Dendrogram): string {
  const places = new Map(leavesInOrder(names.length, merges).map((leaf, row) => [leaf, row]));
  const shown = names.map((name) => shortenedWithin(name, nameWidth, 13));
  const left = margin + Math.ceil(Math.max(...shown.map((name) => textWidth(name, 13)))) + 26;
  const top = header + 4;
  const bottom = top + names.length * rowHeight;
  const scale = ticks([0, ...merges.map(({ height }) => height)], 6);
  const x = (height: number): number => left + ((height - scale.low) / (scale.high - scale.low)) * plotWidth;
  const yOf = (leaf: number): number => top + ((places.get(leaf) ?? 0) + 0.5) * rowHeight;
  const ends = new Map(names.map((_, leaf) => [leaf, { y: yOf(leaf), height: 0 }]));
  const branches = merges.map(({ a, b, height }) => {
    const [one, other] = [ends.get(a), ends.get(b)].map((end) => end ?? { y: top, height: 0 });
    ends.set(a, { y: (one.y + other.y) / 2, height });
    return `<path d="M${short(x(one.height))} ${short(one.y)}H${short(x(height))}V${short(other.y)}H${short(x(other.height))}" fill="none" stroke="${ink}" stroke-width="1.6"/>`;
  });
  const body = [
    ...scale.values.map(
      (value, n) =>
        `<path d="M${short(x(value))} ${top}V${bottom}" stroke="${grid}"/>` +
        svgText(x(value), bottom + 18, scale.names[n], `font-size="12" text-anchor="middle" fill="${quiet}"`),
    ),
    ...branches,
    ...shown.map(
      (name, leaf) =>
        svgText(left - 22, yOf(leaf) + 4.5, name, `font-size="13" text-anchor="end" fill="${ink}"`) +
        `<circle cx="${short(left - 10)}" cy="${short(yOf(leaf))}" r="5" fill="${colorOf(leaf)}"/>`,
    ),
    svgText(left + plotWidth / 2, bottom + 42, xTitle, `font-size="13" text-anchor="middle" fill="${ink}"`),
  ];
  return svgPage({ title, subtitle, width: left + plotWidth + margin, height: bottom + 42 + margin, body });
}

/** Such that no two branches cross. */
function leavesInOrder(count: number, merges: Dendrogram["merges"]): readonly number[] {
  const groups = new Map<number, readonly number[]>(
    Array.from({ length: count }, (_, leaf) => [leaf, [leaf]]),
  );
  for (const { a, b } of merges) {
    groups.set(a, [...(groups.get(a) ?? []), ...(groups.get(b) ?? [])]);
    groups.delete(b);
  }
  return [...groups.values()].flat();
}
