/** A program with one thread, on a core: it does one thing at a time, and the others wait in a line. */
import type { Cores } from "./cores.ts";
import type { Action } from "./event-queue.ts";

interface Job {
  readonly seconds: number;
  readonly done: Action;
}

export class Program {
  /** Of processor, so far. */
  busySeconds = 0;
  private readonly cores: Cores;
  private isBusy = false;
  private line: Job[] = [];
  private head = 0;

  constructor(cores: Cores) {
    this.cores = cores;
  }

  /** Calls `done` after `seconds` of processor, when all that came before is done. */
  run(seconds: number, done: Action): void {
    if (this.isBusy) this.line.push({ seconds, done });
    else this.begin({ seconds, done });
  }

  private begin({ seconds, done }: Job): void {
    this.isBusy = true;
    this.cores.use(seconds, () => {
      this.busySeconds += seconds;
      this.isBusy = false;
      const next = this.line[this.head];
      if (next !== undefined) {
        this.head++;
        if (this.head > 1000 && 2 * this.head > this.line.length) {
          this.line = this.line.slice(this.head);
          this.head = 0;
        }
        this.begin(next);
      }
      done();
    });
  }
}
