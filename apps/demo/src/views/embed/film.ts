/**
 * The maps of a run as a film: one at the end of every λ, and those between as memory allows.
 */
export interface Still {
  readonly iteration: number;
  readonly lambda: number;
  readonly energy: number;
  /** x0, y0, x1, y1, … in single precision. */
  readonly map: Float32Array<ArrayBuffer>;
}

/** Bytes that a film may take; a still has 8 per point. */
const mostBytes = 48 * 2 ** 20;
const mostStills = 400;
const leastStills = 60;

export class Film {
  private kept: Still[] = [];
  /** Iterations between two stills of the same λ. */
  private stride = 1;

  get stills(): readonly Still[] {
    return this.kept;
  }

  /** Whether a map of this iteration would be kept: to be asked before it is copied. */
  add(still: Still): void {
    const last = this.kept.at(-1);
    const previous = this.kept.at(-2);
    // The last still is always the newest; it stays only if it ends its λ or is a stride from the one before.
    const isProvisional =
      last !== undefined &&
      previous !== undefined &&
      last.lambda === still.lambda &&
      last.iteration - previous.iteration < this.stride;
    if (isProvisional) this.kept.pop();
    this.kept.push(still);
    if (this.kept.length > this.capacity(still)) this.thin();
  }

  private capacity({ map }: Still): number {
    return Math.min(mostStills, Math.max(leastStills, Math.floor(mostBytes / map.byteLength)));
  }

  /** Every second still goes, but not the last of a λ; if all are such, every second one. */
  private thin(): void {
    const { kept } = this;
    const endsLambda = (k: number): boolean => k === kept.length - 1 || kept[k].lambda !== kept[k + 1].lambda;
    let thinned = kept.filter((_, k) => k === 0 || k % 2 === 0 || endsLambda(k));
    if (thinned.length > kept.length * 0.9)
      thinned = kept.filter((_, k) => k % 2 === 0 || k === kept.length - 1);
    this.kept = thinned;
    this.stride *= 2;
  }

  /** Takes the stills out; they are then another's. */
  drain(): readonly Still[] {
    return this.kept.splice(0);
  }
}
