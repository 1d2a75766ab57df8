/** Line charts as SVG: series over a common axis, each with an optional band; a panel per chart, side by side. */
import {
  type Axis,
  drawing,
  least,
  linearAxis,
  logarithmicAxis,
  most,
  short,
  text,
  tickText,
} from "./axes.ts";

export interface Series {
  readonly name: string;
  /** x and y of each point, in order. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Low and high of each point, for a band. */
  readonly band?: readonly (readonly [low: number, high: number])[];
}

export interface Panel {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly series: readonly Series[];
  readonly logarithmic?: boolean;
  /** Of y; from the data if left out. */
  readonly range?: readonly [low: number, high: number];
}

export const colors = [
  "#3f90da",
  "#bd1f01",
  "#18c09c",
  "#832db6",
  "#ffa90e",
  "#a96b59",
  "#717581",
  "#e76300",
  "#b9ac70",
] as const;

const width = 430;
const height = 300;
const margin = { left: 62, right: 14, top: 34, bottom: 46 };

/** Panels in rows of two; the legend, common to all of them, below. */
export function chartSvg(title: string, panels: readonly Panel[]): string {
  const columns = Math.min(2, panels.length);
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  const legendColumns = columns === 1 ? 2 : 4;
  const legendRows = Math.ceil(names.length / legendColumns);
  const bodyHeight = 40 + Math.ceil(panels.length / columns) * height;
  const total = { width: columns * width, height: bodyHeight + 22 * legendRows + 12 };
  const colorOf = (name: string): string => colors[names.indexOf(name) % colors.length];
  const body = panels.map((panel, k) => {
    const x = (k % columns) * width;
    const y = 40 + Math.floor(k / columns) * height;
    return `<g transform="translate(${x} ${y})">${panelMarkup(panel, colorOf)}</g>`;
  });
  const legend = names.map((name, k) => {
    const x = 20 + (k % legendColumns) * (total.width / legendColumns);
    const y = bodyHeight + 12 + 22 * Math.floor(k / legendColumns);
    return `<path d="M${x} ${y}h22" stroke="${colorOf(name)}" stroke-width="2.5"/>${text(x + 28, y + 4, name, "")}`;
  });
  return drawing([total.width, total.height], [14, title], [...body, ...legend]);
}

function panelMarkup(panel: Panel, colorOf: (name: string) => string): string {
  const { series, logarithmic = false } = panel;
  const finite = series.map((one) => ({
    ...one,
    points: one.points.filter(([, y]) => Number.isFinite(y) && (!logarithmic || y > 0)),
  }));
  const xs = finite.flatMap(({ points }) => points.map(([x]) => x));
  const ys = finite.flatMap(({ points, band = [] }) => [
    ...points.map(([, y]) => y),
    ...band.flat().filter((y) => Number.isFinite(y) && (!logarithmic || y > 0)),
  ]);
  const inner = { right: width - margin.right, bottom: height - margin.bottom };
  const x = linearAxis(least(xs), most(xs), margin.left, inner.right);
  const [low, high] = panel.range ?? [least(ys), most(ys)];
  const y = logarithmic
    ? logarithmicAxis(low, high, inner.bottom, margin.top)
    : linearAxis(low, high, inner.bottom, margin.top);
  const clip = `clip-${Math.round(1e9 * Math.abs(Math.sin(panel.title.length + xs.length + ys.length)))}`;
  const frame = { x: margin.left, y: margin.top, w: inner.right - margin.left, h: inner.bottom - margin.top };
  return [
    text(margin.left, 20, panel.title, `font-weight="bold"`),
    `<clipPath id="${clip}"><rect x="${frame.x}" y="${frame.y}" width="${frame.w}" height="${frame.h}"/></clipPath>`,
    ...y.ticks.map(
      (tick) =>
        `<path d="M${frame.x} ${short(y.place(tick))}h${frame.w}" stroke="#e5e7eb"/>` +
        text(frame.x - 6, y.place(tick) + 4, tickText(tick), `text-anchor="end" fill="#6b7280"`),
    ),
    ...x.ticks.map((tick) =>
      text(x.place(tick), inner.bottom + 17, tickText(tick), `text-anchor="middle" fill="#6b7280"`),
    ),
    `<path d="M${frame.x} ${inner.bottom}h${frame.w}" stroke="#6b7280"/>`,
    text(frame.x + frame.w / 2, height - 12, panel.xTitle, `text-anchor="middle"`),
    `<g transform="translate(14 ${frame.y + frame.h / 2}) rotate(-90)">${text(0, 0, panel.yTitle, `text-anchor="middle"`)}</g>`,
    `<g clip-path="url(#${clip})">`,
    ...finite.map(({ name, points, band }) => {
      const line = points.map(([px, py]) => `${short(x.place(px))} ${short(y.place(py))}`).join("L");
      return `${bandMarkup(points, band, x, y, colorOf(name))}<path d="M${line}" fill="none" stroke="${colorOf(name)}" stroke-width="2"/>`;
    }),
    "</g>",
  ].join("\n");
}

function bandMarkup(points: Series["points"], band: Series["band"], x: Axis, y: Axis, color: string): string {
  if (band === undefined || band.length !== points.length || points.length === 0) return "";
  const upper = points.map(([px], k) => `${short(x.place(px))} ${short(y.place(band[k][1]))}`);
  const lower = points.map(([px], k) => `${short(x.place(px))} ${short(y.place(band[k][0]))}`).reverse();
  return `<path d="M${[...upper, ...lower].join("L")}Z" fill="${color}" fill-opacity="0.18"/>`;
}
