/** Answers of the Ordinal view as links, parts and files hold them. */
import { readCells, readComparisons } from "@curvature/datasets";
import { expect, test } from "vitest";
import { dividedByQuestion } from "../src/views/ordinal/answers.js";
import { answersCsv, namesText } from "../src/views/ordinal/code.js";
import { ordinalCodec } from "../src/views/ordinal/options.js";

test("links hold answers, and nothing that is none", () => {
  const { state, ignored } = ordinalCodec.parse("set=shapes&answers=abcDef&loss=tste&seed=7");
  expect(ignored).toEqual([]);
  expect(state.answers).toEqual([
    { anchor: 0, near: 1, far: 2, byRule: false },
    { anchor: 3, near: 4, far: 5, byRule: true },
  ]);
  expect(ordinalCodec.format(state)).toBe("set=shapes&answers=abcDef&loss=tste&seed=7");
  for (const bad of ["ab", "aab", "abq", "aBc", "<b>", "abc".repeat(401)])
    expect(ordinalCodec.parse(`answers=${bad}`).ignored).toEqual(["answers"]);
  expect(ordinalCodec.parse("loss=__proto__&count=1e9&set=x").ignored).toEqual(["set", "count", "loss"]);
});

test("of a file, all answers to a question are kept back together", () => {
  const rows = Array.from({ length: 10 }, (_, q) => [q, q + 1, q, q + 2]);
  const turned = rows.map(([i, j, l, k]) => [k, l, j, i]);
  const { train, test: held } = dividedByQuestion({
    objects: 12,
    quadruplets: Int32Array.from([...rows, ...turned].flat()),
    weights: Float64Array.from({ length: 20 }, (_, q) => q),
  });
  expect([...(held.weights ?? [])]).toEqual([4, 9, 14, 19]);
  expect([...held.quadruplets.subarray(0, 4)]).toEqual([4, 5, 4, 6]);
  expect(train.quadruplets.length).toBe(4 * 16);
});

test("of a file that names trials and people, a trial is kept back whole, and people go with their answers", async () => {
  const rows = Array.from(
    { length: 20 },
    (_, q) => `p${q % 3},${q},o${q % 7},o${(q + 1) % 7},o${(q + 3) % 7}`,
  );
  const table = await readComparisons(`who,trial,a,b,odd\n${rows.join("\n")}\n`, {
    kind: "odd-one-out",
    participant: "who",
    trial: "trial",
  });
  const { trial, participant, comparisons } = table;
  const { train, test: held } = dividedByQuestion({ ...comparisons, groups: { trial, participant } });
  const [own, others] = [held, train].map(({ groups }) => Array.from(groups?.trial ?? []));
  expect(own).toEqual([4, 4, 9, 9, 14, 14, 19, 19]);
  expect(others).toHaveLength(32);
  expect(Array.from(held.groups?.participant ?? [])).toEqual([1, 1, 0, 0, 2, 2, 1, 1]);
});

test("exported answers read back as they were: weights, four objects, names like formulas and markup", async () => {
  const given = {
    objects: 5,
    quadruplets: Int32Array.of(0, 1, 2, 3, 4, 0, 4, 1),
    weights: Float64Array.of(0.5, 2),
  };
  const names = ["=1+1", "a,b", 'say "so"', "<b>", "tab\there"];
  const { comparisons } = await readComparisons(answersCsv(given, names), { known: 5 });
  expect(comparisons).toEqual(given);
  const { cells } = await readCells(namesText(names), { delimiter: "\t" });
  expect(cells.map(([name]) => name)).toEqual(names);
});
