/**
 * Products of a dense D with a sparse factor Y, column by column: column j of Y is not zero at the places P_j.
 *
 *   (D Y)_kj, k ∈ P_j:   D[P_j, P_j] Y_Pj, a symmetric block that is gathered once for a set of places:  Σ_j p_j²
 *   rows i of D Y:       Σ_{k ∈ P_j} Y_kj D_ki, from rows of D, which is symmetric:                      p for a row
 */
import { type DenseMatrix, dot, symmetricEntries, symmetricTimesVector, zeros } from "@curvature/linalg";
import { checkMemory } from "../memory.js";
import { addRows } from "./add-rows.js";
import type { Places } from "./burer-monteiro-factor.js";
import type { FactorProducts } from "./factor-products.js";

/** D[P_j, P_j], and room for what it is multiplied with and what comes out. */
interface Block {
  readonly D: DenseMatrix;
  readonly values: Float64Array;
  readonly products: Float64Array;
}

export class MatrixProducts implements FactorProducts {
  private known: Places | undefined;
  private blocks: readonly Block[] = [];
  /** Of all blocks; kept as long as they fit. */
  private entries: Float64Array = new Float64Array(0);
  /** Those of all blocks. */
  private values = new Float64Array(0);
  private products = new Float64Array(0);

  /** @param memoryLimit - bytes that the blocks may take */
  constructor(
    private readonly D: DenseMatrix,
    private readonly memoryLimit: number,
  ) {}

  atPlaces(places: Places, values: Float64Array, out: Float64Array | undefined): number {
    if (this.known !== places) this.gather(places);
    this.values.set(values);
    for (const block of this.blocks) symmetricTimesVector(block.D, block.values, block.products);
    out?.set(this.products);
    return dot(values, this.products);
  }

  private gather(places: Places): void {
    const { r, starts, rows } = places;
    let size = 0;
    for (let j = 0; j < r; j++) size += (starts[j + 1] - starts[j]) ** 2;
    this.blocks = [];
    this.known = undefined;
    if (this.entries.length < size) {
      checkMemory("BurerMonteiro", `Y with ${rows.length} places`, 8 * size, this.memoryLimit);
      this.entries = new Float64Array(0); // two of them might not fit
      this.entries = symmetricEntries(size, this.D.rows);
    }
    this.values = new Float64Array(rows.length);
    this.products = new Float64Array(rows.length);
    let at = 0;
    this.blocks = Array.from({ length: r }, (_, j) => {
      const [start, end] = [starts[j], starts[j + 1]];
      const p = end - start;
      const data = this.entries.subarray(at, at + p * p);
      at += p * p;
      this.gatherBlock(rows.subarray(start, end), data);
      return {
        D: { rows: p, columns: p, data },
        values: this.values.subarray(start, end),
        products: this.products.subarray(start, end),
      };
    });
    this.known = places;
  }

  /** The lower triangle alone. */
  private gatherBlock(rows: Int32Array, block: Float64Array): void {
    const { data, columns: n } = this.D;
    const p = rows.length;
    for (let k = 0; k < p; k++) {
      const row = rows[k] * n;
      for (let l = 0; l <= k; l++) block[k * p + l] = data[row + rows[l]];
    }
  }

  ofRows({ r, starts, rows }: Places, values: Float64Array, from: number, to: number): DenseMatrix {
    const part = zeros(to - from, r);
    const column = new Float64Array(to - from);
    for (let j = 0; j < r; j++) {
      column.fill(0);
      addRows(this.D, from, rows, values, starts[j], starts[j + 1], column);
      for (let i = 0; i < column.length; i++) part.data[i * r + j] = column[i];
    }
    return part;
  }

  rowCost({ rows }: Places): number {
    return rows.length;
  }
}
