/** The quick form of `npm run fuzz`: the readers of strangers' bytes end in a result or a CurvatureError. */
import { expect, test } from "vitest";
import { fuzz } from "./fuzz.ts";
import { targets } from "./fuzz-targets.ts";
import type { FuzzReport } from "./fuzz-worker.ts";

const inputs = 20_000;

test(`${targets.length} readers meet ${inputs} inputs each, those that take long fewer`, async () => {
  const reports: FuzzReport[] = [];
  const names = targets.map(({ name }) => name);
  await fuzz({ targets: names, seed: 1, from: 0, to: inputs }, (report) => reports.push(report));
  expect(reports.flatMap(({ findings }) => findings)).toEqual([]);
  expect(reports.map(({ target }) => target)).toEqual(names);
  // mutations that never come through, or always, would try nothing
  for (const { target, accepted, refused } of reports) {
    expect(accepted, target).toBeGreaterThan(0);
    expect(refused, target).toBeGreaterThan(0);
  }
  expect(reports.map(({ accepted, refused }) => accepted + refused)).toEqual(
    targets.map(({ oneIn }) => inputs / oneIn),
  );
}, 600_000);
