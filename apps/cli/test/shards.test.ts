/** `curvature sweep --shard` and `--merge`: machines that do not know of each other, and one result. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { eventsOf, groupsCsv, workplace } from "./cli.js";

const place = workplace();

/** Six runs, of which the last two are refused: there are no 400 neighbours. */
const words = (file: string): string[] => [
  ...["sweep", "embed", file, "--labels", "group", "--init", "random", "--max-evaluations", "10"],
  ...["--grid", "perplexity=5,7,400", "--restarts", "2"],
];
const results = ["summary.csv", "summary.md", "picture.svg"];

async function shards(file: string, n: number, prefix: string): Promise<string[]> {
  const folders = Array.from({ length: n }, (_, i) => `${prefix}-${i + 1}`);
  for (const [i, folder] of folders.entries())
    await place().run([...words(file), "--shard", `${i + 1}/${n}`, "--out", folder, "--quiet"]);
  return folders;
}

const merged = (file: string, folders: readonly string[], out: string, ...more: string[]) =>
  place().run([...words(file), "--merge", ...folders, "--out", out, ...more]);

describe("curvature sweep --shard, --merge", () => {
  for (const [n, tags] of [
    [3, []],
    [7, ["full"]],
  ] as const)
    test(`${n} shards, merged, leave the bytes of one sweep, refused runs included`, {
      tags: [...tags],
    }, async () => {
      const file = place().write(`points${n}.csv`, groupsCsv(40));
      const one = await place().run([...words(file), "--out", `one${n}`]);
      const folders = await shards(file, n, `s${n}`);
      const all = await merged(file, folders, `all${n}`);
      expect(all.code).toBe(one.code);
      expect(one.code).toBe(2);
      for (const name of results)
        expect(place().read(`all${n}/${name}`)).toBe(place().read(`one${n}/${name}`));
    });

  test("in one folder, and again after a shard was lost", async () => {
    const file = place().write("shared.csv", groupsCsv(40));
    await place().run([...words(file), "--out", "shared-one"]);
    for (const shard of ["1/2", "2/2"])
      await place().run([...words(file), "--shard", shard, "--out", "shared"]);
    rmSync(place().path(join("shared/runs", readdirSync(place().path("shared/runs"))[1])));
    const refused = await merged(file, ["shared"], "shared-all");
    expect(refused).toMatchObject({ code: 64 });
    expect(refused.stderr).toContain("1 of 6 runs are in none of the folders (2)");
    await place().run([...words(file), "--shard", "2/2", "--out", "shared", "--resume"]);
    const whole = await merged(file, ["shared"], "shared-all");
    expect(whole.code).toBe(2);
    for (const name of results)
      expect(place().read(`shared-all/${name}`)).toBe(place().read(`shared-one/${name}`));
  });

  test("refuses shards of another plan, with what differs, and two results for one run", async () => {
    const file = place().write("mixed.csv", groupsCsv(40));
    const [first, second] = await shards(file, 2, "mixed");
    const other = [...words(file), "--seed", "9", "--shard", "1/2", "--out", "other"];
    await place().run(other);
    const another = await merged(file, [first, "other"], "mixed-all", "--resume");
    expect(another).toMatchObject({ code: 64 });
    expect(another.stderr).toContain("--merge other holds another sweep (other seed)");
    place().write(file, groupsCsv(41));
    const changed = await merged(file, [first, second], "mixed-all");
    expect(changed.stderr).toContain("(other data)");
    place().write(file, groupsCsv(40));
    const name = readdirSync(place().path(`${first}/runs`))[0];
    copyFileSync(place().path(`${first}/runs/${name}`), place().path(`${second}/runs/${name}`));
    expect(await merged(file, [first, second], "mixed-twice")).toMatchObject({ code: 2 });
    const path = place().path(`${second}/runs/${name}`);
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(/"knnPreservation": 0\.\d+/, '"knnPreservation": 0.5'),
    );
    const doubled = await merged(file, [first, second], "mixed-two");
    expect(doubled).toMatchObject({ code: 64 });
    expect(doubled.stderr).toContain(
      "Run 1 (perplexity=5,seed=0) has other results in mixed-2 than in mixed-1",
    );
    expect(await merged(file, ["nowhere"], "mixed-none")).toMatchObject({ code: 64 });
  });

  test("another build of the same version is another version", { tags: ["full"] }, async () => {
    const own = resolve(import.meta.dirname, "..");
    const copy = place().path("other-build");
    for (const part of ["bin", "dist", "package.json"])
      cpSync(join(own, part), join(copy, part), { recursive: true });
    symlinkSync(join(own, "node_modules"), join(copy, "node_modules"));
    const file = place().write("builds.csv", groupsCsv(40));
    const none = [...words(file), "--shard", "7/7"];
    const run = (out: string): string => {
      const program = join(copy, "bin/curvature.js");
      execFileSync(process.execPath, [program, ...none, "--out", out], {
        cwd: place().folder,
        stdio: "ignore",
      });
      return JSON.parse(place().read(`${out}/sweep.json`)).version;
    };
    await place().run([...none, "--out", "this-build"]);
    const version: string = JSON.parse(place().read("this-build/sweep.json")).version;
    expect(version).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
    expect(run("copied-build")).toBe(version);
    appendFileSync(join(copy, "dist/main.js"), "\n");
    expect(run("changed-build")).not.toBe(version);
    const mixed = await merged(file, ["this-build", "changed-build"], "builds");
    expect(mixed.stderr).toContain("--merge changed-build holds another sweep (other version)");
  });

  test("a shard without runs ends well; a shard that is none is refused", async () => {
    const file = place().write("few.csv", groupsCsv(40));
    const none = await place().run([...words(file), "--shard", "7/7", "--out", "few", "--json"]);
    expect(none.code).toBe(0);
    expect(eventsOf(none.stderr).at(-1)).toMatchObject({ shard: "7/7", runs: 0, done: 0 });
    for (const [shard, sentence] of [
      ["0/0", "i from 1 to n"],
      ["3/2", "i from 1 to n"],
      ["1", "i from 1 to n"],
      ["0/4", "counted from 1"],
    ])
      expect((await place().run([...words(file), "--shard", shard, "--out", "bad"])).stderr).toContain(
        sentence,
      );
    const both = await place().run([...words(file), "--shard", "1/2", "--merge", "few", "--out", "bad"]);
    expect(both.stderr).toContain("leave out --shard");
  });
});
