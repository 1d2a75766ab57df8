/**
 * What happens next: a binary heap of things to be done, by their time and then by the order in which they were entered,
 * so that a simulation is the same each time.
 */
export type Action = () => void;

export class EventQueue {
  /** Seconds since the beginning. */
  now = 0;
  private readonly times: number[] = [];
  private readonly orders: number[] = [];
  private readonly actions: Action[] = [];
  private entered = 0;

  /** @param delay - seconds from now, at least 0 */
  after(delay: number, action: Action): void {
    const { times, orders, actions } = this;
    const time = this.now + delay;
    const order = this.entered++;
    let at = times.length;
    times.push(time);
    orders.push(order);
    actions.push(action);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (times[parent] <= time) break;
      this.copy(parent, at);
      at = parent;
    }
    this.set(at, time, order, action);
  }

  /** When the next thing is to be done; Infinity if there is none. */
  get nextTime(): number {
    return this.times[0] ?? Number.POSITIVE_INFINITY;
  }

  /** Lets time pass in which nothing is to be done. */
  pass(seconds: number): void {
    this.now += seconds;
  }

  /** Does the next thing. @returns false if there is none */
  next(): boolean {
    const { times, orders, actions } = this;
    const action = actions[0];
    if (action === undefined) return false;
    this.now = times[0];
    const time = times.pop() ?? 0;
    const order = orders.pop() ?? 0;
    const last = actions.pop();
    if (last !== undefined && times.length > 0) this.sink(time, order, last);
    action();
    return true;
  }

  private sink(time: number, order: number, action: Action): void {
    const size = this.times.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.isBefore(child + 1, this.times[child], this.orders[child])) child++;
      if (!this.isBefore(child, time, order)) break;
      this.copy(child, at);
      at = child;
    }
    this.set(at, time, order, action);
  }

  private isBefore(at: number, time: number, order: number): boolean {
    return this.times[at] < time || (this.times[at] === time && this.orders[at] < order);
  }

  private copy(from: number, to: number): void {
    this.set(to, this.times[from], this.orders[from], this.actions[from]);
  }

  private set(at: number, time: number, order: number, action: Action): void {
    this.times[at] = time;
    this.orders[at] = order;
    this.actions[at] = action;
  }
}
