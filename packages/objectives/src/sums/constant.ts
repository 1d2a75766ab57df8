import { type DenseMatrix, zeros } from "@curvature/linalg";

/** The rows with a last entry 1, whose weight is a bias. */
export function withConstant({ rows, columns, data }: DenseMatrix): DenseMatrix {
  const longer = zeros(rows, columns + 1);
  for (let n = 0; n < rows; n++) {
    longer.data.set(data.subarray(n * columns, (n + 1) * columns), n * (columns + 1));
    longer.data[n * (columns + 1) + columns] = 1;
  }
  return longer;
}
