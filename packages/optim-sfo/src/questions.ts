/**
 * The questions that are open: chosen, perhaps handed out, and not all of their group answered.
 */
import type { Question } from "@curvature/optim-core";

/** What an answer is for: a step, the recovery from a failed one, or a sweep over all subfunctions. */
export type Purpose = "step" | "recovery" | "sweep";

export interface Pending extends Question {
  readonly purpose: Purpose;
  /** The point before the step that led here, and the decrease that it was to bring. */
  readonly pointBefore: Float64Array;
  readonly predictedDecrease: number;
  /** Counts resets of x: a question from before the last one cannot fail its step any more. */
  readonly resets: number;
}

export interface Answer {
  readonly pending: Pending;
  /** NaN if the value or an entry of the gradient is not finite. */
  readonly f: number;
  readonly gradient: Float64Array;
}

export class Questions {
  private open: Pending[] = [];
  /** Open ones that were not handed out yet. */
  private queue: Pending[] = [];
  private answers: Answer[] = [];
  private tickets = 0;

  add(question: Omit<Pending, "ticket">): void {
    const pending = { ...question, ticket: this.tickets++ };
    this.open.push(pending);
    this.queue.push(pending);
  }

  /** Those that wait to be handed out, at most `limit`. */
  hand(limit: number): readonly Question[] {
    const handed = this.queue.splice(0, Math.max(0, limit));
    return handed.map(({ index, point, ticket }) => ({ index, point, ticket }));
  }

  get hasQueued(): boolean {
    return this.queue.length > 0;
  }

  get count(): number {
    return this.open.length;
  }

  has(purpose: Purpose): boolean {
    return this.open.some((pending) => pending.purpose === purpose);
  }

  find(ticket: number): Pending | undefined {
    return this.open.find((pending) => pending.ticket === ticket);
  }

  get busy(): ReadonlySet<number> {
    return new Set(this.open.map(({ index }) => index));
  }

  get points(): readonly Float64Array[] {
    return this.open.flatMap(({ point, pointBefore }) => [point, pointBefore]);
  }

  close(pending: Pending): void {
    this.open = this.open.filter((other) => other !== pending);
  }

  /** Keeps an answer until its group is complete; then gives them all, in the order of the indices. */
  collect(answer: Answer): readonly Answer[] | undefined {
    this.answers.push({ ...answer, gradient: answer.gradient.slice() });
    if (this.answers.length < this.open.length) return undefined;
    const group = this.answers.sort((a, b) => a.pending.index - b.pending.index);
    this.clear();
    return group;
  }

  clear(): void {
    this.open = [];
    this.queue = [];
    this.answers = [];
  }

  /** The subfunctions chosen for steps, to be asked anew. */
  get steps(): Int32Array {
    return Int32Array.from(
      this.open.filter(({ purpose }) => purpose === "step"),
      ({ index }) => index,
    );
  }
}
