/** The page of results is the one that the program writes, and every experiment has a result or says why it has none. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { experiments, papers } from "../apps/bench/src/experiments.ts";
import { pageText, resultsOf } from "../apps/bench/src/page.ts";
import { fullRuns, ownName } from "../apps/bench/src/registry/experiment.ts";
import { markdownOf, type Written } from "../apps/bench/src/report.ts";
import { tablePictures } from "../apps/bench/src/table-pictures.ts";

const root = resolve(import.meta.dirname, "..");

test("docs/results/README.md is as `npm run bench -- page` writes it", () => {
  expect(readFileSync(`${root}/docs/results/README.md`, "utf8")).toBe(pageText());
});

describe.each(experiments)("$name", (experiment) => {
  test("has a file and a result", () => {
    expect(existsSync(`${root}/apps/bench/src/experiments/${experiment.name}.ts`)).toBe(true);
    expect(resultsOf(experiment).length === 0).toBe(experiment.unmeasured !== undefined);
  });

  test("has a first run of its own name, which arguments of one's own are put behind", () => {
    expect(Object.keys(fullRuns(experiment))[0]).toBe(ownName(experiment));
  });

  test("is no first look, and is written and drawn as the program does", () => {
    const paper = experiment.name.split("/")[0];
    for (const { name } of resultsOf(experiment)) {
      const path = `${root}/docs/results/${paper}/${name}`;
      const written: Written = JSON.parse(readFileSync(`${path}.json`, "utf8"));
      expect(readFileSync(`${path}.md`, "utf8")).toBe(markdownOf(written));
      expect(written.isQuick).toBe(false);
      for (const text of [written.claim, written.data, written.method])
        expect(text.length).toBeGreaterThan(0);
      expect(written.figures.length, `pictures of ${name}`).toBeGreaterThan(0);
      const drawn = tablePictures(written);
      expect(drawn.length).toBe(experiment.pictures?.length ?? 0);
      for (const figure of drawn) {
        expect(written.figures).toContainEqual({ name: figure.name, caption: figure.caption });
        const file = `${root}/docs/results/${paper}/${figure.name}.svg`;
        expect(readFileSync(file, "utf8") === figure.svg, file).toBe(true);
      }
    }
  });
});

test("every picture belongs to a result, and is there", () => {
  for (const paper of Object.keys(papers)) {
    const folder = `${root}/docs/results/${paper}`;
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const named = files
      .filter((file) => file.endsWith(".json"))
      .flatMap((file) => {
        const { figures }: Written = JSON.parse(readFileSync(`${folder}/${file}`, "utf8"));
        return figures.map(({ name }) => `${name}.svg`);
      });
    expect(files.filter((file) => file.endsWith(".svg")).sort()).toEqual(named.sort());
  }
});

test("names are there once, and every result belongs to an experiment", () => {
  const names = experiments.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const paper of Object.keys(papers)) {
    const folder = `${root}/docs/results/${paper}`;
    const owned = experiments
      .filter(({ name }) => name.startsWith(`${paper}/`))
      .flatMap((experiment) => Object.keys(fullRuns(experiment)));
    const there = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".md")) : [];
    for (const file of there) expect(owned).toContain(file.replace(/\.md$/, ""));
  }
});
