/** What the program knows of an experiment: what it checks, with which arguments, and what it needs that is not in this repository. */
import type { DataKind, Program } from "../needs.ts";

export type Paper = "spectral" | "sdp" | "sfo" | "svrg" | "sgdqn" | "core" | "all" | "cluster" | "gpu";

export interface DataOption {
  /** The experiment's option that takes the folder. */
  readonly option: string;
  readonly kind: DataKind;
  /** Whether a full run, or every run, cannot do without; else it measures less. */
  readonly isNeeded: "always" | "full" | "never";
}

/** A picture of what a table says: a line for each row, marks for the figures of some columns. */
export interface TablePicture {
  /** The file's name is that of the result, a hyphen and this. */
  readonly name: string;
  /** Behind the report's title. */
  readonly title: string;
  /** Which of the report's tables, counted from 0; a panel for each with "all". Default 0. */
  readonly tables?: number | "all";
  /** The column whose cells part the rows into panels. */
  readonly panel?: string;
  /** Columns whose cells together name a row. */
  readonly names: readonly string[];
  /** The columns that are drawn, by the names that the legend has for them; a place where a table has two of one name. */
  readonly marks: Readonly<Record<string, string | number>>;
  readonly axis: string;
  /** The axis is logarithmic unless this is true. */
  readonly isLinear?: true;
}

export interface Experiment {
  /** `<paper>/<figure or table>`, the file below `experiments/`. */
  readonly name: `${Paper}/${string}`;
  /** What the paper says, or this repository, in a line. */
  readonly claim: string;
  /** Beside `--quick`. */
  readonly quick?: readonly string[];
  /**
   * The full runs: the name of each one's result in `docs/results/<paper>/`, without ending, and its arguments. One of the
   * experiment's name with its own defaults where left out; if the result has another name, the experiment hears it as
   * `--name`.
   */
  readonly full?: Readonly<Record<string, readonly string[]>>;
  readonly data?: readonly DataOption[];
  readonly programs?: readonly Program[];
  /** Why there is no result yet. */
  readonly unmeasured?: string;
  /** Beside those that the experiment draws. */
  readonly pictures?: readonly TablePicture[];
}

/** A name within its paper, which is that of the first result, too. */
export const ownName = ({ name }: Experiment): string => name.slice(name.indexOf("/") + 1);

export const fullRuns = (experiment: Experiment): Readonly<Record<string, readonly string[]>> =>
  experiment.full ?? { [ownName(experiment)]: [] };
