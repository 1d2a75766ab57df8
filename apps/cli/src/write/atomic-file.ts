/**
 * Files that are whole or not there: content goes into a temporary file in the target's folder, is forced to
 * the disk, and takes the target's name in one step (rename), so that neither a crash nor a full disk leaves half
 * a file or loses the previous one. Temporaries of processes that died are swept before a command starts.
 *
 * A temporary is called `.<name>.<host>-<pid>-<number>.curvature-tmp`; host keeps apart containers that share a
 * folder and not their process numbers.
 */
import { createHash } from "node:crypto";
import * as nodeFs from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileError, isSystemError, usageError } from "../run/failure.js";

/** The part of `node:fs` that writing needs: tests put faults in its place. */
export interface FileSystem {
  accessSync(path: string, mode: number): void;
  closeSync(file: number): void;
  fchmodSync(file: number, mode: number): void;
  fsyncSync(file: number): void;
  openSync(path: string, flags: string, mode?: number): number;
  readdirSync(path: string): string[];
  readlinkSync(path: string): string;
  realpathSync(path: string): string;
  renameSync(from: string, to: string): void;
  statSync(path: string): nodeFs.Stats;
  unlinkSync(path: string): void;
  writeSync(file: number, bytes: Uint8Array, offset: number, length: number): number;
}

export type Content = string | Uint8Array | Iterable<string | Uint8Array>;

const suffix = ".curvature-tmp";
/** Keeps apart machines and containers that share a folder, and not their process numbers. */
export const hostMark = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
let temporaries = 0;

/**
 * Checks, before any work is done, that the file can be written, and sweeps stale temporaries of it.
 *
 * @param option - the option that names it, for the message
 * @param inputs - files that must not be overwritten
 * @throws CurvatureError ERR_IO, ERR_OPTION
 */
export function checkWritable(
  option: string,
  path: string,
  inputs: readonly string[],
  fs: FileSystem = nodeFs,
): void {
  if (/[\\/]$/.test(path)) throw fileError("write", path, { code: "EISDIR" });
  const target = statUnlessNew(path, fs);
  if (target?.isDirectory()) throw fileError("write", path, { code: "EISDIR" });
  for (const input of inputs) {
    if (sameFile(path, input, fs)) {
      throw usageError(
        `${option} names the input file ${input}, which is never overwritten; give another name.`,
        option,
      );
    }
  }
  if (target !== undefined && !target.isFile()) return;
  const folder = dirname(realPath(path, fs));
  try {
    if (!fs.statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
    fs.accessSync(folder, nodeFs.constants.W_OK | nodeFs.constants.X_OK);
    if (target !== undefined) fs.accessSync(path, nodeFs.constants.W_OK);
  } catch (error) {
    throw fileError("write", path, error);
  }
  sweepTemporaries(path, fs);
}

/**
 * Writes the file whole. A symbolic link is followed; a device or a pipe is written to in place.
 *
 * @throws CurvatureError ERR_IO; the previous file is then as it was
 */
export function writeAtomically(path: string, content: Content, fs: FileSystem = nodeFs): void {
  try {
    const target = statOf(path, fs);
    if (target !== undefined && !target.isFile()) writeInPlace(path, content, fs);
    else replace(realPath(path, fs), content, target?.mode, fs);
  } catch (error) {
    throw fileError("write", path, error);
  }
}

function replace(path: string, content: Content, mode: number | undefined, fs: FileSystem): void {
  const { temporary, file } = openTemporary(path, fs);
  try {
    try {
      if (mode !== undefined) fs.fchmodSync(file, mode & 0o7777);
      writeAll(file, content, fs);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    renamePatiently(temporary, path, fs);
  } catch (error) {
    removeIfThere(temporary, fs);
    throw error;
  }
  syncFolder(dirname(path), fs);
}

/** Numbers that are tried: in a container another process may have had this one's number before, and have left some. */
const TRIES = 1000;

function openTemporary(path: string, fs: FileSystem): { readonly temporary: string; readonly file: number } {
  for (let left = TRIES; ; left--) {
    const name = `${temporaryPrefix(path)}${process.pid}-${temporaries++}${suffix}`;
    const temporary = join(dirname(path), name);
    try {
      return { temporary, file: fs.openSync(temporary, "wx", 0o666) };
    } catch (error) {
      if (left === 0 || !isSystemError(error) || error.code !== "EEXIST") throw error;
    }
  }
}

function writeInPlace(path: string, content: Content, fs: FileSystem): void {
  const file = fs.openSync(path, "w");
  try {
    writeAll(file, content, fs);
  } finally {
    fs.closeSync(file);
  }
}

function writeAll(file: number, content: Content, fs: FileSystem): void {
  const pieces = typeof content === "string" || content instanceof Uint8Array ? [content] : content;
  for (const piece of pieces) {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    for (let written = 0; written < bytes.length; ) {
      written += fs.writeSync(file, bytes, written, bytes.length - written);
    }
  }
}

/** On Windows a virus scanner may hold either file for a moment. */
function renamePatiently(from: string, to: string, fs: FileSystem): void {
  for (let attempt = 1; ; attempt++) {
    try {
      fs.renameSync(from, to);
      return;
    } catch (error) {
      const held = isSystemError(error) && ["EPERM", "EBUSY", "EACCES"].includes(error.code);
      if (process.platform !== "win32" || !held || attempt === 10) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * attempt);
    }
  }
}

/** Makes the new name itself durable. Some systems cannot; a reader sees the new file all the same. */
function syncFolder(folder: string, fs: FileSystem): void {
  try {
    const handle = fs.openSync(folder, "r");
    try {
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    // The rename has happened: nothing is lost but the promise about a power cut in this moment.
  }
}

/**
 * Removes temporaries of `path` that nobody writes any more: those of dead processes on this host, and those
 * with this process's number, so it must not run while this process writes to `path`.
 */
export function sweepTemporaries(path: string, fs: FileSystem = nodeFs): void {
  const target = realPath(path, fs);
  const prefix = temporaryPrefix(target);
  let names: string[];
  try {
    names = fs.readdirSync(dirname(target));
  } catch {
    return;
  }
  for (const name of names) {
    if (!name.startsWith(prefix) || !name.endsWith(suffix)) continue;
    const owner = Number.parseInt(name.slice(prefix.length), 10);
    if (owner === process.pid || !isAlive(owner)) removeIfThere(join(dirname(target), name), fs);
  }
}

function temporaryPrefix(path: string): string {
  const name = basename(path);
  const short = Buffer.byteLength(name) <= 150 ? name : createHash("sha256").update(name).digest("hex");
  return `.${short}.${hostMark}-`;
}

/** Whether there is a process of this number on this machine. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(isSystemError(error) && error.code === "ESRCH");
  }
}

function removeIfThere(path: string, fs: FileSystem): void {
  try {
    fs.unlinkSync(path);
  } catch {
    // Gone already, or not ours to remove: the failure that brought us here is the one to report.
  }
}

function statOf(path: string, fs: FileSystem): nodeFs.Stats | undefined {
  try {
    return fs.statSync(path);
  } catch {
    return undefined;
  }
}

/** What is at the path; undefined if there is nothing yet. */
function statUnlessNew(path: string, fs: FileSystem): nodeFs.Stats | undefined {
  try {
    return fs.statSync(path);
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw fileError("write", path, error);
  }
}

/** Where the file is or will be: links are followed, also one to a file that is not there yet. */
function realPath(path: string, fs: FileSystem, maxLinks = 40): string {
  try {
    return fs.realpathSync(path);
  } catch {
    const folder = realFolder(path, fs);
    const next = maxLinks > 0 ? linkedTo(path, fs) : undefined;
    return next === undefined
      ? join(folder, basename(path))
      : realPath(resolve(folder, next), fs, maxLinks - 1);
  }
}

function realFolder(path: string, fs: FileSystem): string {
  const folder = dirname(resolve(path));
  try {
    return fs.realpathSync(folder);
  } catch {
    return folder;
  }
}

function linkedTo(path: string, fs: FileSystem): string | undefined {
  try {
    return fs.readlinkSync(path);
  } catch {
    return undefined;
  }
}

export function sameFile(a: string, b: string, fs: FileSystem = nodeFs): boolean {
  const first = statOf(a, fs);
  const second = statOf(b, fs);
  if (first === undefined || second === undefined) return resolve(a) === resolve(b);
  return first.dev === second.dev && first.ino === second.ino;
}

/**
 * Data to standard output, at the reader's pace.
 *
 * @returns "closed" if the reader went away before the end, as `head` does: it had what it wanted
 * @throws CurvatureError ERR_IO
 */
export async function writeToStdout(content: Content): Promise<"written" | "closed"> {
  const pieces = typeof content === "string" || content instanceof Uint8Array ? [content] : content;
  try {
    for (const piece of pieces) {
      await new Promise<void>((done, fail) => {
        process.stdout.write(piece, (error) => (error ? fail(error) : done()));
      });
    }
    return "written";
  } catch (error) {
    if (isSystemError(error) && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED"))
      return "closed";
    throw fileError("write", "standard output", error);
  }
}
