/**
 * How many answers would have to go for the rest to be free of cycles (a feedback arc set): an estimate from above, by an
 * order of the pairs in which as few answers as possible point backwards.
 *
 * Pairs are ordered by levels, each the mean of its neighbours' plus or minus 1, which begin with how much more often they
 * are the nearer than the farther one (least squares of Gauss and Seidel), and then moved: in turn each pair goes
 * to where the fewest of its own answers point backwards, for a few rounds (insertion moves). Time O(N log N) a round.
 *
 * Eades, Lin, Smyth: A fast and effective heuristic for the feedback arc set problem (1993), for orders by differences of
 * degrees.
 */
const ROUNDS = 30;
const LEVEL_ROUNDS = 30;

/** @param from - the nearer pair of each answer, by its number below `nodes`; @param to - the farther one */
export function backwardAnswers(nodes: number, from: Int32Array, to: Int32Array): number {
  if (from.length === 0) return 0;
  const begin = new Int32Array(nodes + 1);
  for (let e = 0; e < from.length; e++) {
    begin[from[e] + 1]++;
    begin[to[e] + 1]++;
  }
  for (let v = 0; v < nodes; v++) begin[v + 1] += begin[v];
  const next = begin.slice(0, nodes);
  const other = new Int32Array(2 * from.length);
  const isOut = new Uint8Array(2 * from.length);
  const place = new Float64Array(nodes); // smaller is nearer
  for (let e = 0; e < from.length; e++) {
    isOut[next[from[e]]] = 1;
    other[next[from[e]]++] = to[e];
    other[next[to[e]]++] = from[e];
  }
  for (let v = 0; v < nodes; v++) {
    const degree = begin[v + 1] - begin[v];
    let out = 0;
    for (let at = begin[v]; at < begin[v + 1]; at++) out += isOut[at];
    place[v] = degree === 0 ? 0 : 1 - (2 * out) / degree;
  }
  for (let round = 0; round < LEVEL_ROUNDS; round++)
    for (let v = 0; v < nodes; v++) {
      let sum = 0;
      for (let at = begin[v]; at < begin[v + 1]; at++) sum += place[other[at]] + (isOut[at] === 1 ? -1 : 1);
      if (begin[v + 1] > begin[v]) place[v] = sum / (begin[v + 1] - begin[v]);
    }
  for (let v = 0; v < nodes; v++) place[v] += v * 1e-9; // of a mere circle all levels are the same
  let least = backward(place, from, to);
  for (let round = 0; round < ROUNDS && least > 0; round++) {
    for (let v = 0; v < nodes; v++) moveToBest(v, begin, other, isOut, place);
    const now = backward(place, from, to);
    if (now >= least) break;
    least = now;
  }
  return least;
}

/** Puts v between two of its neighbours where the fewest of its answers point backwards; where it is good, it stays. */
function moveToBest(
  v: number,
  begin: Int32Array,
  other: Int32Array,
  isOut: Uint8Array,
  place: Float64Array,
): void {
  const edges = Array.from({ length: begin[v + 1] - begin[v] }, (_, k) => begin[v] + k);
  if (edges.length < 2) {
    for (const at of edges) place[v] = place[other[at]] + (isOut[at] === 1 ? -1e-6 : 1e-6);
    return;
  }
  edges.sort((a, b) => place[other[a]] - place[other[b]] || a - b);
  // Before all neighbours the answers in which v is the farther pair point backwards.
  let wrong = 0;
  for (const at of edges) wrong += 1 - isOut[at];
  let least = wrong;
  let gap = 0;
  let now = 0; // backward answers where v is
  for (const at of edges) {
    const isBefore = place[v] < place[other[at]];
    if (isBefore !== (isOut[at] === 1)) now++;
  }
  for (let k = 0; k < edges.length; k++) {
    wrong += isOut[edges[k]] === 1 ? 1 : -1;
    const isGap = k + 1 === edges.length || place[other[edges[k]]] < place[other[edges[k + 1]]];
    if (isGap && wrong < least) {
      least = wrong;
      gap = k + 1;
    }
  }
  if (least >= now) return;
  if (gap === 0) place[v] = place[other[edges[0]]] - 1;
  else if (gap === edges.length) place[v] = place[other[edges[gap - 1]]] + 1;
  else place[v] = (place[other[edges[gap - 1]]] + place[other[edges[gap]]]) / 2;
}

function backward(place: Float64Array, from: Int32Array, to: Int32Array): number {
  let count = 0;
  for (let e = 0; e < from.length; e++) if (!(place[from[e]] < place[to[e]])) count++;
  return count;
}
