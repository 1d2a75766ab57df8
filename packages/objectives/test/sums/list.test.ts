/** No objective is exported that the list does not hold. */
import * as networks from "@curvature/objectives/networks";
import * as sums from "@curvature/objectives/sums";
import { expect, test } from "vitest";
import { models } from "./models.js";

test("every exported function that makes an objective is on the list, and nothing else", () => {
  const exported = Object.entries({ ...sums, ...networks })
    .filter(
      ([name, value]) =>
        typeof value === "function" && !["defaultMinibatchCount", "modelOfShape"].includes(name),
    )
    .map(([name]) => name);
  expect(new Set(models.map((model) => model.factory))).toEqual(new Set(exported));
  expect(exported).toHaveLength(8);
});
