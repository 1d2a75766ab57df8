/**
 * The short forms of `npm run fuzz`: the readers of strangers' bytes end in a result or a CurvatureError. The seed is the
 * day's, so that other inputs are tried each day; a failure names the command that makes its input again.
 */
import { expect, test } from "vitest";
import { fuzz } from "./fuzz.ts";
import { targets as all } from "./fuzz-targets.ts";
import type { FuzzReport } from "./fuzz-worker.ts";

const seed = Math.floor(Date.now() / 86_400_000);
/** The claims of linear solvers have a test of their own, `certificates.test.ts`. */
const targets = all.filter(({ name }) => name !== "certificates");

for (const [inputs, tags] of [
  [500, []],
  [5000, ["full"]],
] as const)
  test(`${targets.length} readers meet ${inputs} inputs each, those that take long fewer (seed ${seed})`, {
    tags: [...tags],
    timeout: 1_500_000,
  }, async () => {
    const reports: FuzzReport[] = [];
    const names = targets.map(({ name }) => name);
    await fuzz({ targets: names, seed, from: 0, to: inputs }, (report) => reports.push(report));
    const failures = reports.flatMap(({ findings }) =>
      findings.map(
        ({ target, index, what }) =>
          `npm run fuzz -- --target "${target}" --replay ${seed}:${index}\n${what}`,
      ),
    );
    expect(failures).toEqual([]);
    expect(reports.map(({ target }) => target)).toEqual(names);
    // Mutations that never come through, or always, would try nothing. Of fewer inputs some days have none that do.
    for (const { target, accepted, refused } of reports.filter(
      (each) => each.accepted + each.refused >= 1000,
    )) {
      expect(accepted, target).toBeGreaterThan(0);
      expect(refused, target).toBeGreaterThan(0);
    }
    expect(reports.map(({ accepted, refused }) => accepted + refused)).toEqual(
      targets.map(({ oneIn }) => inputs / oneIn),
    );
  });
