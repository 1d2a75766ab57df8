/** What an HTML plot carries for its viewer: plain JSON. */
import type { Shape } from "../palette.js";

export interface Payload {
  readonly title: string;
  readonly subtitle: string;
  /** The legend's heading. */
  readonly legendName: string;
  /** Axes of `points`: 2, or 3 to be turned. */
  readonly axes: 2 | 3;
  /** Row by row. */
  readonly points: readonly number[];
  /** What each row is called, or none. */
  readonly names: readonly string[] | null;
  /** What else is known of the rows: labels, colours, columns that were kept. */
  readonly columns: readonly { readonly name: string; readonly values: readonly string[] }[];
  /** Of each row its nearest others in the data, nearest first; −1 where there are fewer. */
  readonly neighbors: { readonly count: number; readonly indices: readonly number[] } | null;
  readonly classes: readonly {
    readonly name: string;
    readonly color: string;
    readonly shape: Shape;
    readonly count: number;
  }[];
  readonly classOf: readonly number[];
  /** Rows in drawing order. */
  readonly order: readonly number[];
  readonly scale: { readonly ticks: readonly string[]; readonly colors: readonly string[] } | null;
  /** Whether there is anything that a legend explains. */
  readonly hasLegend: boolean;
  /** Around each row, in the plane: half of the longer axis, half of the shorter one, and the direction of the longer. */
  readonly regions?: { readonly ellipses: readonly (number | null)[]; readonly isMeaningless: boolean };
  /** A picture of each row in its place, as a data URL, and its side in pixels. */
  readonly images?: { readonly urls: readonly string[]; readonly side: number };
  readonly radius: number;
  readonly opacity: number;
}

export const rowsOf = ({ classOf }: Payload): number => classOf.length;

/** A row in words: its name, or its number. */
export const calledIn = ({ names }: Payload, row: number): string =>
  names?.[row] ? names[row] : `row ${row + 1}`;
