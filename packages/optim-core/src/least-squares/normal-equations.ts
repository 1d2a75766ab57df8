/**
 * The matrix of the normal equations of a sparse J, for many values and dampings of one pattern:  A = S⁻¹ JᵀJ S⁻¹ + diag(d).
 *
 * Its pattern, order and symbolic factor are made once. Columns that are left out have a 1 on the diagonal and zeros beside it, so
 * that neither bounds nor columns without entries change the pattern.
 */
import { CurvatureError, SparseCholesky, type SparseMatrix, storedEntries } from "@curvature/linalg";

/** The most entries of JᵀJ. */
const MOST_ENTRIES = 5e7;

/** J by columns: entry t of column j is `J.values[positions[t]]`, in row `rows[t]`. */
export interface SparseColumns {
  readonly pointers: Int32Array;
  readonly rows: Int32Array;
  readonly positions: Int32Array;
}

export class NormalEquations {
  /** Whom the factor is of: who finds another name here factors anew. */
  owner: unknown;
  private readonly matrix: SparseMatrix;
  private readonly diagonal: Int32Array;
  private readonly cholesky: SparseCholesky;

  /** @param pattern - of J. @throws CurvatureError ERR_MEMORY where JᵀJ or its factor is too large */
  constructor(
    pattern: SparseMatrix,
    private readonly columns: SparseColumns,
  ) {
    checkRows(pattern);
    this.matrix = productPattern(pattern, this.columns);
    const { rows: n, rowPointers, columnIndices, values } = this.matrix;
    this.diagonal = new Int32Array(n);
    for (let j = 0; j < n; j++)
      for (let p = rowPointers[j]; p < rowPointers[j + 1]; p++)
        if (columnIndices[p] === j) this.diagonal[j] = p;
    for (const p of this.diagonal) values[p] = 1;
    this.cholesky = new SparseCholesky(this.matrix);
  }

  /** S⁻¹ JᵀJ S⁻¹, as values of the pattern. @param scale - S⁻¹; 0 for columns that are left out */
  product(J: SparseMatrix, scale: Float64Array): Float64Array {
    const { matrix, columns, diagonal } = this;
    const { rowPointers, columnIndices, values: numbers } = J;
    const sums = new Float64Array(matrix.rows);
    const product = new Float64Array(matrix.values.length);
    for (const [j, factor] of scale.entries()) {
      for (let t = columns.pointers[j]; factor !== 0 && t < columns.pointers[j + 1]; t++) {
        const i = columns.rows[t];
        const entry = numbers[columns.positions[t]] * factor;
        for (let q = rowPointers[i]; q < rowPointers[i + 1]; q++)
          sums[columnIndices[q]] += entry * (numbers[q] * scale[columnIndices[q]]);
      }
      for (let p = matrix.rowPointers[j]; p < matrix.rowPointers[j + 1]; p++) {
        product[p] = sums[matrix.columnIndices[p]];
        sums[matrix.columnIndices[p]] = 0;
      }
      if (factor === 0) product[diagonal[j]] = 1;
    }
    return product;
  }

  /** Factors `product` + diag(added). @returns false where it is not positive definite to working precision */
  factor(product: Float64Array, added: (j: number) => number, owner: unknown): boolean {
    this.owner = undefined;
    this.matrix.values.set(product);
    for (const [j, p] of this.diagonal.entries()) this.matrix.values[p] += added(j);
    try {
      this.cholesky.refactor(this.matrix);
    } catch (error) {
      if (error instanceof CurvatureError && error.code === "ERR_NOT_POSITIVE_DEFINITE") return false;
      throw error;
    }
    this.owner = owner;
    return true;
  }

  /** A⁻¹ y, by the last factor. */
  solve(y: Float64Array): Float64Array {
    const x = new Float64Array(y.length);
    this.cholesky.solve(y, 1, x);
    return x;
  }

  inverseDiagonal(): Float64Array {
    return this.cholesky.inverseDiagonal();
  }
}

function checkRows({ rows, rowPointers }: SparseMatrix): void {
  for (let i = 0; i < rows; i++) {
    const width = rowPointers[i + 1] - rowPointers[i];
    if (width * width > MOST_ENTRIES)
      throw tooLarge(`row ${i} (counted from 0) of the Jacobian has ${width} entries, and`);
  }
}

const tooLarge = (reason: string): CurvatureError =>
  new CurvatureError(
    "ERR_MEMORY",
    `${reason} JᵀJ would have more than ${MOST_ENTRIES} entries. Leave out rows that depend on nearly all parameters, or take fewer parameters.`,
    { where: "leastSquares", path: "jacobian", expected: `at most ${MOST_ENTRIES} entries of JᵀJ` },
  );

/** The entries of J by columns. */
export function sparseColumns(J: SparseMatrix): SparseColumns {
  const pointers = new Int32Array(J.columns + 1);
  for (const j of J.columnIndices) pointers[j + 1]++;
  for (let j = 0; j < J.columns; j++) pointers[j + 1] += pointers[j];
  const next = pointers.slice();
  const rows = new Int32Array(storedEntries(J));
  const positions = new Int32Array(rows.length);
  for (let i = 0; i < J.rows; i++)
    for (let p = J.rowPointers[i]; p < J.rowPointers[i + 1]; p++) {
      const t = next[J.columnIndices[p]]++;
      rows[t] = i;
      positions[t] = p;
    }
  return { pointers, rows, positions };
}

/** The pattern of JᵀJ and its diagonal. */
function productPattern(J: SparseMatrix, { pointers, rows }: SparseColumns): SparseMatrix {
  const n = J.columns;
  const rowPointers = new Int32Array(n + 1);
  const seen = new Int32Array(n).fill(-1);
  const neighbours: Int32Array[] = [];
  for (let j = 0; j < n; j++) {
    const found = [j];
    seen[j] = j;
    for (let t = pointers[j]; t < pointers[j + 1]; t++)
      for (let q = J.rowPointers[rows[t]]; q < J.rowPointers[rows[t] + 1]; q++) {
        const k = J.columnIndices[q];
        if (seen[k] !== j) found.push(k);
        seen[k] = j;
      }
    neighbours.push(Int32Array.from(found).sort());
    rowPointers[j + 1] = rowPointers[j] + found.length;
    if (rowPointers[j + 1] > MOST_ENTRIES) throw tooLarge("");
  }
  const columnIndices = new Int32Array(rowPointers[n]);
  for (const [j, row] of neighbours.entries()) columnIndices.set(row, rowPointers[j]);
  return { rows: n, columns: n, rowPointers, columnIndices, values: new Float64Array(rowPointers[n]) };
}
