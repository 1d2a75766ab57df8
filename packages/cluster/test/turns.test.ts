import { expect, test } from "vitest";
import { Turns } from "../src/threads/turns.js";

test("what is alone waits for all that is under way, and what comes later waits for it", async () => {
  const turns = new Turns();
  const said: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<void> => {
    said.push(`${name} begins`);
    await new Promise<void>((done) => ends.set(name, done));
    said.push(`${name} ends`);
  };
  const settled = (): Promise<unknown> => new Promise((done) => setImmediate(done));
  const all = [turns.beside(work("a")), turns.beside(work("b"))];
  await settled();
  all.push(turns.alone(work("c")), turns.beside(work("d")), turns.alone(work("e")));
  for (const name of ["b", "a", "c", "e", "d"]) {
    await settled();
    ends.get(name)?.();
  }
  await Promise.all(all);
  expect(said).toEqual([
    ...["a begins", "b begins", "b ends", "a ends"],
    ...["c begins", "c ends", "e begins", "e ends", "d begins", "d ends"],
  ]);
});
