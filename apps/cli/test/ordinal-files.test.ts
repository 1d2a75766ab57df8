/** `curvature ordinal a.csv b.csv …`: several files as one table. */
import { expect, test } from "vitest";
import { workplace } from "./cli.js";

const place = workplace();

/** Of eight places on a line, who answers what is nearer. */
function answersOf(who: string, from: number, caught: string): string {
  const rows = Array.from({ length: 60 }, (_, k) => {
    const [a, b] = [(from + k) % 8, (from + 3 * k + 1) % 8];
    const c = [0, 1, 2, 3, 4, 5, 6, 7].find(
      (each) => each !== a && each !== b && Math.abs(each - a) !== Math.abs(b - a),
    );
    if (a === b || c === undefined) return [];
    const answer = Math.abs(a - b) < Math.abs(a - c) ? "left" : "right";
    return [`${who},${k + 1},s${a},s${b},s${c},${answer},,900`];
  }).flat();
  const head = "participant,trial,anchor,left,right,answer,catch,time";
  return `${[head, ...rows, `${who},99,s1,s1,s2,${caught},left,500`].join("\n")}\n`;
}

test("the study page's files need no flags; who fails catch trials is named", async () => {
  place().write("ann.csv", answersOf("ann", 0, "left"));
  place().write("bob.csv", answersOf("bob", 3, "right"));
  const ended = await place().run([
    "ordinal",
    "ann.csv",
    "bob.csv",
    "--out",
    "map.csv",
    "--report",
    "report.json",
  ]);
  expect([0, 2]).toContain(ended.code);
  expect(ended.stderr).toMatch(
    /2 files, from ann\.csv: \d+ lines of people who failed catch trials .*\("bob" \d+\)/,
  );
  expect(ended.stderr).toContain("2 files, from ann.csv: 2 lines catch trials");
  const { input } = JSON.parse(place().read("report.json"));
  expect(input).toMatchObject({ files: ["ann.csv", "bob.csv"], named: true, objects: 8 });
  expect(input.file).toBeUndefined();
});

test("what cannot be one table is refused, with the file and what to do", async () => {
  place().write("one.csv", "anchor,near,far\na,b,c\nb,c,a\n");
  place().write("two.csv", "anchor,near\na,b\n");
  place().write("three.csv", "far,near,anchor\nb,b,a\n");
  const failing = async (...words: readonly string[]): Promise<string> => {
    const { code, stderr } = await place().run(["ordinal", ...words]);
    expect(code).toBeGreaterThan(0);
    return stderr;
  };
  expect(await failing("one.csv", "two.csv")).toContain('two.csv begins with "anchor", "near"');
  expect(await failing("one.csv", "three.csv")).toMatch(/Line 2 of three\.csv compares .*--degenerate drop/);
  expect(await failing("one.csv", "gone.csv")).toContain("gone.csv");
  expect(await failing("one.csv", "one.csv")).toContain("one.csv is named twice");
  expect(await failing("one.csv", "three.csv", "--kind", "distances")).toContain("A matrix is one file");
  expect(await failing("one.csv", "--from-distances", "two.csv")).toContain("not both");
});

test("people that files or their header name have maps of their own without --participant", async () => {
  const plain = (text: string): string =>
    text
      .split("\n")
      .filter((line) => !line.includes(",99,"))
      .map((line) => line.split(",").slice(2, 6).join(","))
      .join("\n");
  const [ann, bob] = [answersOf("ann", 0, "left"), answersOf("bob", 3, "left")];
  for (const [name, text] of Object.entries({ "x1.csv": plain(ann), "x2.csv": plain(bob), "study.csv": ann }))
    place().write(name, text);
  const files = await place().run(["ordinal", "x1.csv", "x2.csv", "--individual", "of-files"]);
  expect([0, 2]).toContain(files.code);
  expect(place().read("of-files/people.csv")).toMatch(/\nx1\.csv,.*\nx2\.csv,/);
  const study = await place().run(["ordinal", "study.csv", "--individual", "of-study"]);
  expect([0, 2]).toContain(study.code);
  expect(place().read("of-study/people.csv")).toMatch(/\nann,/);
  const nobody = await place().run(["ordinal", "x1.csv", "--individual", "of-nobody"]);
  expect(nobody.code).toBe(64);
  expect(nobody.stderr).toContain("name their column with --participant");
  expect(place().has("of-nobody")).toBe(false);
});
