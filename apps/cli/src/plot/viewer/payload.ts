/** What an HTML plot carries for its viewer: plain JSON. */
export interface Payload {
  readonly title: string;
  readonly subtitle: string;
  readonly labelName: string;
  /** Axes of `points`: 2, or 3 to be turned. */
  readonly axes: 2 | 3;
  /** Row by row. */
  readonly points: readonly number[];
  /** One per row, or none. */
  readonly labels: readonly string[] | null;
  /** What each row is called, or none. */
  readonly names: readonly string[] | null;
  /** Whether the names stand beside their points, or only where the pointer is. */
  readonly namesShown: boolean;
  readonly classes: readonly {
    readonly name: string;
    readonly color: string;
    readonly ring: boolean;
    readonly count: number;
  }[];
  readonly classOf: readonly number[];
  /** Rows in drawing order. */
  readonly order: readonly number[];
  readonly scale: { readonly low: string; readonly high: string; readonly colors: readonly string[] } | null;
  readonly radius: number;
  readonly opacity: number;
}
