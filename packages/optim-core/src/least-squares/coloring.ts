/**
 * Differences of many columns at once: columns without a common row are in one group, and each residual says of which it is.
 *
 * Curtis, Powell, Reid: On the estimation of sparse Jacobian matrices. J. Inst. Maths Applics 13 (1974) 117-119: each group takes, from
 * the first to the last, every column left that shares no row with those it has. A band of width w takes w groups.
 */
import { type SparseMatrix, transposeSparse } from "@curvature/linalg";

/** Columns by groups. @param isLeftOut - columns that are in no group, as those without entries are */
export function columnGroups(pattern: SparseMatrix, isLeftOut: (j: number) => boolean): Int32Array[] {
  const { rowPointers: from, columnIndices: rows } = transposeSparse(pattern);
  const takenBy = new Int32Array(pattern.rows).fill(-1);
  let left: number[] = [];
  for (let j = 0; j < pattern.columns; j++) if (from[j + 1] > from[j] && !isLeftOut(j)) left.push(j);
  const groups: Int32Array[] = [];
  while (left.length > 0) {
    const group: number[] = [];
    const rest: number[] = [];
    for (const j of left) {
      const own = rows.subarray(from[j], from[j + 1]);
      if (own.some((i) => takenBy[i] === groups.length)) {
        rest.push(j);
        continue;
      }
      for (const i of own) takenBy[i] = groups.length;
      group.push(j);
    }
    groups.push(Int32Array.from(group));
    left = rest;
  }
  return groups;
}

/**
 * Points asked for by several columns are one point: when all that still work have asked for a step of their own, the residuals are
 * evaluated once, with all these steps.
 */
export class SharedSteps {
  private waiting: {
    readonly j: number;
    readonly step: number;
    readonly answer: (r: Float64Array) => void;
    readonly fail: (error: unknown) => void;
  }[] = [];
  private working = 0;

  constructor(
    private readonly x: Float64Array,
    private readonly residuals: (x: Float64Array) => Promise<Float64Array>,
  ) {}

  /** Does the work of all columns side by side. */
  async all(
    columns: Int32Array,
    work: (j: number, beside: (step: number) => Promise<Float64Array>) => Promise<void>,
  ): Promise<void> {
    this.working = columns.length;
    await Promise.all(
      Array.from(columns, async (j) => {
        try {
          await work(j, (step) => this.beside(j, step));
        } finally {
          this.working--;
          this.evaluateIfAllWait();
        }
      }),
    );
  }

  private beside(j: number, step: number): Promise<Float64Array> {
    return new Promise((answer, fail) => {
      this.waiting.push({ j, step, answer, fail });
      this.evaluateIfAllWait();
    });
  }

  private evaluateIfAllWait(): void {
    if (this.waiting.length === 0 || this.waiting.length < this.working) return;
    const asked = this.waiting;
    this.waiting = [];
    const there = this.x.slice();
    for (const { j, step } of asked) there[j] += step;
    this.residuals(there).then(
      (r) => {
        for (const { answer } of asked) answer(r);
      },
      (error: unknown) => {
        for (const { fail } of asked) fail(error);
      },
    );
  }
}
