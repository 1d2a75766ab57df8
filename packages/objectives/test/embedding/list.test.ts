/** No objective is exported that the list does not hold. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as exported from "@curvature/objectives/embedding";
import { expect, test } from "vitest";
import { models, outOfSampleModels } from "./models.js";

const source = resolve(import.meta.dirname, "../../src/embedding");

/** Exported functions whose declared result is an objective of some kind. */
function factoriesInSource(): string[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [
      ...readFileSync(join(source, name), "utf8").matchAll(
        /export (?:async )?function (\w+)\((?:(?!\n\}|export )[\s\S])*?\): [\w<]*Objective>? \{/g,
      ),
    ])
    .map(([, name]) => name)
    .filter((name) => name in exported);
}

test("every exported function that makes an objective is on the list, and nothing else", () => {
  const onList = new Set<string>([...models, ...outOfSampleModels].map((model) => model.factory));
  expect(new Set(factoriesInSource())).toEqual(onList);
  expect(onList.size).toBe(10);
});
