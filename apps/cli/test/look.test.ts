/** `curvature look` as a process: the screen, the object, and that the commands it suggests are taken. */
import { describe, expect, test } from "vitest";
import { isOneSentence, workplace } from "./cli.js";

const place = workplace();

const rows = (header: string, row: (i: number) => string, n = 40): string =>
  `${[header, ...Array.from({ length: n }, (_, i) => row(i))].join("\n")}\n`;
const noise = (i: number, j: number): string => (((i * 7919 + j * 104729) % 997) / 100).toFixed(2);
const mixed = rows(
  "id,width,area,place,code,species",
  (i) =>
    `p${i},${noise(i, 1)},${i % 9 === 0 ? "" : 1e4 * Number(noise(i, 2))},${"nes"[i % 3 ? 0 : 1]},${i % 2},${i % 2 ? "ham" : "spam"}`,
);

/** The words of a command line of the screen. */
const wordsOf = (line: string): string[] =>
  [...line.trim().matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(([, quoted, word]) =>
    quoted === undefined ? word : quoted.replaceAll(String.raw`'\''`, "'"),
  );

describe.concurrent("look", () => {
  test("a screen: columns, label, what is odd, and commands that run as they stand", async () => {
    place().write("it's mixed.csv", mixed);
    const { code, stdout, stderr } = await place().run(["look", "it's mixed.csv"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("40 rows, 6 columns");
    expect(stdout).toMatch(/^ {2}id +(id|word) /m);
    expect(stdout).toMatch(/^ {2}area +number +5 /m);
    expect(stdout).toContain('Label: "species", 2 classes (a guess; --labels names another).');
    expect(stdout).toContain('"code" tells the label');
    expect(stdout).toContain('"area" spans');
    const lines = stdout.split("\n").filter((line) => line.startsWith("  npx @curvature/cli "));
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain("--scale standard");
    for (const line of lines) {
      const [, , ...words] = wordsOf(line);
      expect(words[1]).toBe("it's mixed.csv");
      const ended = await place().run([...words, "--quiet"]);
      expect([0, 2], `${line}: ${ended.stderr}`).toContain(ended.code);
    }
  });

  test("that a column would decide most distances is no warning, since the map scales the columns", async () => {
    place().write(
      "spans.csv",
      rows("a,b,c", (i) => `${noise(i, 1)},${noise(i, 2)},${1e4 * Number(noise(i, 3))}`),
    );
    const { stdout } = await place().run(["look", "spans.csv", "--json"]);
    const { warnings, notes, commands } = JSON.parse(stdout);
    expect(warnings).toEqual([]);
    expect(notes.join()).toMatch(
      /"c" spans .* The commands below for a map and for clusters bring the columns to one scale/,
    );
    expect(commands[0]).toContain("--scale");
  });

  test("--json: one object; with --values all cells", async () => {
    place().write("small.csv", "name,x\nu,1\nv,\nw,inf\nNA,2\n");
    const { code, stdout } = await place().run(["look", "small.csv", "--json", "--values"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 4,
      kind: "table",
      columns: [
        { name: "name", type: "word", missing: 1, distinct: 3 },
        { name: "x", type: "number", missing: 1, remarks: ["is infinite in 1 row"] },
      ],
      values: [
        ["u", 1],
        ["v", null],
        ["w", "inf"],
        [null, 2],
      ],
    });
  });

  test("flags of reading are those of the commands", async () => {
    place().write(
      "semi.txt",
      rows("a;b;kind", (i) => `${noise(i, 1)};${noise(i, 2)};${i % 2 ? "u" : "v"}`),
    );
    const words = ["look", "semi.txt", "--delimiter", ";", "--header", "yes", "--json"];
    const { commands } = JSON.parse((await place().run(words)).stdout);
    for (const command of commands)
      expect(command.join(" ")).toMatch(
        /^\w+ semi\.txt .*--header yes --delimiter ;|^\w+ semi\.txt .*--delimiter ; --header yes/,
      );
  });

  test("distances, edges and comparisons have commands of their own, or none", async () => {
    const towns = Array.from({ length: 12 }, (_, i) =>
      Array.from({ length: 12 }, (_, j) => (i === j ? 0 : 0.5 + (Math.abs(i - j) % 5))).join(","),
    );
    place().write("distances.csv", `${towns.join("\n")}\n`);
    place().write(
      "edges.csv",
      rows("source,target,weight", (i) => `${i},${i + 1},1.5`),
    );
    place().write(
      "answers.csv",
      rows("i,j,k", (i) => `${i % 5},${(i + 1) % 5},${(i + 2) % 5}`),
    );
    const look = async (name: string) => JSON.parse((await place().run(["look", name, "--json"])).stdout);
    expect((await look("distances.csv")).commands[0].slice(0, 4)).toEqual([
      "disentangle",
      "distances.csv",
      "--input",
      "distances",
    ]);
    expect(await look("edges.csv")).toMatchObject({ kind: "edges", commands: [] });
    expect((await look("answers.csv")).commands.map(([name]: string[]) => name)).toEqual(["ordinal"]);
  });

  test("what is no table is refused by name, with what to do", async () => {
    place().write(
      "book.xlsx",
      new Uint8Array([0x50, 0x4b, 3, 4, ...new Array(26).fill(0), ...Buffer.from("xl/workbook.xml")]),
    );
    const { code, stdout, stderr } = await place().run(["look", "book.xlsx"]);
    expect({ code, stdout }).toEqual({ code: 65, stdout: "" });
    expect(isOneSentence(stderr)).toBe(true);
    expect(stderr).toMatch(/Excel.*Save the sheet as CSV/s);
    expect((await place().run(["look", "absent.csv"])).code).toBe(74);
  });

  test("names cannot steer the terminal, and a hundred thousand columns are one screen", async () => {
    place().write(
      "steer.csv",
      rows("\u001b[31mred,__proto__,kind", (i) => `${noise(i, 1)},${noise(i, 2)},\u001b]0;${i % 2}`),
    );
    const steer = await place().run(["look", "steer.csv"]);
    expect(steer.code).toBe(0);
    expect(steer.stdout).not.toContain("\u001b");
    expect(steer.stdout).toContain("__proto__");
    const many = Array.from({ length: 100_000 }, (_, j) => j);
    const lines = [many.map((j) => `c${j}`), ...[1, 2, 3].map((i) => many.map((j) => (i * j) % 7))];
    place().write("wide.csv", `${lines.map((line) => line.join(",")).join("\n")}\n`);
    const wide = await place().run(["look", "wide.csv"]);
    expect(wide.code).toBe(0);
    expect(wide.stdout).toContain("3 rows, 100,000 columns");
    expect(wide.stdout.split("\n").length).toBeLessThan(40);
  });
});
