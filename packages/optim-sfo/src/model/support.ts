/**
 * The parameters that a subfunction depends on, as far as its gradients show: those in which one of them had an entry
 * other than 0. A Hessian is zero in all the others, so its history is to be read, and its multiple of the identity to
 * be put, within the support alone.
 *
 * Sums of functions of a few parameters each are "partially separable": Griewank, Toint: Partitioned variable metric
 * updates for large structured optimization problems. Numer. Math. 39 (1982) 119-137. doi:10.1007/BF01399316.
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";

export class Support {
  private readonly isTouched: Uint8Array;
  private list: Int32Array | undefined;

  constructor(dimension: number) {
    this.isTouched = new Uint8Array(dimension);
  }

  /** The parameters in rising order; undefined if they are more than half of all, or none is known. */
  get parameters(): Int32Array | undefined {
    return this.list;
  }

  see(gradient: Float64Array): void {
    const { isTouched } = this;
    let isNew = false;
    for (let i = 0; i < isTouched.length; i++) {
      if (gradient[i] === 0 || isTouched[i] === 1) continue;
      isTouched[i] = 1;
      isNew = true;
    }
    if (isNew) this.enumerate();
  }

  private enumerate(): void {
    const found: number[] = [];
    this.isTouched.forEach((touched, i) => {
      if (touched === 1) found.push(i);
    });
    const isSparse = found.length > 0 && 2 * found.length <= this.isTouched.length;
    this.list = isSparse ? Int32Array.from(found) : undefined;
  }

  forget(): void {
    this.isTouched.fill(0);
    this.list = undefined;
  }

  save(): SnapshotValue {
    return this.isTouched.slice();
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader, key: string): () => void {
    const isTouched = state.uint8(key, this.isTouched.length);
    return () => {
      this.isTouched.set(isTouched);
      this.enumerate();
    };
  }
}
