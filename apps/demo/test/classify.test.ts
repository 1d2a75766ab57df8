// @module-tag full
/** The Classify view in a browser: what it computes, and how it takes what visitors do. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import { readPoints } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { LinearClassifier, loadModel } from "@curvature/optim-sgdqn";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { accessibilityFaults } from "./accessibility.js";
import { downloaded, gzipBytes, site, wholeView } from "./browser.js";
import { MANY, timeToStop, turnsDuring } from "./timing.js";

const at = site();
const root = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(root, "node_modules", ".demo-classify-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const finished = (page: Page) =>
  page.getByText(/^Done\. The least cost there is, P\*, is [\d.]+\.$/).waitFor();

const rowOf = async (page: Page, solver: string): Promise<string> =>
  (await page.getByRole("table").first().getByRole("row", { name: solver }).textContent()) ?? "";

test("a model of the digits has the bits of Node's, and errors on new rows are told", async () => {
  at().sentFiles();
  const visit = await at().visit("#/classify?data=digits&digit=3&maxPasses=8&model=asgd&run=false");
  const { page } = visit;
  const { turns } = await turnsDuring(page, async () => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await finished(page);
  });
  expect(turns).toBeGreaterThan(MANY);
  const file = await downloaded(page, "Model (JSON)");
  const { points, labels } = await loadDigits();
  const classes = Array.from(labels, (digit) => (digit === 3 ? "3" : "other"));
  const { columns, data } = points;
  const model = new LinearClassifier({ solver: "asgd", maxPasses: 8, scale: "none", bias: "free" });
  const { value = Number.NaN } = await model.fit(
    { rows: 1200, columns, data: data.subarray(0, 1200 * columns) },
    classes.slice(0, 1200),
  );
  const loaded = loadModel(file);
  expect([...loaded.coefficients.data, ...loaded.intercepts]).toEqual([
    ...model.coefficients.data,
    ...model.intercepts,
  ]);
  const test = { rows: 597, columns, data: data.subarray(1200 * columns) };
  const error = (100 * (1 - model.score(test, classes.slice(1200)))).toFixed(1);
  await page.getByRole("heading", { name: "After epoch 8" }).waitFor();
  expect(await rowOf(page, "averaged SGD")).toMatch(new RegExp(`${value.toFixed(5)}.*${error} %$`, "s"));
  expect((await downloaded(page, "Weights (SVG)")).toString().match(/<rect /g)).toHaveLength(1 + 64);
  expect((await downloaded(page, "Weights (PNG)")).subarray(1, 4).toString()).toBe("PNG");
  expect(gzipBytes(at().sentFiles())).toBeLessThan(wholeView);
  expect(visit.foreign).toEqual([]);
  expect(visit.errors).toEqual([]);
  await visit.close();
});

test("points are added by clicks and by keys, stay in the link, and can be removed", async () => {
  const { page, close } = await at().visit("#/classify?data=drawn&loss=hinge");
  await page.getByText("A border needs points on both sides").waitFor();
  const board = page.getByRole("application");
  const box = await board.boundingBox();
  if (box === null) throw new Error("The board is not shown.");
  await board.click({ position: { x: 0.75 * box.width, y: 0.75 * box.height } });
  await page.getByRole("button", { name: "Add a", exact: true }).click();
  await board.click({ position: { x: 0.25 * box.width, y: 0.25 * box.height } });
  await finished(page);
  expect(page.url()).toMatch(/added=1\.\d+_-1\.\d+_b%7E-1\.\d+_1\.\d+_a/);
  expect(await rowOf(page, "dual coordinate descent")).toMatch(/0\.0 %$/);

  await board.focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("button", { name: "Clear yours (3)" }).waitFor();
  await page.keyboard.press("Delete");
  await page.getByRole("button", { name: "Clear yours (2)" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Clear yours (2)" }).waitFor();
  await finished(page);
  await close();
});

test("the code handed out trains the model handed out: TypeScript and the command line", async () => {
  const { page, close } = await at().visit(
    "#/classify?data=moons&points=80&stretch=5&added=1.5_1.2_a~0_0.3_b&loss=hinge&lambda=0.02&maxPasses=7&seed=4",
  );
  await finished(page);
  const model = await downloaded(page, "Model (JSON)");
  writeFileSync(join(folder, "moons.csv"), await downloaded(page, "Data (CSV)"));
  const [typescript, command] = await page.locator(".code pre").allInnerTexts();
  const svg = (await downloaded(page, "Picture (SVG)")).toString();
  expect(svg.match(/<polyline /g)).toHaveLength(5);
  expect((await downloaded(page, "Picture (PNG)")).subarray(1, 4).toString()).toBe("PNG");
  const curves = (await downloaded(page, "Curves (CSV)")).toString().trim().split("\n");
  expect(curves[0]).toBe("solver,epoch,cost,training error");
  expect(curves.filter((line) => line.startsWith("sgdqn,"))).toHaveLength(7);
  await close();

  const words = command.trim().split(" ");
  expect(words.slice(0, 3)).toEqual(["npx", "@curvature/cli", "train"]);
  const ended = spawnSync(
    process.execPath,
    [join(root, "apps/cli/bin/curvature.js"), ...words.slice(2), "--quiet"],
    { cwd: folder, encoding: "utf8" },
  );
  expect(ended.stderr).toBe("");
  expect(readFileSync(join(folder, "model.json")).equals(model)).toBe(true);

  const module = join(folder, "train.mjs");
  const told = typescript.replace(
    "console.log(",
    "console.log(JSON.stringify([...model.coefficients.data])); void (",
  );
  writeFileSync(module, stripTypeScriptTypes(told, { mode: "strip" }));
  const printed = spawnSync(process.execPath, [module], { cwd: folder, encoding: "utf8" });
  const { points, labels = [] } = await readPoints(readFileSync(join(folder, "moons.csv")), {
    name: "moons.csv",
    labels: "class",
  });
  const as = { scale: "none", bias: "regularized" } as const; // which dual coordinate descent needs
  const given = { loss: "hinge", lambda: 0.02, maxPasses: 7, seed: 4 } as const;
  const again = new LinearClassifier({ solver: "sgdqn", ...as, ...given });
  await again.fit(points, labels);
  expect(JSON.parse(printed.stdout)).toEqual([...again.coefficients.data]);
});

/** Three kinds of flowers by three measures of different sizes, sorted by kind. */
const flowers = Array.from({ length: 90 }, (_, i) => {
  const kind = Math.floor(i / 30);
  const [a, b, c] = [(i * 37) % 11, 1000 * kind + ((i * 53) % 700), 0.01 * ((i * 29) % 17) - 0.05 * kind];
  return `${a},${b},${c.toFixed(3)},${["<i>u</i>", "v w", "日本"][kind]}`;
}).join("\n");

test("a file of one's own: two of its columns, a class against the rest, and code for the same model", async () => {
  const visit = await at().visit("#/classify?run=false&maxPasses=6&model=asgd");
  const { page } = visit;
  const choose = (name: string, text: string) =>
    page.getByLabel(/^Or a file/).setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose("my <b>flowers</b>.csv", `a,b,<u>c</u>,kind\n${flowers}\n`);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Use 3 of 4 columns" }).click();
  await page.getByLabel("y", { exact: true }).selectOption("<u>c</u>");
  await page.getByLabel("x", { exact: true }).selectOption("b");
  await page.getByLabel("Class, against all others").selectOption("日本");
  await page.getByText("not 日本").waitFor();
  expect(await page.locator("b, i, u").count()).toBe(0);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await finished(page);
  const model = await downloaded(page, "Model (JSON)");
  const names = ["my _b_flowers_b_-training.csv", "my _b_flowers_b_-test.csv"];
  writeFileSync(join(folder, names[0]), await downloaded(page, "Data (CSV)"));
  writeFileSync(join(folder, names[1]), await downloaded(page, "Data held out (CSV)"));
  const [typescript, command] = await page.locator(".code pre").allInnerTexts();
  await page.getByRole("heading", { name: "After epoch 6" }).waitFor();
  const row = await rowOf(page, "averaged SGD");
  expect(await accessibilityFaults(page)).toEqual([]);

  expect(command).toBe(
    `npx @curvature/cli train '${names[0]}' --labels class --test '${names[1]}' --solver asgd --scale standard --bias free --max-passes 6 --model model.json`,
  );
  const ended = spawnSync(
    process.execPath,
    [
      join(root, "apps/cli/bin/curvature.js"),
      "train",
      ...[names[0], "--labels", "class", "--test", names[1], "--solver", "asgd", "--scale", "standard"],
      ...["--bias", "free"],
      ...["--max-passes", "6", "--model", "model.json", "--quiet"],
    ],
    { cwd: folder, encoding: "utf8" },
  );
  expect(ended.stderr).toBe("");
  expect(readFileSync(join(folder, "model.json")).equals(model)).toBe(true);
  writeFileSync(
    join(folder, "flowers.mjs"),
    stripTypeScriptTypes(
      typescript.replace("console.log(", "console.log(JSON.stringify([").replace(", message);", "]));"),
      { mode: "strip" },
    ),
  );
  const printed = spawnSync(process.execPath, [join(folder, "flowers.mjs")], {
    cwd: folder,
    encoding: "utf8",
  });
  const [value, score]: number[] = JSON.parse(printed.stdout);
  expect(row).toContain(value.toFixed(5));
  expect(row).toMatch(new RegExp(`${(100 * (1 - score)).toFixed(1)} %$`));

  const again = await visit.again();
  await again.page.getByText("not 日本").waitFor(); // the browser has kept the file, the link the columns
  await again.page.close();
  const twice = (lines: string): string => `${lines}\n${lines}\n`;
  const sentences = [
    ["one.csv", `p,class\n${twice("1,a\n2,b")}`, "class", /takes two columns of numbers; one\.csv has one/],
    [
      "same.csv",
      `p,q,class\n${twice("1,2,a\n2,3,a")}`,
      "class",
      /needs two classes; in same\.csv all labels are a/,
    ],
    ["none.csv", `p,q,r\n${twice("1,2,3\n2,3,4")}`, "none", /No column of none\.csv looks like labels/],
    [
      "huge.csv",
      `p,q,class\n${twice("1e308,2,a\n-1e308,3,b")}`,
      "class",
      /spread over more than float64 can hold/,
    ],
  ] as const;
  for (const [name, text, labels, sentence] of sentences) {
    await choose(name, text);
    await page.getByRole("heading", { name, exact: true }).waitFor();
    // Without labels these are numbers alone, and there is nothing to decide.
    if (labels !== "none") {
      await page.getByLabel("Labels", { exact: true }).selectOption({ label: labels });
      await page.getByRole("button", { name: /^Use / }).click();
    }
    await page.getByText(sentence).first().waitFor();
    expect(await page.getByRole("button", { name: "Run", exact: true }).isEnabled()).toBe(false);
  }
  await page.getByRole("button", { name: "Forget it" }).click();
  await page.getByRole("button", { name: "Add a", exact: true }).waitFor();
  expect([...visit.foreign, ...visit.errors]).toEqual([]);
  await visit.close();
});

test("stop takes effect and keeps what was there; a worker that breaks down can be started again", async () => {
  const { page, close } = await at().visit("#/classify?points=5000&maxPasses=1000&run=false");
  const run = page.getByRole("button", { name: "Run", exact: true });
  await run.click();
  await page.getByText(/^Running: (SGD|SVMSGD2)/).waitFor();
  await page.waitForFunction(() => /\d %/.test(document.querySelector(".figures-table")?.textContent ?? ""));
  await timeToStop(page);
  const curves = (await downloaded(page, "Curves (CSV)")).toString().trim().split("\n");
  expect(curves.length).toBeGreaterThan(1);
  expect(curves.length).toBeLessThan(5000);

  await page.route(/entry-.*\.js/, (route) => route.abort());
  await run.click();
  await page.getByText("The worker has broken down.").waitFor();
  await page.unroute(/entry-.*\.js/);
  await page.getByRole("spinbutton", { name: "Epochs" }).fill("5");
  await finished(page);
  await close();
});

test("a hostile link does no harm, and a link without a solver says what to do", async () => {
  const visit = await at().visit(
    "#/classify?data=<b>x</b>&added=1_2&points=1e9&digit=-1&solvers=sgd~rm&lambda=0&loss=hinge&run=false",
  );
  await visit.page.getByText("was ignored: data, points, added, digit, solvers, lambda").waitFor();
  await visit.close();
  const other = await at().visit("#/classify?solvers=dcd&loss=logistic");
  await other.page.getByText(/no step in closed form for the logistic loss\. Choose another/).waitFor();
  expect([...visit.errors, ...other.errors]).toEqual([]);
  await other.close();
});

test.each([
  ["light", "", { colorScheme: "light", reducedMotion: "no-preference" }],
  ["dark", "data=digits&maxPasses=3", { colorScheme: "dark" }],
  ["phone", "", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
] as const)("axe finds nothing: %s", async (_, query, options) => {
  const { page, close } = await at().visit(`#/classify?${query}`, options);
  await finished(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await close();
});

test("with reduced motion nothing runs by itself, and a run shows its end at once", async () => {
  const { page, close } = await at().visit("#/classify?maxPasses=20", { reducedMotion: "reduce" });
  await page.getByText("Press Run to train the models.").waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await finished(page);
  await page.getByRole("heading", { name: "After epoch 20" }).waitFor();
  expect(await page.getByRole("slider", { name: "Epoch" }).inputValue()).toBe("20");
  await close();
});
