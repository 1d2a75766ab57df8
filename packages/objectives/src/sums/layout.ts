/** Where the parameters of a model lie in x. */

/** Where one array of a model's parameters lies in x: row-major, from `offset`. */
export interface ParameterBlock {
  readonly name: string;
  readonly offset: number;
  readonly rows: number;
  readonly columns: number;
}

/** The length of x. */
export function parameterCount(layout: readonly ParameterBlock[]): number {
  return layout.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
}

/** Blocks one after the other, from offset 0. */
export function layoutOf(
  shapes: readonly (readonly [name: string, rows: number, columns: number])[],
): ParameterBlock[] {
  let offset = 0;
  return shapes.map(([name, rows, columns]) => {
    const block = { name, offset, rows, columns };
    offset += rows * columns;
    return block;
  });
}
