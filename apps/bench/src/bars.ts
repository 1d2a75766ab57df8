/**
 * Rows of a table as SVG: a dot where each figure is, and a line from the least to the most of its repeats. Rows stand
 * below each other with their names on the left; panels beside each other, each with an axis of its own.
 */
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
import { colors } from "./chart.ts";

/** A figure with the least and the most of its repeats; words where there is none. */
export type Mark = string | { readonly value: number; readonly low: number; readonly high: number };

export interface BarRow {
  readonly name: string;
  /** One for each of the picture's names. */
  readonly marks: readonly Mark[];
}

export interface BarPanel {
  readonly title: string;
  readonly rows: readonly BarRow[];
}

export interface Bars {
  readonly title: string;
  /** What the axis of all panels is. */
  readonly axis: string;
  readonly isLogarithmic: boolean;
  /** Of the marks of a row, told by colour. */
  readonly names: readonly string[];
  readonly panels: readonly BarPanel[];
}

const plot = 300;
const margin = { left: 14, right: 30, top: 30, bottom: 46 };
/** Of a letter, on average, and from one mark of a row to the next. */
const letter = 6.6;
const lineHeight = 9;

export function barsSvg({ title, axis, isLogarithmic, names, panels }: Bars): string {
  const longest = most(panels.flatMap(({ rows }) => rows.map(({ name }) => name.length)));
  const left = margin.left + Math.ceil(letter * longest) + 10;
  const columns = Math.min(2, panels.length);
  const width = Math.max(columns * (left + plot + margin.right), 40 + Math.ceil(9.6 * title.length));
  const rowHeight = lineHeight * names.length + 9;
  const heights = panels.map(({ rows }) => margin.top + rowHeight * rows.length + margin.bottom);
  const bands = Array.from({ length: Math.ceil(panels.length / columns) }, (_, band) =>
    most(heights.slice(columns * band, columns * (band + 1))),
  );
  const topOf = (band: number): number => 40 + bands.slice(0, band).reduce((sum, height) => sum + height, 0);
  const bottom = topOf(bands.length);
  const body = panels.map((panel, k) => {
    const place = `${(k % columns) * (left + plot + margin.right)} ${topOf(Math.floor(k / columns))}`;
    return `<g transform="translate(${place})">${panelMarkup(panel, { left, rowHeight, axis, isLogarithmic })}</g>`;
  });
  const legend = names.length === 1 ? [] : names.map((name, k) => legendMarkup(name, k, bottom));
  return drawing([width, bottom + 20 * legend.length + 8], [margin.left, title], [...body, ...legend]);
}

const legendMarkup = (name: string, k: number, bottom: number): string =>
  `<circle cx="${margin.left + 6}" cy="${bottom + 20 * k}" r="4" fill="${colors[k % colors.length]}"/>${text(margin.left + 18, bottom + 4 + 20 * k, name, "")}`;

interface Layout {
  readonly left: number;
  readonly rowHeight: number;
  readonly axis: string;
  readonly isLogarithmic: boolean;
}

function panelMarkup({ title, rows }: BarPanel, { left, rowHeight, axis, isLogarithmic }: Layout): string {
  const isDrawn = (value: number): boolean => Number.isFinite(value) && (!isLogarithmic || value > 0);
  const figures = rows
    .flatMap(({ marks }) => marks)
    .flatMap((mark) => (typeof mark === "string" ? [] : [mark.low, mark.value, mark.high]))
    .filter(isDrawn);
  const right = left + plot;
  const x: Axis = isLogarithmic
    ? logarithmicAxis(least([...figures, 10]), most([...figures, 1e-9]), left, right)
    : linearAxis(least([...figures, 0]), most([...figures, 0]), left, right);
  const bottom = margin.top + rowHeight * rows.length;
  return [
    text(left, 18, title, `font-weight="bold"`),
    ...x.ticks.map(
      (tick) =>
        `<path d="M${short(x.place(tick))} ${margin.top}V${bottom}" stroke="#e5e7eb"/>${text(x.place(tick), bottom + 17, tickText(tick), `text-anchor="middle" fill="#6b7280"`)}`,
    ),
    text(left + plot / 2, bottom + 36, axis, `text-anchor="middle"`),
    ...rows.flatMap(({ name, marks }, i) => {
      const top = margin.top + i * rowHeight;
      return [
        text(left - 10, top + rowHeight / 2 + 4, name, `text-anchor="end"`),
        ...marks.map((mark, k) =>
          markMarkup(mark, top + 9 + k * lineHeight, colors[k % colors.length], { x, left, right, isDrawn }),
        ),
      ];
    }),
  ].join("\n");
}

interface Place {
  readonly x: Axis;
  readonly left: number;
  readonly right: number;
  isDrawn(value: number): boolean;
}

/** What is not drawn stands in words, or as a line to the panel's end. */
function markMarkup(mark: Mark, y: number, color: string, { x, left, right, isDrawn }: Place): string {
  if (typeof mark === "string" || !isDrawn(mark.value)) {
    const words = typeof mark === "string" ? mark : String(mark.value);
    return text(left + 4, y + 4, words, `font-size="10" fill="${color}"`);
  }
  const from = isDrawn(mark.low) ? x.place(mark.low) : left;
  const to = isDrawn(mark.high) ? x.place(mark.high) : right;
  return `<path d="M${short(from)} ${short(y)}H${short(to)}" stroke="${color}" stroke-width="2" stroke-opacity="0.5"/><circle cx="${short(x.place(mark.value))}" cy="${short(y)}" r="3.5" fill="${color}"/>`;
}
