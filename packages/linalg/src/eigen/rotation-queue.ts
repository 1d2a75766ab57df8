/** Sweeps of rotations that wait until there are enough of them to be worth a walk through the rows. */
import { rotateRowsInTypeScript } from "../kernels/rotations.js";
import { installed } from "../kernels/table.js";

/** Rotations that wait, for each row. */
const PER_ROW = 32;

export class RotationQueue {
  private readonly c: Float64Array;
  private readonly s: Float64Array;
  private readonly sweeps: Int32Array;
  private count = 0;
  private used = 0;

  /** @param Z - n rows of `width`, which are rotated when `apply` is called, or the queue is full */
  constructor(
    private readonly Z: Float64Array,
    private readonly n: number,
    private readonly width: number,
  ) {
    this.c = new Float64Array(PER_ROW * n);
    this.s = new Float64Array(PER_ROW * n);
    this.sweeps = new Int32Array(2 * PER_ROW * n);
  }

  /** A sweep from row m up. */
  begin(m: number): void {
    if (this.used + m > this.c.length) this.apply();
    this.sweeps[2 * this.count + 1] = m;
  }

  /** The next rotation, one row further up. */
  push(c: number, s: number): void {
    this.c[this.used] = c;
    this.s[this.used++] = s;
  }

  /** The sweep has reached row l. */
  end(l: number): void {
    if (this.sweeps[2 * this.count + 1] > l) this.sweeps[2 * this.count++] = l;
  }

  apply(): void {
    const { Z, n, width, sweeps, count, c, s } = this;
    const rotateRows = installed.rotateRows ?? rotateRowsInTypeScript;
    if (count > 0) rotateRows(Z, n, width, sweeps, count, c, s);
    this.count = 0;
    this.used = 0;
  }
}
