/**
 * Cores that all who compute share evenly, as an operating system shares them: n jobs on c cores run at min(1, c/n) of a
 * core's speed each, and a short one is done soon whatever else is under way.
 *
 * All jobs get the same service at any time, so a job that comes when each has had V seconds of it and needs s is done when
 * each has had V + s: a queue in seconds of service, where only the first one's end has to be worked out in real ones.
 */
import { type Action, EventQueue } from "./event-queue.ts";

export class Cores {
  private readonly events: EventQueue;
  private readonly count: number;
  /** Its clock is V. */
  private readonly jobs = new EventQueue();
  private running = 0;
  /** Up to when V is worked out. */
  private since = 0;
  /** Which plan for the first job's end is valid. */
  private plan = 0;

  /** @param count - Infinity: everybody has one of his own */
  constructor(events: EventQueue, count: number) {
    this.events = events;
    this.count = count;
  }

  /** Calls `done` after so many seconds of a whole core. */
  use(seconds: number, done: Action): void {
    if (this.count === Number.POSITIVE_INFINITY) {
      this.events.after(seconds, done);
      return;
    }
    this.serve();
    this.running++;
    this.jobs.after(seconds, done);
    this.expectFirst();
  }

  private get speed(): number {
    return Math.min(1, this.count / this.running);
  }

  /** What has been served since the last change. */
  private serve(): void {
    const { now } = this.events;
    if (this.running > 0) this.jobs.pass((now - this.since) * this.speed);
    this.since = now;
  }

  private expectFirst(): void {
    const plan = ++this.plan;
    if (this.running === 0) return;
    const left = Math.max(0, this.jobs.nextTime - this.jobs.now) / this.speed;
    this.events.after(left, () => {
      if (plan !== this.plan) return;
      this.serve();
      this.running--;
      this.jobs.next();
      this.expectFirst();
    });
  }
}
