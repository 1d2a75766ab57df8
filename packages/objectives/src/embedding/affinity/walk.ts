/**
 * The way through the points along which entropic rows are fitted: from neighbour to neighbour, since each row starts
 * from the β of the row before, and near points have near β. Where it leads depends on the neighbours alone, not on what
 * is found.
 *
 * It is cut into stretches, and the first row of each knows of none before it, so that threads can go through several at
 * a time. A row in 512 then takes a few evaluations more; few points are one stretch.
 */

/** Points that are one stretch: it is over when another thread has begun. */
const ONE_STRETCH = 4096;
/** Rows of a stretch where there are more: some 5 ms. */
const STRETCH = 512;

export const stretchCount = (points: number): number =>
  points <= ONE_STRETCH ? 1 : Math.ceil(points / STRETCH);

/**
 * @param order - is overwritten by the points, the first visited first
 * @param next - the unvisited point to go to from a point, or −1 for the first of all that are unvisited
 */
export function walk(order: Int32Array, next: (point: number, visited: Uint8Array) => number): void {
  const visited = new Uint8Array(order.length);
  let lowest = 0;
  let point = 0;
  for (let place = 0; place < order.length; place++) {
    order[place] = point;
    visited[point] = 1;
    point = next(point, visited);
    if (point >= 0) continue;
    while (visited[lowest] === 1) lowest += 1;
    point = lowest;
  }
}

/** Fits the rows of a stretch; `fit` is given the log β at which to start, and returns the one for the row after. */
export function goThrough(
  order: Int32Array,
  stretch: number,
  fit: (point: number, logBeta: number) => number,
): void {
  const count = stretchCount(order.length);
  const end = stretch === count - 1 ? order.length : (stretch + 1) * STRETCH;
  let logBeta = 0;
  for (let place = stretch * STRETCH; place < end; place++) logBeta = fit(order[place], logBeta);
}
