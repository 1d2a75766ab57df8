import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTheme } from "../shell/theme.js";
import "./line-chart.css";
import { shortNumber } from "./numbers.js";

export interface Line {
  readonly name: string;
  /** "#rrggbb" */
  readonly color: string;
  /** Dashes in CSS pixels, so that colour is not the only difference; none for a full line. */
  readonly dash?: readonly number[] | undefined;
  readonly x: readonly number[];
  /** As long as x; NaN for a gap. */
  readonly y: readonly number[];
}

export interface LineChartProps {
  readonly label: string;
  readonly lines: readonly Line[];
  readonly xName: string;
  readonly yName: string;
  readonly isLogarithmic?: boolean;
  readonly height?: number;
}

/** Curves over a common axis, each with x of its own. Drawn anew when a prop changes. */
export function LineChart({
  label,
  lines,
  xName,
  yName,
  isLogarithmic = false,
  height = 220,
}: LineChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | undefined>(undefined);
  const theme = useTheme();
  const shape = JSON.stringify([
    lines.map(({ name, color, dash }) => [name, color, dash]),
    xName,
    yName,
    isLogarithmic,
  ]);
  const latest = useRef(lines);
  latest.current = lines;

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const { color: ink, borderTopColor: line } = getComputedStyle(element);
    const axis = {
      stroke: ink,
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1 },
      font: "12px system-ui",
    };
    const made = new uPlot(
      {
        width: element.clientWidth,
        height,
        scales: { x: { time: false }, y: isLogarithmic ? { distr: 3 } : { range: heightOf } },
        legend: { live: true },
        cursor: { y: false },
        series: [
          { label: xName },
          ...latest.current.map(({ name, color, dash = [] }) => ({
            label: name,
            stroke: color,
            width: 2,
            spanGaps: true,
            points: { show: false },
            value: (_: uPlot, value: number | null) => (value === null ? "–" : shortNumber(value)),
            dash: [...dash],
          })),
        ],
        axes: [
          { ...axis, label: xName, labelFont: "12px system-ui", labelSize: 22, size: 34 },
          {
            ...axis,
            label: yName,
            labelFont: "12px system-ui",
            labelSize: 22,
            size: 56,
            ...(isLogarithmic && decades),
          },
        ],
      },
      joined(latest.current),
      element,
    );
    chart.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      chart.current = undefined;
    };
  }, [shape, theme, height]);
  useEffect(() => chart.current?.setData(joined(lines)), [lines]);
  const isEmpty = lines.every(({ x }) => x.length === 0);
  return (
    <div class="line-chart-frame">
      <div class="line-chart" ref={host} role="img" aria-label={label} />
      {isEmpty && <p class="hint">There are no curves before the first run.</p>}
    </div>
  );
}

const mostDecades = 6;

/** Marks of a logarithmic axis: powers of ten alone, and of many of them every second, third … */
const decades: Pick<uPlot.Axis, "splits" | "filter" | "values"> = {
  splits: (_, __, low, high) => {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const step = Math.max(1, Math.ceil((last - first) / mostDecades));
    return Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, k) =>
      Number(`1e${first + k * step}`),
    );
  },
  filter: (_, splits) => splits,
  values: (_, splits) =>
    splits.map((value) => (value >= 1e-3 && value < 1e5 ? String(value) : value.toExponential())),
};

/** Of the height, what lies over and under the lines, each. */
const air = 0.1;
/** The least height, as a share of the values: ticks would be named alike, and of very near ones uPlot finds no end. */
const leastHeight = 1e-5;

function heightOf(_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null) return [null, null];
  const least = leastHeight * Math.max(Math.abs(low), Math.abs(high));
  return high - low < least && high > low
    ? [low - least, high + least]
    : uPlot.rangeNum(low, high, air, true);
}

/** All lines over the union of their x's. */
function joined(lines: readonly Line[]): uPlot.AlignedData {
  const tables = lines.map(
    ({ x, y }): uPlot.AlignedData => [[...x], y.map((value) => (Number.isFinite(value) ? value : null))],
  );
  return tables.length === 0 ? [[]] : uPlot.join(tables);
}
