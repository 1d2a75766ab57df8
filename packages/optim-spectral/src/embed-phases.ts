/** What `embed` does, one after the other. */
export interface EmbedPhases {
  /** Reading and checking the data, `pca`, distances or nearest neighbours; seconds. */
  readonly neighbors: number;
  readonly affinities: number;
  readonly initialization: number;
  /** Making the solver (its matrix and factor) and the run; seconds. */
  readonly optimization: number;
}
