/** The line and colour of each solver of a view. */
import type { Theme } from "../shell/theme.js";
import type { Line } from "./line-chart.js";
import { classColor } from "./palette.js";

export interface SolverLooks {
  readonly name: string;
  /** Of the palette. */
  readonly color: number;
  readonly dash?: readonly number[];
}

export const lineLooks = (
  { name, color, dash }: SolverLooks,
  theme: Theme,
): Pick<Line, "name" | "color" | "dash"> => ({ name, color: classColor(color, theme), dash });
