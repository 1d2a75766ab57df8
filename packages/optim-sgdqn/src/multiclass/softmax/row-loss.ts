/** The loss of one row, l = ln Σ_k e^{s_k} − s_y, with its derivatives, all of them with their small digits. */
import { exp, log1p } from "@curvature/linalg";

export class RowLoss {
  /** p_k = e^{s_k} / Σ e^{s_j} */
  readonly p: Float64Array;
  /** 1 − p_y */
  miss = 0;
  loss = 0;
  private top = 0;
  /** 1 − p of the largest score's class */
  private rest = 0;
  private readonly scores: Float64Array;

  constructor(readonly classes: number) {
    this.p = new Float64Array(classes);
    this.scores = new Float64Array(classes);
  }

  /** At the scores z + t q, which begin at `at`. @param y - the row's class */
  take(z: Float64Array, q: Float64Array, t: number, at: number, y: number): void {
    const { classes, scores, p } = this;
    let top = 0;
    for (let k = 0; k < classes; k++) {
      scores[k] = z[at + k] + t * q[at + k];
      if (scores[k] > scores[top]) top = k;
    }
    let others = 0;
    for (let k = 0; k < classes; k++) {
      p[k] = k === top ? 1 : exp(scores[k] - scores[top]);
      if (k !== top) others += p[k];
    }
    let miss = 0;
    for (let k = 0; k < classes; k++) {
      p[k] /= 1 + others;
      if (k !== y) miss += p[k];
    }
    this.top = top;
    this.rest = others / (1 + others);
    this.miss = miss;
    this.loss = log1p(others) + (scores[top] - scores[y]);
  }

  /** dl/ds_k */
  slope(k: number, y: number): number {
    return k === y ? -this.miss : this.p[k];
  }

  /** 1 − p_k. The curvatures are p_k (1 − p_k), and −p_j p_k off the diagonal. */
  complement(k: number): number {
    return k === this.top ? this.rest : 1 - this.p[k];
  }
}
