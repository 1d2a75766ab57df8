/** What the program knows of an experiment: what it checks, with which arguments, and what it needs that is not in this repository. */
import type { DataKind, Program } from "../needs.ts";

export type Paper = "spectral" | "sdp" | "sfo" | "svrg" | "sgdqn" | "all" | "cluster";

export interface DataOption {
  /** The experiment's option that takes the folder. */
  readonly option: string;
  readonly kind: DataKind;
  /** Whether a full run, or every run, cannot do without; else it measures less. */
  readonly isNeeded: "always" | "full" | "never";
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
  /** Of a full run, as it was measured, wall clock; undefined where none was. */
  readonly minutes?: number;
}

/** A name within its paper, which is that of the first result, too. */
export const ownName = ({ name }: Experiment): string => name.slice(name.indexOf("/") + 1);

export const fullRuns = (experiment: Experiment): Readonly<Record<string, readonly string[]>> =>
  experiment.full ?? { [ownName(experiment)]: [] };
