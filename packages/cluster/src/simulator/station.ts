/** Something that serves so many at a time, and lets the others wait in a line: a core, a link, a Redis. */
import type { Action, EventQueue } from "./event-queue.js";

interface Waiting {
  readonly seconds: number;
  readonly done: Action;
}

export class Station {
  /** Seconds of service, of all places together. */
  busySeconds = 0;
  private free: number;
  private line: Waiting[] = [];
  private head = 0;

  /** @param places - how many it serves at a time; Infinity for no limit */
  constructor(
    private readonly events: EventQueue,
    places: number,
  ) {
    this.free = places;
  }

  /** Calls `done` after a wait for a free place and `seconds` of service. */
  use(seconds: number, done: Action): void {
    if (this.free > 0) this.serve(seconds, done);
    else this.line.push({ seconds, done });
  }

  private serve(seconds: number, done: Action): void {
    this.free--;
    this.busySeconds += seconds;
    this.events.after(seconds, () => {
      this.free++;
      const next = this.line[this.head];
      if (next !== undefined) {
        this.head++;
        if (this.head > 1000 && 2 * this.head > this.line.length) {
          this.line = this.line.slice(this.head);
          this.head = 0;
        }
        this.serve(next.seconds, next.done);
      }
      done();
    });
  }
}
