// @module-tag full
/**
 * Every package, installed from its tarball (with those of what it needs) in an empty folder, works as ESM, CommonJS and
 * TypeScript and in a browser's bundle; the command works from its own. Nobody gets more than the package needs.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, posix, resolve } from "node:path";
import { createContext, Script } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { install, pack, publishablePackages } from "../scripts/packed.ts";
import { bundle } from "./bundle.ts";
import { consumers } from "./consumers.ts";

const root = resolve(import.meta.dirname, "..");
const base = mkdtempSync(join(tmpdir(), "curvature-install-"));
const shell = process.platform === "win32";
const tarballs = new Map<string, string>();
const libraries = publishablePackages().filter(({ manifest }) => manifest.exports !== undefined);

/** Places of a package that code can be imported from. */
const specifiers = new Map(
  libraries.map(({ manifest: { name, exports = {} } }) => [
    name,
    Object.entries(exports)
      .filter(([, target]) => typeof target !== "string") // files
      .map(([place]) => posix.join(name, place)),
  ]),
);
const specifiersOf = (name: string): readonly string[] => specifiers.get(name) ?? [];
const folderOf = (name: string): string => join(base, name.replace("@curvature/", ""));

/** Nodes to run under: this one and, where it is another, the one that called `npm test`. */
const nodes = [...new Set([process.execPath, process.env["CURVATURE_CALLER_NODE"] ?? process.execPath])];

function run(name: string, file: string, ...rest: readonly string[]): void {
  const cwd = folderOf(name);
  for (const node of nodes)
    expect(execFileSync(node, [file, ...rest], { cwd, encoding: "utf8", stdio: "pipe" })).toContain("works");
}

const body = (program: string, imported: string, done: string): string => `
const imported = ${imported};
const expect = (condition) => { if (condition !== true) throw new Error("an expectation failed"); };
const main = async () => {${program}
};
main().then(() => ${done}("works"), (error) => ${done}(String(error?.stack ?? error)));
`;

function asModule(name: string, program: string, done: string): string {
  const imports = specifiersOf(name).map((specifier, k) => `import * as m${k} from "${specifier}";`);
  const imported = `{${specifiersOf(name).map((specifier, k) => `"${specifier}": m${k}`)}}`;
  return `${imports.join("\n")}\n${body(program, imported, done)}`;
}

beforeAll(() => {
  for (const { directory, manifest } of publishablePackages())
    tarballs.set(manifest.name, pack(directory, join(base, "tarballs")));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

test("there is a consumer of every package", () => {
  expect(Object.keys(consumers).sort()).toEqual(libraries.map(({ manifest }) => manifest.name).sort());
});

describe.each(Object.entries(consumers))("%s", (name, { program, brings, peers = [], notForBrowsers }) => {
  beforeAll(() => install(folderOf(name), tarballs, [name, ...peers]));

  test("brings what it needs, and nothing else of the house", () => {
    const installed = readdirSync(join(folderOf(name), "node_modules", ".pnpm"))
      .filter((entry) => entry.startsWith("@curvature+"))
      .map((entry) => entry.split("@")[1].replace("curvature+", ""));
    expect(installed.sort()).toEqual([name.replace("@curvature/", ""), ...brings].sort());
  });

  test("as ES modules", () => {
    writeFileSync(join(folderOf(name), "consumer.mjs"), asModule(name, program, "console.log"));
    run(name, "consumer.mjs");
  });

  test("as CommonJS", () => {
    const imported = `{${specifiersOf(name).map((each) => `"${each}": require("${each}")`)}}`;
    writeFileSync(join(folderOf(name), "consumer.cjs"), body(program, imported, "console.log"));
    run(name, "consumer.cjs");
  });

  test.skipIf(notForBrowsers !== undefined)("in a browser's bundle", async () => {
    const { text } = await bundle(asModule(name, program, "report"), folderOf(name), { format: "iife" });
    const said = await new Promise((report, reject) => {
      const context = createContext({ ...browserGlobals(), report });
      try {
        new Script(text, { filename: `${name}.js` }).runInContext(context);
      } catch (error) {
        reject(error);
      }
    });
    expect(said).toBe("works");
  });
});

/** What browsers have beside the language; nothing of Node's is there. */
function browserGlobals(): object {
  const { AbortController, AbortSignal, atob, Blob, btoa, DecompressionStream, DOMException } = globalThis;
  const { MessageChannel, performance, queueMicrotask, ReadableStream, Response } = globalThis;
  const { clearTimeout, setTimeout, structuredClone, TextDecoder, TextEncoder, URL } = globalThis;
  return {
    ...{ AbortController, AbortSignal, atob, Blob, btoa, DecompressionStream, DOMException },
    ...{ MessageChannel, performance, queueMicrotask, ReadableStream, Response },
    ...{ clearTimeout, setTimeout, structuredClone, TextDecoder, TextEncoder, URL },
  };
}

describe("linalg without ml-matrix", () => {
  const folder = join(base, "linalg-alone");
  const name = "@curvature/linalg";
  const places = specifiersOf(name);
  const env = { ...process.env, NODE_PATH: "" }; // pnpm's, which leads to the workspace's packages
  const attempts = (load: string): string => `
    const outcome = async (place) => { try { await ${load}; return "loaded"; } catch (error) { return error.message.split("\\n")[0]; } };
    Promise.all(${JSON.stringify(places)}.map(outcome)).then((all) => console.log(JSON.stringify(all)));`;
  const outcomes = (load: string): unknown =>
    JSON.parse(
      execFileSync(process.execPath, ["--eval", attempts(load)], { cwd: folder, env, encoding: "utf8" }),
    );

  test("all loads but the sub-path for it, which names what is missing", () => {
    install(folder, tarballs, [name]);
    expect(readdirSync(join(folder, "node_modules", ".pnpm")).join()).not.toContain("ml-");
    const expected = (missing: RegExp): unknown =>
      places.map((place) => (place === `${name}/ml` ? expect.stringMatching(missing) : "loaded"));
    expect(outcomes("import(place)")).toEqual(expected(/^Cannot find package 'ml-matrix'/));
    expect(outcomes("require(place)")).toEqual(expected(/^Cannot find module 'ml-matrix'/));
  });
});

describe("TypeScript, with the declarations checked too", () => {
  const folder = join(base, "typescript");
  const all = libraries.map(({ manifest }) => manifest.name);
  const places = all.flatMap(specifiersOf);
  const uses = `
    import { embed } from "@curvature/optim-spectral";
    import { minimizeSum } from "@curvature/optim-sfo";
    import type { DenseMatrix } from "@curvature/linalg";
    import type { RunResult } from "@curvature/optim-core";
    export const map: Promise<DenseMatrix> = embed([[0, 1], [1, 0], [1, 1]]).then((r) => r.embedding);
    export const sum: Promise<RunResult> = minimizeSum({
      dimension: 1, count: 1, initial: new Float64Array(1), evaluate: (_, [x = 0]) => x * x,
    });
    // @ts-expect-error a misspelt option is a type error
    void embed([[0]], { perplexty: 5 });
    // @ts-expect-error and so is a solver that there is not
    void embed([[0]], { solver: "newtn" });
  `;

  beforeAll(() => {
    install(folder, tarballs, [...all, ...Object.values(consumers).flatMap(({ peers = [] }) => peers)]);
    const imports = places.map((place, k) => `import * as m${k} from "${place}";`).join("\n");
    // whatever is there has a type, and no name is \`any\` for want of declarations
    const typed = places.map(
      (_, k) => `
      type Is${k} = 0 extends 1 & typeof m${k} ? never : true;
      export const is${k}: Is${k} = true;`,
    );
    writeFileSync(join(folder, "consumer.mts"), `${imports}\n${typed.join("")}\n${uses}`);
    // ml-sparse-matrix has no CommonJS form: Node loads it by `require` (from 20.19 on), node16 does not know that
    const required = places.filter((place) => place !== "@curvature/linalg/ml");
    writeFileSync(
      join(folder, "consumer.cts"),
      required
        .map((place, k) => `import m${k} = require("${place}");\nexport const c${k} = m${k};`)
        .join("\n"),
    );
  });

  const versions = ["typescript-5.4", "typescript-5.9", "typescript", "typescript-7"];
  test.each(
    versions.flatMap((version) => [
      // every declaration is looked into once, which takes longest
      { version, moduleResolution: "node16", module: "node16", skipLibCheck: false, isRequired: true },
      { version, moduleResolution: "nodenext", module: "nodenext", skipLibCheck: true, isRequired: true },
      { version, moduleResolution: "bundler", module: "esnext", skipLibCheck: true, isRequired: false },
    ]),
  )(
    "$version, moduleResolution $moduleResolution",
    ({ version, moduleResolution, isRequired, ...options }) => {
      const project = `tsconfig.${version}.${moduleResolution}.json`;
      const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };
      const common = { ...strict, noEmit: true, target: "es2022", types: [] };
      const compilerOptions = { ...common, moduleResolution, ...options };
      const files = ["consumer.mts", ...(isRequired ? ["consumer.cts"] : [])];
      writeFileSync(join(folder, project), JSON.stringify({ compilerOptions, files }));
      const tsc = join(root, "node_modules", version, "bin", "tsc");
      expect(compilerErrors(tsc, folder, project)).toBe("");
    },
  );
});

function compilerErrors(tsc: string, cwd: string, project: string): string {
  try {
    return execFileSync(process.execPath, [tsc, "-p", project], { cwd, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}

describe("the command", () => {
  const name = "@curvature/cli";

  test("maps a table from its own install, which brings nothing for work past one machine", () => {
    install(folderOf(name), tarballs, [name]);
    const folder = folderOf(name);
    const rows = Array.from({ length: 30 }, (_, i) => `${i % 5},${Math.floor(i / 5)},${(i * 7) % 11}`);
    writeFileSync(join(folder, "points.csv"), `a,b,c\n${rows.join("\n")}\n`);
    for (const node of nodes) {
      const flags = ["embed", "points.csv", "--perplexity", "5", "--out", "map.csv", "--plot", "map.png"];
      const command = join(folder, "node_modules", name, "bin", "curvature.js");
      execFileSync(node, [command, ...flags], { cwd: folder, stdio: "pipe" });
      expect(readFileSync(join(folder, "map.csv"), "utf8").trim().split("\n")).toHaveLength(31);
      expect(readFileSync(join(folder, "map.png")).subarray(1, 4).toString()).toBe("PNG");
    }
    const installed = readdirSync(join(folder, "node_modules", ".pnpm"));
    expect(installed.filter((entry) => /cluster|bullmq|ioredis/.test(entry))).toEqual([]);
  });
});

test("npm installs a package from the tarballs", () => {
  const name = "@curvature/optim-spectral";
  const folder = join(base, "npm");
  mkdirSync(folder);
  const wanted = [name, ...consumers[name].brings.map((each) => `@curvature/${each}`)];
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const files = wanted.map((each) => tarballs.get(each) ?? "");
  execFileSync("npm", ["install", ...flags, ...files], { cwd: folder, shell, stdio: "pipe" });
  const installed = readdirSync(join(folder, "node_modules", "@curvature")).sort();
  expect(installed).toEqual(wanted.map((each) => each.replace("@curvature/", "")).sort());
  const { embed } = createRequire(join(folder, "package.json"))(name);
  expect(typeof embed).toBe("function");
});
