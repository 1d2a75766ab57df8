/** Some or all of the blocks of residuals as one problem. */
import {
  CurvatureError,
  type DenseMatrix,
  isSparse,
  type MatrixLike,
  type SparseMatrix,
  type SparseMatrixLike,
  toDense,
  toSparse,
} from "@curvature/linalg";
import { isPromise } from "../event-loop.js";
import { indicesOf } from "../sum.js";
import { checkJacobianShape, checkMatrix, denseOf } from "./jacobian-form.js";
import type { ResidualBlocks } from "./residual-blocks.js";
import { type LeastSquaresProblem, numbersOf } from "./residual-function.js";

const where = "leastSquares";

export class JoinedBlocks {
  /** Of r_i; −1 where that is not known yet. */
  readonly sizes: Int32Array;
  private readonly everything: Int32Array;

  /** @param concurrency - blocks under way at once, where they are promises. @throws CurvatureError ERR_MEMORY for more than 2²⁷ blocks */
  constructor(
    private readonly blocks: ResidualBlocks,
    private readonly concurrency: number,
  ) {
    this.everything = indicesOf(where, blocks.count);
    this.sizes = new Int32Array(blocks.count).fill(-1);
  }

  /** The rows of these blocks, one block after the other; left out: of all. */
  of(indices: Int32Array = this.everything): LeastSquaresProblem {
    return {
      residuals: (x) => this.residuals(indices, x),
      jacobian: this.blocks.blockJacobian && ((x) => this.jacobian(indices, x)),
      fingerprint: this.blocks.fingerprint,
    };
  }

  private residuals(indices: Int32Array, x: Float64Array): Float64Array | Promise<Float64Array> {
    const found: Float64Array[] = [];
    const take = (answer: unknown, k: number): void => {
      found[k] = numbersOf(answer, `blockResiduals(${indices[k]})`);
      this.checkSize(indices[k], found[k].length);
    };
    const work = this.inTurn(indices, (i) => this.blocks.blockResiduals(i, x), take);
    return work === undefined ? joined(found) : work.then(() => joined(found));
  }

  private checkSize(index: number, size: number): void {
    const known = this.sizes[index];
    this.sizes[index] = size;
    if (known === size || known < 0) return;
    throw new CurvatureError(
      "ERR_SHAPE",
      `block ${index} gave ${known} residuals at the first point and ${size} at a later one. Return as many at every point.`,
      { where, path: `blockResiduals(${index})`, expected: `${known} numbers`, received: size },
    );
  }

  private jacobian(
    indices: Int32Array,
    x: Float64Array,
  ): DenseMatrix | SparseMatrix | Promise<DenseMatrix | SparseMatrix> {
    const { blocks, sizes } = this;
    const n = blocks.dimension;
    const filled = indices.filter((i) => sizes[i] > 0);
    const parts: (DenseMatrix | SparseMatrix)[] = [];
    const take = (answer: MatrixLike | SparseMatrixLike | undefined, k: number): void => {
      const i = filled[k];
      checkMatrix(answer, sizes[i], n);
      const name = `${where}: blockJacobian(${i})`;
      const given = isSparse(answer) ? toSparse(answer, name) : toDense(answer, name);
      checkJacobianShape(given, sizes[i], n, `blockJacobian(${i})`);
      parts[k] = copyOf(given);
    };
    const work = this.inTurn(filled, (i) => blocks.blockJacobian?.(i, x), take);
    return work === undefined ? stacked(parts, n) : work.then(() => stacked(parts, n));
  }

  /** Asks for one block after the other; those that are promises side by side. @returns undefined if all is done */
  private inTurn<T>(
    indices: Int32Array,
    ask: (index: number) => T | Promise<T>,
    take: (answer: T, k: number) => void,
  ): Promise<void> | undefined {
    let next = 0;
    while (next < indices.length) {
      const k = next++;
      const answer = ask(indices[k]);
      if (isPromise(answer)) {
        const goOn = async (first?: Promise<T>, place = 0): Promise<void> => {
          if (first !== undefined) take(await first, place);
          while (next < indices.length) {
            const at = next++;
            take(await ask(indices[at]), at);
          }
        };
        const others = Math.min(this.concurrency, indices.length - k) - 1;
        const all = Promise.all([goOn(answer, k), ...Array.from({ length: others }, () => goOn())]);
        return all.then(
          () => undefined,
          (reason: unknown) => {
            next = indices.length; // after a rejection nothing new is begun
            throw reason;
          },
        );
      }
      take(answer, k);
    }
    return undefined;
  }
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const copyOf = (matrix: DenseMatrix | SparseMatrix): DenseMatrix | SparseMatrix =>
  "data" in matrix
    ? { ...matrix, data: matrix.data.slice() }
    : {
        ...matrix,
        rowPointers: matrix.rowPointers.slice(),
        columnIndices: matrix.columnIndices.slice(),
        values: matrix.values.slice(),
      };

/** Sparse where all are. */
function stacked(
  parts: readonly (DenseMatrix | SparseMatrix)[],
  columns: number,
): DenseMatrix | SparseMatrix {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const sparse = parts.filter((part): part is SparseMatrix => !("data" in part));
  if (sparse.length < parts.length) {
    const data = new Float64Array(rows * columns);
    let at = 0;
    for (const part of parts) {
      data.set("data" in part ? part.data : denseOf(part).data, at);
      at += part.rows * columns;
    }
    return { rows, columns, data };
  }
  const rowPointers = new Int32Array(rows + 1);
  const entries = sparse.reduce((sum, { values }) => sum + values.length, 0);
  const columnIndices = new Int32Array(entries);
  const values = new Float64Array(entries);
  let [row, entry] = [0, 0];
  for (const part of sparse) {
    for (let i = 0; i < part.rows; i++) rowPointers[++row] = entry + part.rowPointers[i + 1];
    columnIndices.set(part.columnIndices, entry);
    values.set(part.values, entry);
    entry += part.values.length;
  }
  return { rows, columns, rowPointers, columnIndices, values };
}
