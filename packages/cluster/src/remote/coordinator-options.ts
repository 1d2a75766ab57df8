/** How a coordinator treats its workers. */
export interface CoordinatorOptions {
  /** Seconds without a single worker after which open questions end in an error. Default 60. */
  readonly patienceSeconds?: number;
  /** Seconds after which a silent worker is taken for dead. Default 5. */
  readonly deadAfterSeconds?: number;
  /** Into how many tasks for each free place questions about one point are cut. Default 2. */
  readonly tasksPerPlace?: number;
}

export const coordinatorDefaults: Required<CoordinatorOptions> = Object.freeze({
  patienceSeconds: 60,
  deadAfterSeconds: 5,
  tasksPerPlace: 2,
});
