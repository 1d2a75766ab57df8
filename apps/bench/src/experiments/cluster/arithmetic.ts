/**
 * What the machine itself gives two processes beside one: the same arithmetic, with hardly any memory and no helper
 * threads, in one process and in two at once.
 *
 * As a program this file does that arithmetic: node arithmetic.ts <units>. It says so when it is ready, and begins when it
 * is told to.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { spin } from "./pool.ts";

const program = fileURLToPath(import.meta.url);

/** Seconds for so many processes to do `units` of arithmetic each, at once. */
export async function arithmeticSeconds(processes: number, units: number): Promise<number> {
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, [program, String(units)], { stdio: ["ignore", "ignore", "inherit", "ipc"] }),
  );
  await Promise.all(children.map((child) => message(child)));
  const started = performance.now();
  await Promise.all(
    children.map((child) => {
      child.send("begin");
      return message(child);
    }),
  );
  return (performance.now() - started) / 1000;
}

const message = (child: ChildProcess): Promise<unknown> => new Promise((done) => child.once("message", done));

if (process.argv[1] === program) {
  for (let k = 0; k < 200; k++) spin();
  process.once("message", () => {
    for (let k = 0; k < Number(process.argv[2]); k++) spin();
    process.send?.("done");
    process.disconnect();
  });
  process.send?.("ready");
}
