import type { ChildProcess } from "node:child_process";

/** Waits until a process has said what is wanted. @returns the pattern's first group @throws if it ends before */
export function saying(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    let said = "";
    const hear = (piece: Buffer): void => {
      said += piece.toString();
      const found = pattern.exec(said);
      if (found === null) return;
      child.stdout?.off("data", hear);
      done(found[1] ?? "");
    };
    child.stdout?.on("data", hear);
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`a process ended with ${code}: ${said}`)));
  });
}
