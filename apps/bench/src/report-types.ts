/** What an experiment found: the description from which a report is written. */

export type Cell = string | number | null;

export interface Table {
  readonly title?: string;
  /** What the table is of; between title and rows. */
  readonly note?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Figure {
  /** File name without its ending. */
  readonly name: string;
  readonly caption: string;
  readonly svg: string;
}

export interface Report {
  /** Folder: the package's last name, or "all". */
  readonly paper: "spectral" | "sdp" | "sfo" | "svrg" | "sgdqn" | "core" | "cluster" | "gpu" | "all";
  /** File name without its ending. */
  readonly name: string;
  readonly title: string;
  /** What the paper says (with its figure or table), that this run checks. */
  readonly claim: string;
  /** Data sets: sizes, where they come from. */
  readonly data: string;
  /** Contestants with their versions, and what was done with them. */
  readonly method: string;
  /**
   * How often, with which seeds, and how far apart results lie: "Medians of 3 runs (seeds 0 to 2), in brackets the least
   * and the most"; or that there was one run, and whether chance has a part in it.
   */
  readonly repeats: string;
  /** What a second is; none where no time is told. */
  readonly clock: "processor" | "wall" | "both" | "none";
  /** What came out, the places where this project loses included; computed from the tables where it can be. */
  readonly findings: readonly string[];
  readonly tables: readonly Table[];
  readonly figures?: readonly Figure[];
}
