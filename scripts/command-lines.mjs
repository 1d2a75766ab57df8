/**
 * Whether the command line still writes what it wrote: runs a list of command lines of the built program, each in a
 * folder of its own, and compares exit codes and the SHA-256 of standard output and of every file with those in
 * `test/fixtures/command-lines.txt`. Whoever changes an output on purpose writes that file anew, and says so.
 *
 * Seconds, sentences and the version of the program are left out (`steady` below). A checkpoint is not hashed, since
 * its format is nobody's input but the program's; what a run that was resumed from it writes, is.
 *
 * Usage: node scripts/command-lines.mjs [--write] [--every n] [--keep folder] [words that a line must contain]
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { inflateSync } from "node:zlib";
import { commandLines, writeData } from "./command-lines-list.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, "apps", "cli", "bin", "curvature.js");
const fixture = join(root, "test", "fixtures", "command-lines.txt");

/** Resolves with the exit code and what standard output got. */
function run(words, cwd) {
  const child = spawn(process.execPath, [program, ...words], { cwd, stdio: ["ignore", "pipe", "ignore"] });
  const output = [];
  child.stdout.on("data", (data) => output.push(data));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, output: Buffer.concat(output) }));
  });
}

/** A report without what may differ between two runs, or between two wordings. */
function steadyField(name, value) {
  if (name === "phases") return Object.keys(value);
  if (name === "warnings") return value.length;
  if (/seconds$/i.test(name) || ["message", "note", "stop", "version", "plan"].includes(name))
    return undefined;
  return value;
}

/** Of a picture with one chunk of data, the second. */
const pixels = (png) => inflateSync(png.subarray(41, 41 + png.readUInt32BE(33))).toString("base64");

/** The lower half of the picture of a fit is over seconds; pixels within a picture are compressed as this Node's zlib does. */
const drawing = (text) =>
  text
    .replace(/\n<text [^>]*y="436"[^>]*>(?:F above|loss per row)[\s\S]*/, "")
    .replaceAll(/data:image\/png;base64,([^"]+)/g, (_, png) => pixels(Buffer.from(png, "base64")));

/** What is hashed of a file: of a page the figures, not the program that draws them. */
function steady(name, content) {
  const text = content.toString();
  if (name.endsWith(".json") || text.startsWith('{\n  "command"')) {
    const value = JSON.parse(text);
    return value.command === undefined ? content : JSON.stringify(value, steadyField, 2);
  }
  if (name.endsWith(".md"))
    return text
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .join("\n");
  if (name.endsWith(".html"))
    return drawing(/<script type="application\/json".*|<svg[\s\S]*<\/svg>/.exec(text)[0]);
  if (name.endsWith(".svg")) return drawing(text);
  return content;
}

/** Does one line's commands in turn; resolves with its line of the fixture. */
async function measured(line, folder, data, keep) {
  cpSync(data, folder, { recursive: true });
  const given = new Set(readdirSync(data));
  const parts = [];
  const hash = (name, content) => {
    const bytes = steady(name, content);
    if (keep !== undefined) {
      mkdirSync(dirname(join(keep, basename(folder), name)), { recursive: true });
      writeFileSync(join(keep, basename(folder), name), bytes);
    }
    parts.push(`${name}=${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}`);
  };
  for (const [k, command] of line.split(" && ").entries()) {
    const { code, output } = await run(command.split(" "), folder);
    parts.push(`exit=${code}`);
    if (output.length > 0) hash(`stdout${k + 1}`, output);
  }
  const written = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => !given.has(name) && !name.endsWith(".checkpoint"));
  for (const name of written.sort()) hash(name.split(sep).join("/"), readFileSync(join(folder, name)));
  return `${line} → ${parts.join(" ")}`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean" }, every: { type: "string", default: "1" }, keep: { type: "string" } },
});
const chosen = commandLines.filter(
  (line, k) => k % Number(values.every) === 0 && positionals.every((words) => line.includes(words)),
);
const place = mkdtempSync(join(tmpdir(), "curvature-command-lines-"));
const data = join(place, "data");
mkdirSync(data);
await writeData(data);

const results = new Map();
const waiting = [...chosen];
async function work() {
  for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
    const folder = join(place, String(commandLines.indexOf(line) + 1));
    results.set(line, await measured(line, folder, data, values.keep));
    rmSync(folder, { recursive: true });
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
rmSync(place, { recursive: true });

const recorded = new Map(
  readFileSync(fixture, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => [line.split(" → ")[0], line]),
);
const different = chosen.filter((line) => recorded.get(line) !== results.get(line));
for (const line of different)
  process.stdout.write(`now  ${results.get(line)}\nthen ${recorded.get(line) ?? "not recorded"}\n\n`);
process.stdout.write(`${chosen.length - different.length} of ${chosen.length} command lines as recorded\n`);
if (values.write) {
  const lines = commandLines.map((line) => results.get(line) ?? recorded.get(line)).filter(Boolean);
  writeFileSync(fixture, `${lines.join("\n")}\n`);
} else if (different.length > 0) process.exitCode = 1;
