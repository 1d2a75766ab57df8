// @module-tag full
/** The quick form of `npm run faults`: kill -9, and file systems that fail. */
import { RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { commandRuns } from "./commands.ts";
import { faultCases, tryFault, undisturbed } from "./io-faults.ts";
import { interrupted, kill } from "./kills.ts";
import { pick } from "./mutations.ts";

const killsEach = 4;
const faultsEach = 3;

describe.each(commandRuns)("$name", (run) => {
  test(`goes on bit for bit after ${killsEach} kills`, async () => {
    const { kills, faults } = await kill(run, killsEach, 1);
    expect(faults).toEqual([]);
    expect(kills).toBe(killsEach);
  });

  test.each([
    ["from its beginning", async () => undefined],
    ["from a checkpoint", () => interrupted(run)],
  ])(
    `takes ${faultsEach} faults of the file system %s with a sentence, and leaves whole files`,
    async (_, cut) => {
      const random = new RandomGenerator(2);
      const cases = await faultCases(run, await cut());
      const expected = await undisturbed(run);
      // a run without reads and writes to disturb would prove nothing
      for (const thread of ["main", "worker"])
        expect(cases.filter(({ at }) => at.startsWith(thread)).length).toBeGreaterThan(30);
      for (let k = 0; k < faultsEach; k++) expect(await tryFault(pick(random, cases), expected)).toEqual([]);
    },
  );
});
