import fc from "fast-check";
import { expect, test } from "vitest";
import { groupsOf } from "../../src/answers/groups.js";

test("groups are those of the answers: i – j – l – k", () => {
  const quadruplets = Int32Array.of(0, 2, 0, 4, 1, 3, 3, 5);
  expect(groupsOf({ objects: 7, quadruplets })).toEqual({
    count: 3,
    labels: Int32Array.of(0, 1, 0, 1, 0, 1, 2),
  });
});

test("they agree with labels that are spread until nothing changes, on random answers", () => {
  const object = fc.nat({ max: 19 });
  fc.assert(
    fc.property(fc.array(fc.tuple(object, object, object, object), { maxLength: 12 }), (answers) => {
      const least = Array.from({ length: 20 }, (_, r) => r);
      for (let round = 0; round < 20; round++)
        for (const answer of answers) {
          const label = Math.min(...answer.map((r) => least[r]));
          for (const r of answer) least[r] = label;
        }
      const { count, labels } = groupsOf({ objects: 20, quadruplets: Int32Array.from(answers.flat()) });
      expect(count).toBe(new Set(least).size);
      const numbered = [...new Set(least)];
      expect(Array.from(labels)).toEqual(least.map((label) => numbered.indexOf(label)));
    }),
  );
});
