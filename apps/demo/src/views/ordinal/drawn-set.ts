/** Things that are drawn and can be asked about, with a rule that answers for who is in a hurry. */

export type Drawing =
  | { readonly kind: "disc"; readonly color: string }
  /** x0, y0, x1, y1, … of a closed outline within −1 … 1; y goes down. */
  | { readonly kind: "outline"; readonly points: readonly number[] };

interface Thing {
  readonly name: string;
  readonly drawing: Drawing;
}

export interface DrawnSet {
  /** For headings and files. */
  readonly name: string;
  readonly things: readonly Thing[];
  /** What the rule goes by, in words. */
  readonly rule: string;
  /** The rule's distance. */
  readonly distance: (i: number, j: number) => number;
  /** x0, y0, x1, y1, …: maps are turned towards these places, so that they do not turn with every answer. */
  readonly compass: Float64Array;
}

/** The drawing as SVG's path, of size 1. */
export function pathOf(points: readonly number[]): string {
  const corners: string[] = [];
  for (let k = 0; k < points.length; k += 2)
    corners.push(`${points[k].toFixed(3)} ${points[k + 1].toFixed(3)}`);
  return `M${corners.join("L")}Z`;
}
