/**
 * The points that a remote sum has sent out: as long as a question about them is open, and the last few for questions to
 * come.
 */
import type { RemotePoint } from "./transport.js";

export interface HeldPoint extends RemotePoint {
  /** Questions about it that have no answer yet. */
  open: number;
}

/** The last one, the one before, and where F is measured. */
const POINTS_KEPT = 4;

export class HeldPoints {
  private points: HeldPoint[] = [];
  private ids = 0;

  /** @param forget - called with those that nobody will ask about */
  constructor(private readonly forget: (point: RemotePoint) => void) {}

  /** The point of a new question. The same bits are the same point. */
  asked(x: Float64Array): HeldPoint {
    let point = this.points.find((known) => isSamePoint(known.x, x));
    if (point === undefined) {
      point = { id: this.ids++, x: x.slice(), open: 0 };
      this.points.push(point);
      this.forgetOldest();
    }
    point.open++;
    return point;
  }

  answered(point: HeldPoint): void {
    point.open--;
    if (this.points.length > POINTS_KEPT) this.forgetOldest();
  }

  private forgetOldest(): void {
    let surplus = this.points.length - POINTS_KEPT;
    this.points = this.points.filter((point, k) => {
      const isNeeded = surplus <= 0 || point.open > 0 || k === this.points.length - 1;
      if (isNeeded) return true;
      surplus--;
      this.forget(point);
      return false;
    });
  }
}

/** With −0 and 0 told apart, as subfunctions may do. Points differ early, so this is short. */
function isSamePoint(a: Float64Array, b: Float64Array): boolean {
  for (let j = 0; j < a.length; j++) if (!Object.is(a[j], b[j])) return false;
  return true;
}
