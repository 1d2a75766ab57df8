/** Vertices by their gain, the greatest first; gains may change while they wait. A binary heap that knows its places. */
export class GainQueue {
  private readonly heap: Int32Array;
  /** Of each vertex its place in the heap, −1: not in it. */
  private readonly place: Int32Array;
  private readonly gain: Int32Array;
  private count = 0;

  constructor(size: number) {
    this.heap = new Int32Array(size);
    this.place = new Int32Array(size).fill(-1);
    this.gain = new Int32Array(size);
  }

  /** The vertex of the greatest gain, −1 if there is none. */
  top(): number {
    return this.count === 0 ? -1 : this.heap[0];
  }

  gainOf(v: number): number {
    return this.gain[v];
  }

  insert(v: number, gain: number): void {
    this.gain[v] = gain;
    this.rise(v, this.count++);
  }

  /** Does nothing for a vertex that does not wait. */
  add(v: number, change: number): void {
    const at = this.place[v];
    if (at === -1) return;
    this.gain[v] += change;
    if (change > 0) this.rise(v, at);
    else this.sink(v, at);
  }

  /** Does nothing for a vertex that does not wait. */
  remove(v: number): void {
    const at = this.place[v];
    if (at === -1) return;
    this.place[v] = -1;
    const last = this.heap[--this.count];
    if (last === v) return;
    if (this.gain[last] > this.gain[v]) this.rise(last, at);
    else this.sink(last, at);
  }

  clear(): void {
    for (let k = 0; k < this.count; k++) this.place[this.heap[k]] = -1;
    this.count = 0;
  }

  private rise(v: number, from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = this.heap[above];
      if (this.gain[other] >= this.gain[v]) break;
      this.put(other, at);
      at = above;
    }
    this.put(v, at);
  }

  private sink(v: number, from: number): void {
    let at = from;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.count) break;
      if (below + 1 < this.count && this.gain[this.heap[below + 1]] > this.gain[this.heap[below]]) below++;
      const other = this.heap[below];
      if (this.gain[other] <= this.gain[v]) break;
      this.put(other, at);
      at = below;
    }
    this.put(v, at);
  }

  private put(v: number, at: number): void {
    this.heap[at] = v;
    this.place[v] = at;
  }
}
