// @module-tag full
/** Each tutorial, followed word for word in a fresh folder beside the clone, with the packages from their tarballs. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { install, pack, publishablePackages } from "../../../scripts/packed.ts";

const root = resolve(import.meta.dirname, "../../..");
const pages = resolve(import.meta.dirname, "../pages");
const base = mkdtempSync(join(tmpdir(), "curvature-tutorials-"));
const tutorials = readdirSync(join(pages, "tutorials")).filter((name) => name.endsWith(".md"));

interface Block {
  readonly language: string;
  readonly code: string;
  /** The line before it that is not empty. */
  readonly before: string;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(pages, page), "utf8");
  return [...text.matchAll(/(?:^|\n)([^\n]*)\n+```([^\n]*)\n([\s\S]*?)\n```(?=\n)/g)].map(
    ([, before = "", language = "", code = ""]) => ({ language, code, before }),
  );
}

/** What differs between two runs of the same command. */
const steady = (line: string): string => line.replaceAll(/\d+(\.\d+)? s\b/g, "… s").trimEnd();

beforeAll(() => {
  const tarballs = new Map(
    publishablePackages().map(({ directory, manifest }) => [
      manifest.name,
      pack(directory, join(base, "tarballs")),
    ]),
  );
  install(join(base, "my-data"), tarballs, [...tarballs.keys()]);
  symlinkSync(root, join(base, "curvature"), "junction");
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

test("every block of the site is code that a test runs, or output, or a formula", () => {
  for (const page of readdirSync(pages, { recursive: true, encoding: "utf8" })) {
    if (!page.endsWith(".md") || page.includes("api")) continue;
    const languages = blocksOf(page).map(({ language }) => language);
    const allowed = /^(index\.md$|tutorials)/.test(page) ? ["sh", "ts", "text"] : ["ts", "math"];
    for (const language of languages) expect(allowed, page).toContain(language);
  }
});

test("Start installs the tarballs as the tutorials have them", () => {
  const [shell] = blocksOf("index.md").filter(({ language }) => language === "sh");
  expect(shell?.code.split("\n")).toEqual([
    "cd curvature",
    "npm run tarballs",
    "cd ..",
    "mkdir my-data",
    "cd my-data",
    "npm init --yes",
    "npm install ../curvature/out/tarballs/*.tgz",
  ]);
});

test.each(tutorials)("%s", async (name) => {
  const folder = join(base, name.replace(".md", ""));
  mkdirSync(folder);
  symlinkSync(join(base, "my-data", "node_modules"), join(folder, "node_modules"), "junction");
  let printed: string[] = [];
  for (const { language, code, before } of blocksOf(`tutorials/${name}`)) {
    if (language === "ts") {
      const file = /Save this program as `(.+)`:$/.exec(before)?.[1];
      if (file !== undefined) writeFileSync(join(folder, file), code);
    } else if (language === "sh") {
      const output = execFileSync("bash", ["-ec", `exec 2>&1\n${code}`], { cwd: folder, encoding: "utf8" });
      printed = output.split("\n").map(steady);
    } else for (const line of code.split("\n")) expect(printed).toContain(steady(line));
  }
  const text = readFileSync(join(pages, "tutorials", name), "utf8");
  for (const [, picture = ""] of text.matchAll(/!\[[^\]]+\]\(\.\/([^)]+)\)/g))
    await expect(readFileSync(join(folder, picture), "utf8")).toMatchFileSnapshot(
      join(pages, "tutorials", picture),
    );
});
