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

  test("with --save all, every run's map and model is in the folder of results, whoever did the runs", {
    tags: ["full"],
  }, async () => {
    const file = place().write("all.csv", groupsCsv(40));
    const sweeping = (save: string, ...more: string[]) =>
      place().run([
        ...["sweep", "embed", file, "--labels", "group", "--init", "random", "--max-evaluations", "10"],
        ...["--grid", "method=tsne,nonsymmetric-tsne", "--grid", "perplexity=5,400", "--save", save, ...more],
      ]);
    const saving = (...more: string[]) => sweeping("all", ...more);
    const kept = (folder: string): Record<string, string> =>
      Object.fromEntries(
        ["", "runs"].flatMap((inner) =>
          readdirSync(place().path(join(folder, inner)), { withFileTypes: true })
            .filter((entry) => entry.isFile() && !entry.name.endsWith(".json"))
            .map(({ name }) => [name, place().read(join(folder, inner, name))]),
        ),
      );
    expect(await saving("--out", "all-one")).toMatchObject({ code: 2 });
    const one = kept("all-one");
    const [header, first, , third] = one["summary.csv"].split("\n").map((line) => line.split(","));
    expect(header.slice(-2)).toEqual(["outFile", "modelFile"]);
    const tsne = "001-method=tsne,perplexity=5,seed=0";
    const other = "003-method=nonsymmetric-tsne,perplexity=5,seed=0";
    expect(first.slice(-6).join(",")).toContain(`runs/${tsne}.csv`);
    expect(third.at(-1)).toBe('""'); // this method's maps take no later rows, and so have no model
    expect(Object.keys(one).filter((name) => /^\d/.test(name))).toEqual([
      `${tsne}.csv`,
      `${tsne}.model`,
      `${other}.csv`,
    ]);
    const alone = ["--labels", "group", "--init", "random", "--max-evaluations", "10", "--perplexity", "5"];
    await place().run(["embed", file, ...alone, "--out", "own.csv", "--model", "own.model"]);
    expect(one[`${tsne}.csv`]).toBe(place().read("own.csv"));
    expect(one[`${tsne}.model`]).toBe(place().read("own.model"));
    expect([one[`${tsne}.csv`], one[`${other}.csv`]]).toContain(one["best.csv"]);

    await saving("--shard", "1/2", "--out", "all-1");
    await saving("--shard", "2/2", "--out", "all-2");
    await saving("--merge", "all-1", "all-2", "--out", "all-merged");
    expect(kept("all-merged")).toEqual(one);
    rmSync(place().path("all-merged/picture.svg"));
    expect(await sweeping("none", "--out", "all-merged", "--resume")).toMatchObject({ code: 2 });
    expect(place().read("all-merged/picture.svg")).toBe(one["picture.svg"]);

    rmSync(place().path(`all-1/runs/${tsne}.model`));
    const lacking = await saving("--merge", "all-1", "all-2", "--out", "all-lacking");
    expect(lacking).toMatchObject({ code: 64 });
    expect(lacking.stderr).toContain(`all-1/runs/${tsne}.model is missing`);
    await saving("--shard", "1/2", "--out", "all-1", "--resume");
    await saving("--merge", "all-1", "all-2", "--out", "all-again");
    expect(kept("all-again")).toEqual(one);
    await sweeping("best", "--shard", "1/2", "--out", "all-figures");
    const figures = await saving("--merge", "all-figures", "all-2", "--out", "all-mixed");
    expect(figures.stderr).toContain(`all-figures/runs/${tsne}.json is of a run without --save all`);
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

  test("a run that fails in its shard has failed in the merge, and is tried again to go on", {
    tags: ["full"],
  }, async () => {
    const file = place().write("failing.csv", groupsCsv(40));
    const failing = ["sweep", "disentangle", file, "--labels", "group", "--clusters", "3"];
    failing.push("--grid", "memory-limit=0.0000001,4");
    const one = await place().run([...failing, "--out", "failing-one"]);
    for (const shard of ["1/2", "2/2"]) await place().run([...failing, "--shard", shard, "--out", "failing"]);
    const all = await place().run([...failing, "--merge", "failing", "--out", "failing-all"]);
    expect([one.code, all.code]).toEqual([2, 2]);
    for (const name of ["summary.csv", "summary.md"])
      expect(place().read(`failing-all/${name}`)).toBe(place().read(`failing-one/${name}`));
    expect(readdirSync(place().path("failing-all/runs"))).toEqual(
      readdirSync(place().path("failing-one/runs")),
    );
    const again = await place().run([...failing, "--shard", "1/2", "--out", "failing", "--resume"]);
    expect(again.stderr).toContain("A run failed 3 times");
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
