/** Command lines that end before any work, in one process: a process each would cost more than all that they do. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { Ended, Workplace } from "./cli.js";

const script = resolve(import.meta.dirname, "fixtures/several.mjs");
const program = resolve(import.meta.dirname, "../dist/main.js");

/** How each ends, in the order of the lists. */
export async function runSeveral(
  place: Workplace,
  lists: readonly (readonly string[])[],
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly Pick<Ended, "code" | "stdout" | "stderr">[]> {
  const child = spawn(process.execPath, [script, program, JSON.stringify(lists)], {
    cwd: place.folder,
    env: { ...process.env, NO_COLOR: "1", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  await new Promise((done) => child.once("close", done));
  return JSON.parse(text);
}
