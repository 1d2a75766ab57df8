import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** A registry that takes everything, and the headers of what was put there. */
const taken: IncomingHttpHeaders[] = [];
const registry = createServer((request, response) => {
  if (request.method === "PUT") taken.push(request.headers);
  request.resume().on("end", () => {
    response
      .writeHead(request.method === "PUT" ? 201 : 404, { "content-type": "application/json" })
      .end("{}");
  });
});
const folder = mkdtempSync(join(tmpdir(), "release-"));
let address = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => void registry.listen(0, "127.0.0.1", resolve));
  const at = registry.address();
  address = `127.0.0.1:${typeof at === "object" && at !== null ? at.port : ""}`;
  const publishConfig = { registry: `http://${address}/` };
  const manifest = { name: "of-no-use", version: "1.0.0", publishConfig };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, ".npmrc"), `//${address}/:_authToken=secret\n`); // what the action writes to the home folder
});

afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

function publish(env: NodeJS.ProcessEnv): Promise<string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^p?npm_|^CI$|^GITHUB/i.test(name));
  const options = {
    cwd: folder,
    env: { ...Object.fromEntries(kept), HOME: folder, USERPROFILE: folder, ...env },
  };
  return new Promise((resolve) => {
    execFile("pnpm", ["publish", "--no-git-checks"], options, (_, out, error) => resolve(out + error));
  });
}

test("the release hands on its token and asks for provenance by a name that pnpm hears", async () => {
  const workflow = readFileSync(".github/workflows/release.yml", "utf8");
  const given = /env:\n((?: {10}\w+: .*\n)+)/.exec(workflow)?.[1] ?? "";
  const names = [...given.matchAll(/(\w+): (.*)/g)];
  expect(names.map(([, name]) => name)).toContain("NPM_TOKEN"); // what changesets/action makes ~/.npmrc of
  const asked = names
    .filter(([, name]) => /PROVENANCE/.test(name))
    .map(([, name, value]) => [name, value.replaceAll('"', "")]);
  expect(await publish({})).not.toMatch(/provenance/i);
  expect(taken.at(-1)?.authorization).toBe("Bearer secret");
  expect(taken).toHaveLength(1);
  expect(await publish(Object.fromEntries(asked))).toMatch(/provenance/i); // which this machine cannot give
  expect(taken).toHaveLength(1);
});
