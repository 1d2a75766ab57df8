import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";

/** Points uniform in the unit cube. */
export function randomPoints(rows: number, columns: number, seed: number): DenseMatrix {
  const random = new RandomGenerator(seed);
  return { rows, columns, data: Float64Array.from({ length: rows * columns }, () => random.uniform()) };
}

/** Rows on a small whole-number grid: many ties and duplicates. */
export function gridPoints(rows: number, columns: number, seed: number): DenseMatrix {
  const random = new RandomGenerator(seed);
  return { rows, columns, data: Float64Array.from({ length: rows * columns }, () => random.integer(3)) };
}

/** The rows in another order: row i of the result is row order[i]. */
export function permuted({ rows, columns, data }: DenseMatrix, order: readonly number[]): DenseMatrix {
  const result = new Float64Array(rows * columns);
  for (const [i, row] of order.entries()) {
    result.set(data.subarray(row * columns, (row + 1) * columns), i * columns);
  }
  return { rows, columns, data: result };
}

export function shuffled(count: number, seed: number): number[] {
  const random = new RandomGenerator(seed);
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** ‖a_i − b_j‖² as the definition says. */
export function distance2(a: DenseMatrix, i: number, b: DenseMatrix, j: number): number {
  let sum = 0;
  for (let c = 0; c < a.columns; c++) sum += (a.data[i * a.columns + c] - b.data[j * b.columns + c]) ** 2;
  return sum;
}
