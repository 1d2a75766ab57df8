/** One side of a comparison: data in, 2-D map out, with whatever defaults its users get. */
export interface Contestant {
  readonly name: string;
  /** The package and version measured, and the settings that differ from its defaults. */
  readonly description: string;
  /** "t-SNE" contestants minimise the same divergence and are compared by it; others are shown beside them. */
  readonly kind: "t-SNE" | "other";
  /** Draws anew each time, whatever the seed. */
  readonly hasNoSeed?: true;
  embed(points: readonly (readonly number[])[], seed: number): Promise<number[][]>;
}
