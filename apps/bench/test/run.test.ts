/** The command that runs experiments: what it does with words that it does not know. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const runner = fileURLToPath(new URL("../src/run.ts", import.meta.url));

test.each([
  ["list extra", /`list` takes no "extra"\. Usage: /],
  ["list --quick", /`list` takes no "--quick"\. Usage: /],
  ["page --data", /^Usage: /],
  ["page extra", /`page` takes no "extra"\. Usage: /],
  ["all --quick --repeats 3", /`all` takes no "--repeats"\. Usage: /],
  ["", /^Usage: /],
  ["--quick", /^Usage: /],
  ["svrg/figure-0", /^There is no experiment svrg\/figure-0; /],
  ["svrg/figure-1 --quick --epoch 3", /^Unknown option '--epoch'; /],
  ["svrg/figure-1 --quick three", /^Unexpected argument 'three'; /],
  ["svrg/figure-1 --quick --data no-folder", /^There is no folder "no-folder" with data/],
  ["svrg/figure-1 --quick --epochs", /^Option '--epochs <value>' argument missing; /],
])("%j is refused in one line, with exit code 64", { tags: ["full"] }, (words, sentence) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--no-warnings", runner, ...words.split(" ").filter(Boolean)],
    { encoding: "utf8" },
  );
  expect(stderr).toMatch(sentence);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stdout).toBe("");
  expect(status).toBe(64);
});

test("--help says how it is used", () => {
  const { status, stdout } = spawnSync(process.execPath, ["--no-warnings", runner, "--help"], {
    encoding: "utf8",
  });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Usage: /);
});

test("list names every experiment", () => {
  const { status, stdout } = spawnSync(process.execPath, ["--no-warnings", runner, "list"], {
    encoding: "utf8",
  });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^svrg\/figure-1 .*SVRG-SBB/m);
});
