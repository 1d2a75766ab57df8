// @module-tag full
/**
 * `import { embed } from "@curvature/optim-spectral/worker"` in an app: installed as from the registry, bundled as people bundle,
 * served as a plain host serves, and run in a browser. Each gives the bits that `embed` gives here.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { embed } from "@curvature/optim-spectral";
import { build, createServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import webpack, { type Configuration } from "webpack";
import { type ServeOptions, serveFolder } from "../../../scripts/serve.js";
import { bundle } from "../../../test/bundle.js";
import { site } from "./browser.js";

const at = site();
const packages = ["linalg", "webgpu", "optim-core", "objectives", "optim-spectral"];

const code = `
import { embed, transform } from "@curvature/optim-spectral/worker";

const points = Array.from({ length: 90 }, (_, n) => [n % 3, (n % 3) ** 2, ((n * 7919) % 1009) / 1009, ((n * 104729) % 997) / 997]);
async function answer() {
  const reason = await embed(points, { signal: AbortSignal.abort("at once") }).catch((error) => error);
  const controller = new AbortController();
  const seen = [];
  const options = { perplexity: 10, signal: controller.signal };
  const begun = await embed(points, { ...options, onPhase: (phase) => phase === "affinities" && controller.abort("before") }).catch((error) => error);
  const map = await embed(points, { perplexity: 10, onIteration: ({ index }, { best }) => { seen.push(best.x.length); } });
  let loops = 0;
  for await (const { iteration } of embed.iterate(points, { perplexity: 10 })) if ((loops = iteration.index) === 3) break;
  const wrong = await embed(points, { perplexity: 1000 }).catch(({ code, path, received }) => [code, path, received]);
  const placed = await map.transform([[1, 1, 0, 1]]);
  const again = await transform(map, [[1, 1, 0, 1]]);
  return {
    ...{ reason, begun, loops, wrong, seen: seen.length === map.iterations && seen.every((length) => length === 180) },
    map: [...map.embedding.data],
    placed: [...placed.embedding.data, ...again.embedding.data],
  };
}
answer()
  .catch(({ code, message }) => ({ code, message }))
  .then((result) => { document.title = "Done"; globalThis.answer = result; });
`;

let root = "";
let expected: unknown;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "curvature-worker-line-"));
  for (const name of packages)
    for (const part of ["dist", "package.json"])
      cpSync(
        resolve(import.meta.dirname, "../../../packages", name, part),
        join(root, "node_modules/@curvature", name, part),
        { recursive: true },
      );
  writeFileSync(join(root, "package.json"), '{ "private": true, "type": "module" }');
  writeFileSync(join(root, "main.js"), code);
  writeFileSync(join(root, "index.html"), pageOf("/main.js"));
  const points = Array.from({ length: 90 }, (_, n) => [
    n % 3,
    (n % 3) ** 2,
    ((n * 7919) % 1009) / 1009,
    ((n * 104729) % 997) / 997,
  ]);
  const map = await embed(points, { perplexity: 10 });
  const { embedding } = await map.transform([[1, 1, 0, 1]]);
  expected = {
    ...{
      reason: "at once",
      begun: "before",
      loops: 3,
      wrong: ["ERR_OPTION", "perplexity", 1000],
      seen: true,
    },
    map: [...map.embedding.data],
    placed: [...embedding.data, ...embedding.data],
  };
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

const pageOf = (script: string, head = ""): string =>
  `<!doctype html><title>Working</title>${head}<script type="module" src="${script}"></script>`;

async function answerAt(url: string): Promise<unknown> {
  const page = await at().browser.newPage();
  try {
    await page.goto(url);
    await page.waitForFunction(() => document.title === "Done", undefined, { timeout: 0 });
    return await page.evaluate(() => Reflect.get(globalThis, "answer"));
  } finally {
    await page.close();
  }
}

async function answerOf(folder: string, options: ServeOptions = {}): Promise<unknown> {
  const served = await serveFolder(folder, options);
  try {
    return await answerAt(served.url);
  } finally {
    await served.close();
  }
}

/** A folder for what a bundler makes, with a page that loads its script. */
function made(name: string, script = "main.js"): string {
  const folder = join(root, "made", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.html"), pageOf(script));
  return folder;
}

const program = (): string => join(root, "node_modules/@curvature/optim-spectral/dist/worker-program.js");

const vite = async (folder: string): Promise<void> => {
  await build({ root, configFile: false, logLevel: "error", build: { outDir: folder } });
};

async function webpacked(folder: string, configuration: Configuration): Promise<void> {
  const compiler = webpack({
    mode: "production",
    context: root,
    entry: { main: "./main.js" },
    performance: { hints: false }, // of any file above 244 KiB
    optimization: { minimize: false }, // which takes half a minute
    ...configuration,
    output: { path: folder, ...configuration.output },
  });
  const stats = await new Promise<webpack.Stats>((resolve, reject) =>
    compiler.run((error, stats) => (stats === undefined ? reject(error) : resolve(stats))),
  );
  await new Promise((resolve) => compiler.close(resolve));
  expect(stats.toJson({ all: false, errors: true, warnings: true })).toMatchObject({
    errors: [],
    warnings: [],
  });
}

test("Vite, which renames the program", async () => {
  const folder = join(root, "made", "vite");
  await vite(folder);
  expect(
    readdirSync(join(folder, "assets")).filter((name) => /^worker-program-.+\.js$/.test(name)),
  ).toHaveLength(1);
  expect(await answerOf(folder)).toEqual(expected);
});

test("Vite's server, which bundles dependencies before", async () => {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: "error",
    server: { port: 0, host: "127.0.0.1" },
  });
  try {
    await server.listen();
    expect(await answerAt(server.resolvedUrls?.local[0] ?? "")).toEqual(expected);
  } finally {
    await server.close();
  }
});

test("webpack", async () => {
  const folder = made("webpack");
  await webpacked(folder, {});
  expect(await answerOf(folder)).toEqual(expected);
});

test("webpack as Next sets it", async () => {
  const folder = made("next", "/_next/static/chunks/main.js");
  await webpacked(join(folder, "_next"), {
    target: ["web", "es6"],
    module: { parser: { javascript: { url: "relative" } } },
    output: {
      publicPath: "/_next/",
      filename: "static/chunks/[name].js",
      chunkFilename: "static/chunks/[name].[contenthash].js",
      assetModuleFilename: "static/media/[name].[hash:8][ext]",
    },
  });
  expect(await answerOf(folder)).toEqual(expected);
});

describe("where addresses stay as they are, the program lies beside the bundle", () => {
  test("esbuild", async () => {
    const folder = made("esbuild");
    const esbuild = createRequire(createRequire(import.meta.url).resolve("tsup"))("esbuild");
    const options = { bundle: true, format: "esm", minify: true, logLevel: "error" };
    await esbuild.build({
      ...options,
      absWorkingDir: root,
      entryPoints: ["main.js"],
      outfile: join(folder, "main.js"),
    });
    cpSync(program(), join(folder, "worker-program.js"));
    expect(await answerOf(folder)).toEqual(expected);
  });

  test("Rolldown", async () => {
    const folder = made("rolldown");
    const { text } = await bundle(code, root);
    writeFileSync(join(folder, "main.js"), text);
    cpSync(program(), join(folder, "worker-program.js"));
    expect(await answerOf(folder)).toEqual(expected);
  });

  test("or where setWorkerScript says", async () => {
    const folder = made("elsewhere");
    const line =
      'import { setWorkerScript } from "@curvature/optim-spectral/worker"; setWorkerScript("there/w.js");';
    const { text } = await bundle(`${line}\n${code}`, root);
    writeFileSync(join(folder, "main.js"), text);
    mkdirSync(join(folder, "there"), { recursive: true });
    cpSync(program(), join(folder, "there/w.js"));
    expect(await answerOf(folder)).toEqual(expected);
  });

  test("and where it is not, the error says so", async () => {
    const folder = made("nowhere");
    writeFileSync(join(folder, "main.js"), (await bundle(code, root)).text);
    expect(await answerOf(folder)).toEqual({
      code: "ERR_IO",
      message: expect.stringMatching(
        /could not be started.*worker-program\.js, must lie beside.*worker-src 'self'/,
      ),
    });
  });
});

test("plain modules and an import map", async () => {
  const folder = made("plain");
  cpSync(join(root, "node_modules"), join(folder, "modules"), { recursive: true });
  const paths = [
    "linalg",
    "linalg/threads",
    "linalg/tables",
    "optim-core",
    "optim-core/state",
    "optim-spectral/worker",
  ];
  const files = paths.map((path) => {
    const [name, sub] = path.split("/");
    const file = sub === undefined ? "index" : sub === "worker" || sub === "state" ? sub : `${sub}/index`;
    return [`@curvature/${path}`, `/modules/@curvature/${name}/dist/${file}.js`];
  });
  for (const sub of ["embedding", "embedding/threads"])
    files.push([`@curvature/objectives/${sub}`, `/modules/@curvature/objectives/dist/${sub}/index.js`]);
  const map = `<script type="importmap">${JSON.stringify({ imports: Object.fromEntries(files) })}</script>`;
  writeFileSync(join(folder, "index.html"), pageOf("/main.js", map));
  writeFileSync(join(folder, "main.js"), code);
  expect(await answerOf(folder)).toEqual(expected);
});

describe("content policies", () => {
  let folder = "";
  beforeAll(async () => {
    folder = join(root, "made", "policy");
    await vite(folder);
  });

  test("scripts of the page's own are enough: without WebAssembly the bits are the same", async () => {
    expect(await answerOf(folder, { policy: "default-src 'self'" })).toEqual(expected);
  });

  test("worker-src is named where it forbids the worker", async () => {
    expect(await answerOf(folder, { policy: "default-src 'self'; worker-src 'none'" })).toEqual({
      code: "ERR_IO",
      message: expect.stringContaining("worker-src 'self'"),
    });
  });
});
