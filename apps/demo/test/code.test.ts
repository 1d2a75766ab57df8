/** The code that a view hands out does the same as the view: it is run, as it stands. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import { writeCsv } from "@curvature/datasets";
import { embed } from "@curvature/optim-spectral";
import { afterAll, describe, expect, test } from "vitest";
import { wordsOf } from "../src/controls/declared.js";
import { type DataRequest, type Dataset, fileMark, generatedNames } from "../src/data/dataset.js";
import { generated } from "../src/data/generated.js";
import { readFile } from "../src/data/read-file.js";
import { untouched } from "../src/data/table-fields.js";
import { fileRequest } from "../src/data/use-dataset.js";
import { flagsOf, optionsLiteral, shellWord } from "../src/export/code.js";
import { commandOf, commandTitle, typescriptOf } from "../src/views/embed/code.js";
import { type EmbedState, embedCodec, paneOptions } from "../src/views/embed/options.js";

const root = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(root, "node_modules", ".demo-code-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function state(query: string): EmbedState {
  const { state: read, ignored } = embedCodec.parse(query);
  expect(ignored).toEqual([]);
  return read;
}

function dataOf({ data, points: count, noise, seed }: EmbedState): Dataset {
  if (data === "digits" || data === "file") throw new Error("This test is about generated sets.");
  const request: DataRequest = { kind: "generated", set: data, count, noise, seed };
  return generated(request);
}

/** Runs TypeScript in Node, and gives what it prints at the end: the message. */
function run(name: string, code: string): string {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, stripTypeScriptTypes(code, { mode: "strip" }));
  return execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
}

test.each(wordsOf(generatedNames))(
  "the TypeScript for %s makes the view's data and map",
  { tags: ["full"] },
  async (data) => {
    const chosen = state(
      `data=${data}&points=60&noise=0.1&seed=3&panes=ee.sd&perplexity=8&maxEvaluations=20&initialization=random`,
    );
    const dataset = dataOf(chosen);
    const options = paneOptions(chosen.panes[0], chosen);
    const code = typescriptOf(chosen, dataset, options).replace(
      "console.log(",
      "console.log(JSON.stringify([...embedding.data])); void (",
    );
    const expected = await embed(dataset.points, options);
    expect(JSON.parse(run(data, code))).toEqual([...expected.embedding.data]);
  },
);

test("the command line, with the data as exported, writes the view's coordinates", {
  tags: ["full"],
}, async () => {
  const chosen = state(
    "data=rings&points=60&panes=tsne.sd.homotopy&perplexity=8&maxEvaluations=30&lambda=0.5&seed=2",
  );
  const dataset = dataOf(chosen);
  const { points, columns, labels, labelName = "" } = dataset;
  if (labels === undefined) throw new Error("Rings have labels.");
  writeFileSync(
    join(folder, "rings.csv"),
    [...writeCsv(points, { columns, labels, labelsName: labelName })].join(""),
  );
  const options = paneOptions(chosen.panes[0], chosen);
  const command = commandOf(chosen, dataset, options);
  expect(command).toMatch(/^npx @curvature\/cli embed rings\.csv /);
  const words = [
    ...command
      .split(" ")
      .slice(2)
      .filter((word) => !/^(--plot|map\.svg)$/.test(word)),
    "--quiet",
  ];
  const ended = spawnSync(process.execPath, [join(root, "apps/cli/bin/curvature.js"), ...words], {
    cwd: folder,
  });
  expect(ended.status).toBe(2); // at the limit of evaluations
  const expected = await embed(points, options);
  const map = readFileSync(join(folder, "map.csv"), "utf8").trim().split("\n").slice(1);
  const written = map.map((line) => line.split(",").slice(0, 2).map(Number));
  expect(written.flat()).toEqual([...expected.embedding.data]);
});

test.each(["exact", "barnes-hut", "fft"] as const)("gradient %s stands in both kinds of code", (gradient) => {
  const chosen = state(`data=rings&points=600&panes=tsne.auto~laplacian.auto&gradient=${gradient}`);
  const dataset = dataOf(chosen);
  const [options, eigenmaps] = chosen.panes.map((pane) => paneOptions(pane, chosen));
  expect(commandOf(chosen, dataset, options)).toContain(` --gradient ${gradient} `);
  expect(typescriptOf(chosen, dataset, options)).toContain(`gradient: "${gradient}"`);
  expect(commandOf(chosen, dataset, eigenmaps)).not.toContain("gradient"); // they have no repulsion
});

describe("a file of the visitor's", () => {
  const { delimiter, decimal, thousands, encoding, skip } = untouched;
  const dataset: Dataset = {
    ...generated({ kind: "generated", set: "rings", count: 30, noise: 0, seed: 0 }),
    name: `it's "mine"`,
    ofFile: {
      name: `it's "mine".csv.gz`,
      mark: "1.1",
      reading: { header: "yes", delimiter, decimal, thousands, encoding, skip },
      preparation: { ignore: ["island", 3], labels: "group", words: "one-hot", missing: "mean" },
      scale: "standard",
    },
  };
  const chosen = state("data=file");
  const options = paneOptions(chosen.panes[0], chosen);

  test("is named as it is called, and made into a matrix as it was in the page", () => {
    expect(commandOf(chosen, dataset, options)).toContain(
      `embed 'it'\\''s "mine".csv.gz' --labels group --ignore island,3 --words one-hot --missing mean --scale standard --header yes `,
    );
    const code = typescriptOf(chosen, dataset, options);
    expect(code).toContain(`const file = "it's \\"mine\\".csv.gz";`);
    expect(code).toContain(`readTable(await readFile(file), { name: file, header: "yes" });`);
    expect(code).toContain(
      `prepare(table, { ignore: ["island",3], labels: "group", words: "one-hot", missing: "mean" });`,
    );
    expect(code).toContain(`await embed(scaled, `);
    expect(commandTitle(chosen, dataset)).toBe(`Command line, in the folder of it's "mine".csv.gz`);
  });

  test("gives the page's matrix by its code", { tags: ["full"] }, async () => {
    const rows = Array.from(
      { length: 40 },
      (_, i) =>
        `p${i},${(i * 7) % 11},${1000 * ((i * 5) % 13)},${i % 9 === 0 ? "" : ["u", "v", "w"][i % 3]},${"ab"[i % 2]}`,
    ).join("\n");
    const text = `id,x,y,kind,class\n${rows}\n`;
    writeFileSync(join(folder, "own.csv"), text);
    const file = new File([text], "own.csv");
    const [, request] = fileRequest(file, { ...untouched, taken: fileMark(file) }, 100, false, 1e6);
    if (request?.kind !== "file") throw new Error("A file was asked for.");
    const read = (await readFile(request)).dataset;
    if (read === undefined) throw new Error("The table was taken.");
    const code = typescriptOf(chosen, read, options).replace(
      /await embed\((\w+), .*\n.*/,
      "{}; console.log(JSON.stringify([...$1.data]));",
    );
    expect(JSON.parse(run("own", code))).toEqual([...read.points.data]);
  });

  test("of which only a sample was taken is the exported sample", () => {
    const sample = { ...dataset, takenFrom: 1e6 };
    expect(typescriptOf(chosen, sample, options)).toContain(
      `const file = "it's \\"mine\\".csv";\nconst { points } = await readPoints(await readFile(file), { name: file, labels: "group" });`,
    );
    expect(commandOf(chosen, sample, options)).not.toContain("--ignore");
  });
});

test("options and flags leave out what is not set", () => {
  expect(optionsLiteral({ a: 1, b: undefined, c: "x" })).toBe(`{ a: 1, c: "x" }`);
  expect(optionsLiteral({ a: undefined })).toBe("");
  expect(flagsOf({ a: 1, b: undefined, c: true, d: false, e: "x y" })).toBe("--a 1 --c --e 'x y'");
  expect(shellWord("$(rm -rf)")).toBe("'$(rm -rf)'");
});
