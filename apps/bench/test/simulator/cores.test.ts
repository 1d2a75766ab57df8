/** Cores that are shared, against what can be worked out by hand. */
import { expect, test } from "vitest";
import { Cores } from "../../src/simulator/cores.ts";
import { EventQueue } from "../../src/simulator/event-queue.ts";
import { Program } from "../../src/simulator/program.ts";

/** When jobs end that begin at some time and take so many seconds of a core. */
function ends(count: number, jobs: readonly (readonly [begin: number, seconds: number])[]): number[] {
  const events = new EventQueue();
  const cores = new Cores(events, count);
  const found: number[] = jobs.map(() => Number.NaN);
  jobs.forEach(([begin, seconds], k) => {
    events.after(begin, () =>
      cores.use(seconds, () => {
        found[k] = events.now;
      }),
    );
  });
  while (events.next());
  return found.map((time) => Number(time.toFixed(9)));
}

test("no more jobs than cores: each as if it were alone", () => {
  expect(
    ends(2, [
      [0, 3],
      [1, 5],
    ]),
  ).toEqual([3, 6]);
  expect(
    ends(Number.POSITIVE_INFINITY, [
      [0, 3],
      [0, 3],
      [0, 3],
    ]),
  ).toEqual([3, 3, 3]);
});

test("three jobs on two cores run at two thirds", () => {
  expect(
    ends(2, [
      [0, 2],
      [0, 2],
      [0, 2],
    ]),
  ).toEqual([3, 3, 3]);
});

test("a short job is done soon, whatever else is under way", () => {
  // From 1 to 1.2 both at half the speed: the long one has 0.1 less by then.
  expect(
    ends(1, [
      [0, 10],
      [1, 0.1],
    ]),
  ).toEqual([10.1, 1.2]);
});

test("a program does one thing after another, also where there is a core for each", () => {
  const events = new EventQueue();
  const program = new Program(new Cores(events, 4));
  const found: number[] = [];
  for (let k = 0; k < 3; k++) program.run(1, () => found.push(events.now));
  while (events.next());
  expect(found).toEqual([1, 2, 3]);
  expect(program.busySeconds).toBe(3);
});
