/** The files of examples/shards: the command lines that they come to, as the schedulers start them. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { workplace } from "./cli.js";

const place = workplace();
const recipes = resolve(import.meta.dirname, "../../../examples/shards");
const text = (name: string): string => readFileSync(join(recipes, name), "utf8");
const shards = [1, 2, 3, 4];
const sweep = (data: string): string =>
  `@curvature/cli sweep embed ${data} --labels digit --grid perplexity=5,10,30 --restarts 2`;

/** The words that the script gives to npx, a line for each time. */
function linesOf(script: string, variables: Readonly<Record<string, string>> = {}): string[] {
  const PATH = `${place().path("bin")}${delimiter}${process.env["PATH"]}`;
  const { status, stdout, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", script], {
    env: { PATH, ...variables },
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return stdout.trimEnd().split("\n");
}

beforeAll(() => {
  mkdirSync(place().path("bin"));
  place().write("bin/npx", '#!/bin/bash\necho "$*"\n');
  chmodSync(place().path("bin/npx"), 0o755);
});

describe("examples/shards", () => {
  test("Slurm", () => {
    const variables = { SLURM_ARRAY_TASK_COUNT: "4", SLURM_CPUS_PER_TASK: "8" };
    for (const i of shards)
      expect(linesOf(text("slurm.sh"), { ...variables, SLURM_ARRAY_TASK_ID: String(i) })).toEqual([
        `${sweep("digits.csv")} --shard ${i}/4 --concurrency 8 --out results --resume`,
      ]);
    expect(linesOf(text("slurm.sh"))).toEqual([`${sweep("digits.csv")} --merge results --out results`]);
    expect(text("slurm.sh")).toContain("#SBATCH --array=1-4\n");
  });

  test("Kubernetes", () => {
    const documents = parseAllDocuments(text("kubernetes.yaml"));
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const jobs = documents.map((document) => document.toJS().spec);
    expect(jobs[0]).toMatchObject({ completionMode: "Indexed", completions: 4 });
    const [shard, merge] = jobs.map(({ template }): string => {
      const { command, args } = template.spec.containers[0];
      expect(command).toEqual(["sh", "-c"]);
      return args[0];
    });
    for (const i of shards)
      expect(linesOf(shard, { JOB_COMPLETION_INDEX: String(i - 1) })).toEqual([
        `${sweep("/data/digits.csv")} --shard ${i}/4 --out /results/digits --resume`,
      ]);
    expect(linesOf(merge)).toEqual([
      `${sweep("/data/digits.csv")} --merge /results/digits --out /results/digits`,
    ]);
  });

  test("AWS Batch", () => {
    const { arrayProperties, containerOverrides } = JSON.parse(text("aws-batch.json"));
    expect(arrayProperties).toEqual({ size: 4 });
    for (const i of shards)
      expect(linesOf(containerOverrides.command[2], { AWS_BATCH_JOB_ARRAY_INDEX: String(i - 1) })).toEqual([
        `${sweep("/mnt/digits.csv")} --shard ${i}/4 --out /mnt/results --resume`,
      ]);
  });

  test("GitHub Actions", () => {
    const { env, jobs } = parse(text("github-actions.yml"));
    const scriptOf = (job: string): string =>
      jobs[job].steps.map(({ run = "" }: { readonly run?: string }) => run).join("\n");
    expect(jobs.shard.strategy.matrix.shard).toEqual(shards);
    for (const i of shards)
      expect(linesOf(scriptOf("shard").replaceAll(/\$\{\{ matrix\.shard \}\}/g, String(i)), env)).toEqual([
        `${sweep("digits.csv")} --shard ${i}/4 --out shard-${i}`,
      ]);
    expect(linesOf(scriptOf("merge"), env)).toEqual([
      `${sweep("digits.csv")} --merge shard-1 shard-2 shard-3 shard-4 --out results`,
    ]);
  });

  test.skipIf(spawnSync("parallel", ["--version"]).status !== 0)("GNU parallel", () => {
    expect(linesOf(text("parallel.sh")).sort()).toEqual([
      `${sweep("digits.csv")} --merge results --out results`,
      ...shards.map((i) => `${sweep("digits.csv")} --shard ${i}/4 --concurrency 1 --out results --resume`),
    ]);
  });
});
