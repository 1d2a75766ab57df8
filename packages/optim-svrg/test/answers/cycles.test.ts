import { ordinalEmbedding, tripletsFromPoints } from "@curvature/optim-svrg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answersInCycles } from "../../src/answers/cycles.js";
import { pairsNamed, questionsAsked } from "../../src/answers/questions.js";

const inCycles = (answers: readonly (readonly number[])[]): number => {
  const pairs = pairsNamed(Int32Array.from(answers.flat()));
  return answersInCycles(pairs, questionsAsked(pairs)).inCycles;
};

test("cycles count, what hangs on them and questions answered both ways do not", () => {
  const cycle = [
    [0, 1, 0, 2],
    [0, 2, 0, 3],
    [3, 0, 1, 0],
  ];
  expect(inCycles(cycle)).toBe(3);
  expect(inCycles([...cycle, [0, 3, 0, 4], [2, 3, 0, 1], [0, 4, 2, 4]])).toBe(3);
  expect(inCycles([...cycle.slice(0, 2), [0, 1, 0, 4], [0, 4, 0, 1]])).toBe(0);
  expect(inCycles([])).toBe(0);
});

test("answers that one map satisfies have no cycle, in whatever order they come", () => {
  const place = fc.double({ min: -10, max: 10, noNaN: true });
  fc.assert(
    fc.property(fc.array(place, { minLength: 4, maxLength: 12 }), fc.nat(), (line, seed) => {
      const points = line.map((x, i) => [x, i]);
      const { train } = tripletsFromPoints(points, { count: 10, seed });
      expect(inCycles(Array.from(train.quadruplets, (object) => [object]))).toBe(0);
    }),
  );
});

test("a warning says how many, where it is most of them", async () => {
  const answers = [1, 2, 3].flatMap((anchor) =>
    [0, 1, 2].map((k) => [anchor, 4 + k, anchor, 4 + ((k + 1) % 3)]),
  );
  const { warnings, answers: found } = await ordinalEmbedding([[0, 4, 0, 5], ...answers]);
  expect(found.inCycles).toBe(9);
  expect(warnings.find(({ code }) => code === "cycles")?.message).toMatch(
    /^About \d+ of 10 answers would have to go/,
  );
});
