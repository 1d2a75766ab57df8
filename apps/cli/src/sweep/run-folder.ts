/**
 * Folders for what a run writes. A run that is stopped ends with its thread and removes nothing: the process does so when it
 * ends, and the next one for a process that was killed.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostMark, isAlive } from "../write/atomic-file.js";

const prefix = `curvature-run-${hostMark}-`;

export const makeRunFolder = (): string => mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));

let isDue = false;

/** Has this process, when it ends, remove what its runs, and those of dead ones, have left. */
export function removeRunFoldersAtExit(): void {
  if (isDue) return;
  isDue = true;
  process.once("exit", removeRunFolders);
}

function removeRunFolders(): void {
  for (const name of namesIn(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const owner = Number.parseInt(name.slice(prefix.length), 10);
    if (owner !== process.pid && isAlive(owner)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // A thread that is being ended writes there still: the next process tries again.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
