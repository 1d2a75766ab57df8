// @module-tag full
/** What the README of the cluster and the files of examples/cluster say is done as it stands there, by plain processes. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { freePort } from "../../../packages/cluster/test/redis-server.js";
import { groupsCsv, workplace } from "./cli.js";
import { missingRedis } from "./redis-server.js";

const place = workplace();
const root = resolve(import.meta.dirname, "../../..");
const text = (path: string): string => readFileSync(resolve(root, path), "utf8");

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}
const compose: { readonly services: Readonly<Record<"redis" | "worker" | "sweep", Service>> } = parse(
  text("examples/cluster/docker-compose.yml"),
  { merge: true },
);

interface Resource {
  readonly kind: string;
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
}
interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}
const documents = parseAllDocuments(text("examples/cluster/kubernetes.yaml"));
const container = (kind: string): Container => {
  const resources: readonly Resource[] = documents.map((document) => document.toJS());
  const found = resources.find((resource) => resource.kind === kind);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found.spec.template.spec.containers[0];
};

test("Kubernetes is told to run the same commands as Docker Compose", () => {
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const { redis, worker, sweep } = compose.services;
  expect(container("Deployment").args).toEqual([...worker.command, "--name", "$(POD_NAME)"]);
  expect(container("Job").args).toEqual(sweep.command);
  // What follows are the words of redis-server, with the password as each of the two writes it.
  expect(container("StatefulSet").args.map((word) => word.replace(/^\$.*/, ""))).toEqual(
    redis.command.slice(1).map((word) => word.replace(/^\$.*/, "")),
  );
  for (const kind of ["Deployment", "Job"]) {
    const names = container(kind).env.map(({ name }) => name);
    expect(names.indexOf("REDIS_PASSWORD")).toBeGreaterThanOrEqual(0);
    expect(names.indexOf("CURVATURE_REDIS")).toBeGreaterThan(names.indexOf("REDIS_PASSWORD"));
  }
});

describe.skipIf(missingRedis !== undefined)("as plain processes", () => {
  const forTest = (child: ChildProcess): ChildProcess => {
    onTestFinished(async () => {
      const ended = new Promise((done) => child.once("close", done));
      if (child.exitCode === null && child.signalCode === null && child.kill("SIGTERM")) await ended;
    });
    return child;
  };

  test("the services of docker-compose.yml make a sweep", async () => {
    const port = await freePort();
    mkdirSync(place().path("data"));
    mkdirSync(place().path("store"));
    place().write("data/digits.csv", groupsCsv(160).replace("group", "digit"));
    const here = (words: readonly string[]): string[] =>
      words.map((word) =>
        word
          .replace(/^\$\{REDIS_PASSWORD.*\}$/, "chosen")
          .replace(/^(.*=)?\/(data|results)/, (_, option = "", folder) => `${option}${place().path(folder)}`),
      );
    const { redis, worker, sweep } = compose.services;
    const [program, ...words] = here(redis.command);
    forTest(
      spawn(process.env["REDIS_SERVER"] ?? program, [
        ...words,
        ...["--port", `${port}`, "--dir", place().path("store")],
      ]),
    );
    const address = (service: Service): Readonly<Record<string, string>> => ({
      CURVATURE_REDIS: service.environment["CURVATURE_REDIS"]
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Docker Compose puts the password there
        .replace("${REDIS_PASSWORD}", "chosen")
        .replace("@redis:6379", `@127.0.0.1:${port}`),
    });
    forTest(place().start(here(worker.command), address(worker)));
    const ended = await place().run(here(sweep.command), { environment: address(sweep) });
    expect(ended.code, ended.stderr).toBe(0);
    expect(place().read("results/digits/summary.md")).toContain("Best by knnPreservation");
    expect(place().read("results/digits/summary.csv").trimEnd().split("\n")).toHaveLength(25);
  });

  test("the README's way from nothing to a picture", async () => {
    const [, script] =
      /^```sh\n(npm install --global[\s\S]*?)^```/m.exec(text("packages/cluster/README.md")) ?? [];
    if (script === undefined) throw new Error("the README has no such example");
    const port = await freePort();
    mkdirSync(place().path("bin"));
    const program = resolve(import.meta.dirname, "../bin/curvature.js");
    place().write("bin/curvature", `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(place().path("bin/curvature"), 0o755);
    const lines = script.replace(/^npm install.*\n/, "").replaceAll("6379", `${port}`);
    const ended = spawnSync("bash", ["-euc", lines], {
      cwd: place().folder,
      encoding: "utf8",
      env: { ...process.env, PATH: [place().path("bin"), process.env["PATH"]].join(delimiter) },
    });
    expect(ended.status, ended.stderr).toBe(0);
    expect(ended.stdout).toContain("Best by knnPreservation (the highest): run ");
    expect(place().read("results/picture.svg")).toContain("<svg");
  });
});
