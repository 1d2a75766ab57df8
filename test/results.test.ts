/** The page of results is the one that the program writes, and every experiment has a result or says why it has none. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { experiments, papers } from "../apps/bench/src/experiments.ts";
import { pageText, resultsOf } from "../apps/bench/src/page.ts";
import { fullRuns, ownName } from "../apps/bench/src/registry/experiment.ts";

const root = resolve(import.meta.dirname, "..");

test("docs/results/README.md is as `npm run bench -- page` writes it", () => {
  expect(readFileSync(`${root}/docs/results/README.md`, "utf8")).toBe(pageText());
});

describe.each(experiments)("$name", (experiment) => {
  test("has a file and a result", () => {
    expect(existsSync(`${root}/apps/bench/src/experiments/${experiment.name}.ts`)).toBe(true);
    expect(resultsOf(experiment).length).toBeGreaterThan(0);
  });

  test("has a first run of its own name, which arguments of one's own are put behind", () => {
    expect(Object.keys(fullRuns(experiment))[0]).toBe(ownName(experiment));
  });

  test("is no first look, and its pictures are there", () => {
    const paper = experiment.name.split("/")[0];
    for (const { name, findings } of resultsOf(experiment)) {
      const path = `${root}/docs/results/${paper}/${name}`;
      const markdown = readFileSync(`${path}.md`, "utf8");
      for (const [, picture] of markdown.matchAll(/\]\(([^)]+\.svg)\)/g))
        expect(existsSync(`${root}/docs/results/${paper}/${picture}`), picture).toBe(true);
      if (findings === undefined) continue;
      const { isQuick, claim, data, method } = JSON.parse(readFileSync(`${path}.json`, "utf8"));
      expect(isQuick).toBe(false);
      for (const text of [claim, data, method]) expect(text.length).toBeGreaterThan(0);
    }
  });
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
