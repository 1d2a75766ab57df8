/** The picture of a formula: rows, curve and band by its variable, or what was observed by what was fitted; residuals below. */
import type { ChartData } from "../plot/index.js";
import { shownName } from "../read/file.js";
import { count } from "../run/terminal.js";
import type { FormulaTaskOutput } from "../tasks/formula.js";
import type { FitFlags } from "./fit-flags.js";
import { type FormulaSource, percentOf } from "./formula-results.js";

/** More marks would only be ink. */
const MARKS = 2000;
/** The band may leave what is drawn by this share of its height. */
const AROUND = 0.25;

export function formulaChart(
  { file, formula, names, points }: FormulaSource,
  { level }: FitFlags,
  { parameters, response, fitted, curve, residualStandardDeviation: s }: FormulaTaskOutput,
): ChartData {
  const step = Math.max(1, Math.ceil(points.rows / MARKS));
  const rows = Array.from({ length: Math.ceil(points.rows / step) }, (_, k) => k * step);
  const [variable] = names.variables;
  const place = names.columns.indexOf(variable);
  const of = (i: number): number =>
    curve === undefined ? fitted[i] : points.data[i * points.columns + place];
  const shown = rows.filter((i) => Number.isFinite(fitted[i]));
  const [observed = ""] = formula.text.split("~");
  const name = observed.trim();
  const xTitle = curve === undefined ? "fitted" : variable;
  const dots = shown.map((i) => ({ x: of(i), y: response[i] }));
  const main =
    curve === undefined
      ? {
          title: `${name}, observed by fitted; dashed where both are equal`,
          lines: [
            {
              name: "",
              points: ends(
                dots.flatMap(({ x, y }) => [x, y]),
                (x) => x,
              ),
              isReference: true,
            },
          ],
        }
      : {
          title: `${name}: rows and curve${curve.some(({ within }) => within !== undefined) ? `, ${percentOf(level)} confidence band of the mean (at each point, delta method)` : ""}`,
          lines: [{ name: "", points: curve }],
          band: bandOf(curve, dots),
        };
  const estimates = parameters.map((each) => `${each.name} ${Number(each.value.toPrecision(4))}`).join(", ");
  return {
    title: formula.text,
    subtitle: [
      shownName(file),
      `${rows.length < points.rows ? `${count(rows.length)} of ` : ""}${count(points.rows)} rows`,
      estimates,
      ...(s === undefined ? [] : [`residual standard deviation ${Number(s.toPrecision(4))}`]),
    ].join(" · "),
    xTitle: "",
    panels: [
      { ...main, xTitle, scatter: dots, height: 400, isFree: true },
      {
        title: "residuals, observed − fitted",
        lines: [{ name: "", points: ends(shown.map(of), () => 0), isReference: true }],
        xTitle,
        scatter: shown.map((i) => ({ x: of(i), y: response[i] - fitted[i] })),
        height: 160,
        isFree: true,
      },
    ],
  };
}

interface Dot {
  readonly x: number;
  readonly y: number;
}

/** A line from the least to the most of the values. */
function ends(values: readonly number[], y: (x: number) => number): readonly Dot[] {
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  return [low, high].map((x) => ({ x, y: y(x) }));
}

/** As far as it is near rows and curve: one that runs away would press them flat. */
function bandOf(curve: NonNullable<FormulaTaskOutput["curve"]>, dots: readonly Dot[]) {
  const values = [...curve, ...dots].map(({ y }) => y);
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  const room = AROUND * (high - low);
  return curve.flatMap(({ x, y, within }) =>
    within === undefined
      ? []
      : [{ x, low: Math.max(low - room, y - within), high: Math.min(high + room, y + within) }],
  );
}
