// @module-tag full
/** The packages on engines other than Node and browsers: the same answers, with threads where the engine has some. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "./bundle.ts";
import { answers } from "./runtime-program.ts";

type Answers = Awaited<ReturnType<typeof answers>>;

const root = resolve(import.meta.dirname, "..");
const program = JSON.stringify(join(root, "test/runtime-program.ts"));
const cache = mkdtempSync(join(tmpdir(), "curvature-runtimes-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

let onNode: Answers;
beforeAll(async () => {
  onNode = await answers();
});

test("Node has SIMD and threads", () => {
  expect(onNode).toMatchObject({ simd: true, threads: [1, []], same: { damaged: "ERR_PARSE" } });
});

test.each([
  ["Deno", "deno", ["eval", "--no-remote"]],
  ["Bun", "bun", ["--eval"]],
])("%s", (_, command, words) => {
  const code = `import { answers } from ${program}; console.log(JSON.stringify(await answers())); process.exit();`;
  const env = { ...process.env, DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
  const output = execFileSync(join(root, "node_modules/.bin", command), [...words, code], {
    cwd: root,
    env,
    encoding: "utf8",
    timeout: 50_000,
  });
  expect(JSON.parse(output)).toEqual(onNode);
});

describe("Cloudflare's workerd, which compiles no WebAssembly at run time and has no threads", () => {
  let text = "";
  beforeAll(async () => {
    const code = `import { answers } from ${program}; globalThis.answers = answers;`;
    ({ text } = await bundle(code, root, { format: "iife" }));
  });

  async function onWorkerd(compatibilityDate: string, compatibilityFlags: string[], hasModule: boolean) {
    const contents = hasModule
      ? `import kernels from "./kernels.wasm";\n${text}\nexport default { fetch: async () => Response.json(await answers(kernels)) };`
      : `${text}\nexport default { fetch: async () => Response.json(await answers()) };`;
    const kernels = readFileSync(fileURLToPath(import.meta.resolve("@curvature/linalg/kernels.wasm")));
    const worker = new Miniflare({
      modules: [
        { type: "ESModule", path: "worker.mjs", contents },
        { type: "CompiledWasm", path: "kernels.wasm", contents: kernels },
      ],
      compatibilityDate,
      compatibilityFlags,
    });
    try {
      const response = await worker.dispatchFetch("http://localhost/");
      const body = await response.text();
      expect(body).toMatch(/^\{/);
      return JSON.parse(body);
    } finally {
      await worker.dispose();
    }
  }

  const threads = [0, [expect.stringContaining("this engine has no worker threads")]];

  test.each([
    ["plain", "2026-01-01", []],
    ["with Node's modules", "2026-01-01", ["nodejs_compat"]],
    ["with Node's modules as they were first", "2024-10-20", ["nodejs_compat"]],
  ])("%s", async (_, date, flags) => {
    const refusal = expect.stringMatching(/^WebAssembly may not be compiled here \(/);
    expect(await onWorkerd(date, flags, false)).toEqual({ ...onNode, simd: false, refusal, threads });
  });

  test("SIMD, by the module that it imports", async () => {
    expect(await onWorkerd("2026-01-01", [], true)).toEqual({ ...onNode, threads });
  });
});
