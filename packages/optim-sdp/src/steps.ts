/** Work in steps, for who has something else to do in between; each step yields how much of it is done. */

/** It yields the share that is done, or where that is said the products that the step took. */
export type Steps<T> = Generator<number, T, void>;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** Steps that are a part of others: their shares go from one number to another. */
export function* partOf<T>(steps: Steps<T>, from: number, to: number): Steps<T> {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
    yield from + (to - from) * next.value;
  }
}
