// @module-tag full
/** What `curvature ordinal` makes of trials as experiments record them. */
import { describe, expect, test } from "vitest";
import { isOneSentence, workplace } from "./cli.js";
import { rowsOf } from "./eurodist.js";

const place = workplace();

/** Answers about 12 objects on a line, each candidate named first half of the time. */
const triplets: readonly (readonly [anchor: number, left: number, right: number, isLeft: boolean])[] =
  Array.from({ length: 400 }, (_, q) => {
    const at = (k: number): number => (q * (7 + 4 * k) + 3 * k + Math.floor(q / 12) * (k + 1)) % 12;
    return [at(0), at(1), at(2)] as const;
  })
    .filter(([i, j, k]) => i !== j && i !== k && j !== k && Math.abs(i - j) !== Math.abs(i - k))
    .map(([i, j, k]) => [i, j, k, Math.abs(i - j) < Math.abs(i - k)] as const);

const named = (object: number): string => `object ${object}`;
const csv = (header: string, row: (q: number, ...trial: (typeof triplets)[number]) => string): string =>
  `${header}\n${triplets.map((trial, q) => row(q, ...trial)).join("\n")}\n`;

const words = ["--dim", "1", "--quiet", "--out", "-"];

describe.concurrent("the same answers in other words", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "response.csv",
      csv("a,b,c,resp", (_, i, j, k, isLeft) => `${named(i)},${named(j)},${named(k)},${isLeft ? 1 : -1}`),
      ["--roles", "anchor=a,near=b,far=c,answer=resp"],
    ],
    [
      "next.csv",
      csv("Center,Left,Right,Answer", (_, i, j, k, isLeft) => [i, j, k, isLeft ? j : k].map(named).join(",")),
      [],
    ],
    [
      "jspsych.json",
      JSON.stringify([
        { trial_type: "instructions", trial_index: 0 },
        ...triplets.map(([i, j, k, isLeft], q) => ({
          ...{ trial_type: "triplet", trial_index: q + 1, anchor: named(i), left: named(j), right: named(k) },
          response: isLeft ? 0 : 1,
        })),
      ]),
      ["--where", "trial_type=triplet", "--roles", "anchor=anchor,left=left,right=right,answer=response"],
    ],
  ];
  test.each(cases)("%s", async (file, text, flags) => {
    place().write(file, text);
    const report = `${file}.report.json`;
    const ended = await place().run(["ordinal", file, ...flags, ...words, "--report", report]);
    expect(ended.stderr).toBe("");
    const { metrics, input } = JSON.parse(place().read(report));
    expect([metrics.trainingError, input.answers, input.reading.kind]).toEqual([
      0,
      triplets.length,
      "triplets",
    ]);
    expect(rowsOf(ended.stdout).rows).toHaveLength(12);
  });
});

describe.concurrent("trials, people, filters", () => {
  test("a file with its own test, its people and its trials", async () => {
    place().write(
      "people.csv",
      csv("who,set,q,x,y,r", (q, i, j, k, isLeft) =>
        [
          `p${q % 3}`,
          q % 5 === 4 ? "test" : "train",
          named(i),
          named(j),
          named(k),
          isLeft ? "left" : "right",
        ].join(","),
      ),
    );
    const flags = ["--roles", "anchor=q,near=x,far=y,answer=r", "--participant", "who", "--split", "set"];
    const ended = await place().run(["ordinal", "people.csv", ...flags, ...words, "--report", "people.json"]);
    expect(ended.stderr).toBe("");
    const { input } = JSON.parse(place().read("people.json"));
    expect([input.testAnswers, input.answers + input.testAnswers, input.reading.participants]).toEqual([
      Math.floor(triplets.length / 5),
      triplets.length,
      3,
    ]);
  });

  test.each([
    [
      "a response that is not used",
      "i,j,k,response\n0,1,2,1\n",
      [],
      /"response".*--roles anchor=i,near=j,far=k,answer=response/,
    ],
    [
      "a third value",
      "q,x,y,r\n0,1,2,1\n0,1,2,-1\n0,1,2,0\n",
      ["--roles", "anchor=q,near=x,far=y,answer=r"],
      /Line 4.*--tie 0/,
    ],
    ["a fourth column that repeats", "a,b,c,b\na,b,d,d\n", [], /--roles anchor=0,near=1,far=2,answer=3/],
    ["a split of one value", "i,j,k,set\n0,1,2,test\n", ["--split", "set"], /"test" on every line/],
    [
      "3 chosen of 2",
      "q,a,b,c,d,e\nf,g,h,i,j,g;h;i\n",
      ["--choose", "2", "--roles", "anchor=q,option=a,option=b,option=c,option=d,chosen=e"],
      /has 3 chosen of 4, and 2 were/,
    ],
    [
      "a column that is not there",
      "i,j,k\n0,1,2\n",
      ["--participant", "who"],
      /--participant names the column "who"/,
    ],
    ["names alike", "i,j,k\nRome,rome,Oslo\n", [], /differ by case or blanks only.*--objects names/],
    ["similarities as distances", matrix(), ["--kind", "auto", "--from-distances"], /--kind similarities/],
  ] as const)("%s is one sentence", async (name, text, flags, message) => {
    const file = `${name.replaceAll(/\W+/g, "-")}.csv`;
    place().write(file, text);
    const isMatrix = flags.some((flag) => flag === "--from-distances");
    const ended = await place().run(["ordinal", ...(isMatrix ? [...flags, file] : [file, ...flags])]);
    expect(ended.code).toBe(name.startsWith("a column") || name === "a split of one value" ? ended.code : 65);
    expect(ended.code).not.toBe(0);
    expect(ended.stderr).toMatch(message);
    expect(isOneSentence(ended.stderr)).toBe(true);
  });
});

/** Similarities of 12 objects on a line, 0 on the diagonal. */
function matrix(): string {
  const row = (i: number): string =>
    Array.from({ length: 12 }, (_, j) => (i === j ? 0 : 12 - Math.abs(i - j))).join(",");
  return `${Array.from({ length: 12 }, (_, i) => row(i)).join("\n")}\n`;
}
