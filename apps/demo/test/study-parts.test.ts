/** A study without its pages: its trials, its files, its links, its names. */
import { readComparisonFiles } from "@curvature/datasets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answersFile, type Given } from "../src/study/answers-file.js";
import { emptyStudy, linkTextOf, pageOf, studyOfLink } from "../src/study/carry.js";
import { trialsOf } from "../src/study/plan.js";
import { problemOf, questionsAbout, type Study, type StudyKind, studyOf } from "../src/study/study.js";
import { namesIn } from "../src/views/ordinal/study/names.js";

const studyWith = (change: Partial<Study> = {}): Study => ({
  ...{ title: "T", consent: "", instructions: "", question: "Which?", ending: "", kind: "triplets" },
  names: Array.from({ length: 8 }, (_, k) => `s${k}`),
  images: undefined,
  ...{ questions: 60, repeats: 12, catches: 6, seed: 1 },
  ...change,
});

const kinds: readonly StudyKind[] = ["triplets", "odd-one-out"];
const questionOf = ({
  anchor,
  choices,
}: {
  anchor: number | undefined;
  choices: readonly number[];
}): string => `${anchor}: ${[...choices].sort((a, b) => a - b).join()}`;

describe.each(kinds)("the trials of a person: %s", (kind) => {
  const study = studyWith({ kind, questions: kind === "triplets" ? 60 : 40 });
  const trials = trialsOf(study, "ann");
  const plain = trials.filter(({ right }) => right === undefined);

  test("as many different questions as asked for, some twice with the sides exchanged, after others", () => {
    expect(trials.length).toBe(study.questions + 18);
    const places = new Map<string, number[]>();
    for (const [k, trial] of plain.entries())
      places.set(questionOf(trial), [...(places.get(questionOf(trial)) ?? []), k]);
    expect(places.size).toBe(study.questions);
    const twice = [...places.values()].filter((all) => all.length > 1);
    expect(twice.length).toBe(12);
    for (const [first, second, third] of twice) {
      expect(third).toBeUndefined();
      expect(plain[second].choices).toEqual([...plain[first].choices].reverse());
      expect(second - first).toBeGreaterThanOrEqual(10);
    }
    for (const { anchor, choices } of plain)
      expect(new Set([...choices, anchor ?? -1]).size).toBe(choices.length + 1);
  });

  test("each stimulus is asked about, and stands on each side, about equally often", () => {
    const count = (values: readonly number[]): number[] =>
      study.names.map((_, s) => values.filter((value) => value === s).length);
    const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
    if (kind === "triplets")
      expect(spread(count(plain.map(({ anchor = -1 }) => anchor)))).toBeLessThanOrEqual(4);
    const left = count(plain.map(({ choices }) => choices[0]));
    const right = count(plain.map(({ choices }) => choices.at(-1) ?? -1));
    for (const [s, lefts] of left.entries()) expect(Math.abs(lefts - right[s])).toBeLessThanOrEqual(5);
  });

  test("catch trials have one answer that is obvious, on each side as often", () => {
    const caught = trials.filter(({ right }) => right !== undefined);
    const rights = caught.map(({ right = -1 }) => right);
    expect([...rights].sort()).toEqual(kind === "triplets" ? [0, 0, 0, 1, 1, 1] : [0, 0, 1, 1, 2, 2]);
    for (const { anchor, choices, right = -1 } of caught) {
      if (kind === "triplets") expect(choices[right]).toBe(anchor);
      else expect(choices.filter((choice) => choice !== choices[right]).length).toBe(2);
      expect(new Set(choices).size).toBe(2);
    }
  });

  test("the same for the same person, others for others, and every question where all are asked", () => {
    expect(trialsOf(study, "ann")).toEqual(trials);
    expect(trialsOf(study, "bob")).not.toEqual(trials);
    for (const n of [3, 4, 7]) {
      const questions = questionsAbout(n, kind);
      const names = study.names.slice(0, n);
      const all = trialsOf({ ...study, names, questions, repeats: questions, catches: 3 }, "x");
      expect(new Set(all.filter(({ right }) => right === undefined).map(questionOf)).size).toBe(questions);
      expect(all.length).toBe(2 * questions + 3);
    }
  });
});

test("two people are rarely asked the same question of many stimuli", () => {
  const names = Array.from({ length: 300 }, (_, k) => `s${k}`);
  const study = studyWith({ names, questions: 300, repeats: 0, catches: 0 });
  const [a, b] = ["ann", "bob"].map((who) => new Set(trialsOf(study, who).map(questionOf)));
  expect([...a].filter((question) => b.has(question)).length).toBeLessThan(3);
});

const hostile = [
  "<b>x</b>",
  "=1+1",
  "'=1",
  'say "so"',
  "two\nlines",
  "a,b;c\td",
  "🍎",
  "left",
  "A",
  "a",
  "1",
  "none",
];

test.each(kinds)("the saved file reads back: names, people, answers, catch trials: %s", async (kind) => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(hostile, { minLength: 4 }),
      fc.uniqueArray(fc.constantFrom("ann", "=bob", "1", "none", 'c"d', "é\u0301"), {
        minLength: 2,
        maxLength: 3,
      }),
      fc.integer({ min: 0, max: 1000 }),
      async (names, people, seed) => {
        const study = studyWith({ kind, names, seed, questions: 4, repeats: 2, catches: 2 });
        const files = people.map((who) => {
          const trials = trialsOf(study, who);
          const given = trials.map(({ right }, k): Given => [right ?? (k + seed) % 2, 100 + k]);
          return { who, trials, given, source: answersFile(study, trials, who, given) };
        });
        const table = await readComparisonFiles(files.map(({ who, source }) => ({ name: who, source })));
        expect(table.participants).toEqual(people);
        expect(table.notes.join()).toContain(`${2 * people.length} lines catch trials`);
        const name = (object: number) => table.names?.[object] ?? "";
        const read = Array.from({ length: table.lines.length }, (_, q) => {
          const [i, j, , k] = table.comparisons.quadruplets.subarray(4 * q, 4 * q + 4);
          return [table.participants?.[table.participant?.[q] ?? -1], name(i), name(j), name(k)];
        });
        const expected = files.flatMap(({ who, trials, given }) =>
          trials.flatMap(({ anchor, choices, right }, t) => {
            if (right !== undefined) return [];
            const [chosen] = given[t];
            const [near, far] = [choices[chosen], choices[1 - chosen]];
            if (anchor !== undefined) return [[who, names[anchor], names[near], names[far]]];
            const [p, r] = choices.filter((_, k) => k !== chosen).map((k) => names[k]);
            const odd = names[choices[chosen]];
            return [
              [who, p, r, odd],
              [who, r, p, odd],
            ];
          }),
        );
        expect(read).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});

describe("a link", () => {
  test("holds the study, whatever its names are", async () => {
    const study = studyWith({ names: hostile, title: "Ünï 🍎 <script>", catches: 0 });
    const text = await linkTextOf(study);
    expect(text).toMatch(/^[\w-]+$/);
    expect(await studyOfLink(text)).toEqual(study);
  });

  test("that was damaged is none", async () => {
    const text = await linkTextOf(studyWith());
    const at = Math.floor(text.length / 2);
    const other = text[at] === "A" ? "B" : "A";
    for (const bad of [
      ...["", "A", text.slice(0, -4), text.slice(4), `${text}AAAA`, "%%%"],
      text.slice(0, at) + other + text.slice(at + 1),
    ])
      expect(await studyOfLink(bad)).toBeUndefined();
  });

  test("of a study that is none, or that unpacks to too much, is none", async () => {
    const bad = [
      { ...studyWith(), names: ["a", "b"] },
      { ...studyWith(), questions: 10_000 },
      { ...studyWith(), names: ["a", "b", "a", "c"] },
      { ...studyWith(), images: ["https://example.com/x.png"] },
      { ...studyWith(), names: Array.from({ length: 1000 }, () => "x".repeat(5000)) },
    ];
    for (const study of bad) expect(await studyOfLink(await linkTextOf(study))).toBeUndefined();
    for (const value of [
      null,
      1,
      [],
      {},
      { ...studyWith(), kind: "__proto__" },
      { ...studyWith(), seed: 0.5 },
    ])
      expect(studyOf(value)).toBeUndefined();
  });
});

test("a page holds a study whose words would end a script", () => {
  const study = studyWith({ names: ["</script><b>", "<!--", "$&", "x", "$1"], questions: 5, repeats: 0 });
  const page = pageOf(`<p>${emptyStudy}</p>`, study);
  expect(page.match(/<\/script/g)).toHaveLength(1);
  const json = /id="study">(.*)<\/script>/s.exec(page)?.[1] ?? "";
  expect(studyOf(JSON.parse(json))).toEqual({ ...study, images: undefined });
  expect(() => pageOf("<p></p>", study)).toThrow("no place");
});

test("what is no study is said in words", () => {
  const about = (change: Partial<Study>) => problemOf(studyWith(change)) ?? "";
  expect(about({})).toBe("");
  expect(about({ names: [] })).toContain("there are none");
  expect(about({ names: ["a"] })).toContain("there is one");
  expect(about({ names: ["a", "b"] })).toContain("there are two");
  expect(about({ names: ["a", "b", "c"] })).toContain("there are 3 different questions");
  expect(about({ names: ["a", "b", "a", "c"] })).toContain("“a” is there twice");
  expect(about({ repeats: 61 })).toContain("cannot be asked twice");
  expect(about({ catches: 1990 })).toContain("too many for a person");
  expect(about({ names: ["a", "b", "c".repeat(201), "d", "e", "f"] })).toContain("201 characters");
});

test("names: one a line, in quotes where they have line breaks", () => {
  expect(namesIn('\uFEFFa\r\n b \n\n"two\nlines"\n"say ""so"""\n"Hi" she said\n<b>,x\r=1')).toEqual([
    ...["a", "b", "two\nlines", 'say "so"', '"Hi" she said', "<b>,x", "=1"],
  ]);
  expect(namesIn("")).toEqual([]);
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[^\s"][^\r\n]*[^\s]$/)), (names) => {
      expect(namesIn(names.join("\n"))).toEqual(names.map((name) => name.trim()));
    }),
  );
});
