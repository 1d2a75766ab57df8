/** What the page of a paper says. */
export interface Paper {
  readonly id: PaperId;
  /** In the list of papers: a word or two. */
  readonly short: string;
  readonly title: string;
  readonly authors: string;
  readonly venue: string;
  /** The id of the view that shows it. */
  readonly view: string;
  readonly viewName: string;
  readonly package: string;
  /** What it is: a paragraph each. */
  readonly what: readonly string[];
  readonly formulas: readonly Formula[];
  readonly when: readonly string[];
  readonly whenNot: readonly string[];
  readonly measured: readonly Measured[];
}

export interface Formula {
  /** For KaTeX. */
  readonly tex: string;
  readonly words: string;
}

/** A part of a committed result: every cell of a row stands in one line of its source. */
export interface Measured {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** In the repository. */
  readonly source: string;
  readonly notes: readonly string[];
}

export const paperIds = ["spectral", "nomad", "ordinal", "sgdqn", "sfo"] as const;
export type PaperId = (typeof paperIds)[number];
