/** Columns that tell what is to be learned, and are hardly known before it. NaN is a missing value. */

type Values = (row: number) => number;

/** With fewer rows two columns may agree by chance. */
const ENOUGH = 10;
const CLOSE = 0.999;

/** Whether each value of one goes with one value of the other, and there are several rows for a value: a code of the class. */
export function isCodeOf(a: Values, b: Values, rows: number): boolean {
  const toB = new Map<number, number>();
  const toA = new Map<number, number>();
  let both = 0;
  for (let i = 0; i < rows; i++) {
    const [x, y] = [a(i), b(i)];
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    both++;
    if ((toB.get(x) ?? y) !== y || (toA.get(y) ?? x) !== x) return false;
    toB.set(x, y);
    toA.set(y, x);
  }
  return both >= ENOUGH && toB.size > 1 && 2 * toB.size <= both;
}

/** Whether the correlation of the rows that have both is nearly 1: the target in another unit. */
export function isInOtherUnit(a: Values, b: Values, rows: number): boolean {
  let [n, meanA, meanB, aa, bb, ab] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < rows; i++) {
    const [x, y] = [a(i), b(i)];
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    n++;
    const [dx, dy] = [x - meanA, y - meanB];
    meanA += dx / n;
    meanB += dy / n;
    aa += dx * (x - meanA);
    bb += dy * (y - meanB);
    ab += dx * (y - meanB);
  }
  return n >= ENOUGH && aa > 0 && bb > 0 && Math.abs(ab / Math.sqrt(aa) / Math.sqrt(bb)) > CLOSE;
}
