import { spawnSync } from "node:child_process";
import * as nodeFs from "node:fs";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CurvatureError } from "@curvature/linalg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  checkWritable,
  type FileSystem,
  sweepTemporaries,
  writeAtomically,
} from "../src/write/atomic-file.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "curvature-output-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const systemError = (code: string, syscall: string): Error =>
  Object.assign(new Error(code), { code, syscall });

/** The file system with one fault: the call number `at` fails with `code`. */
function failingAt(at: number, code: string): { fs: FileSystem; calls: () => number } {
  let calls = 0;
  const fs = new Proxy<FileSystem>(
    { ...nodeFs },
    {
      get(target, name) {
        const original: unknown = Reflect.get(target, name);
        if (typeof original !== "function") return original;
        return (...words: unknown[]): unknown => {
          calls++;
          if (calls === at) throw systemError(code, String(name).replace("Sync", ""));
          return Reflect.apply(original, target, words);
        };
      },
    },
  );
  return { fs, calls: () => calls };
}

describe("writeAtomically", () => {
  const pieces = ["first ", "second ", new Uint8Array([116, 104, 105, 114, 100])];
  const whole = "first second third";

  test("writes the content whole, and leaves nothing else", () => {
    writeAtomically(join(folder, "map.csv"), pieces);
    expect(readFileSync(join(folder, "map.csv"), "utf8")).toBe(whole);
    expect(readdirSync(folder)).toEqual(["map.csv"]);
  });

  test("goes on where the system wrote only a part", () => {
    const fs: FileSystem = {
      ...nodeFs,
      writeSync: (file, bytes, offset, length) => nodeFs.writeSync(file, bytes, offset, Math.min(2, length)),
    };
    writeAtomically(join(folder, "map.csv"), pieces, fs);
    expect(readFileSync(join(folder, "map.csv"), "utf8")).toBe(whole);
  });

  test("takes another name where a process with this one's number has left a temporary", () => {
    const fs: FileSystem = {
      ...nodeFs,
      openSync: (path, flags, mode) => {
        if (flags === "wx" && tried.push(path) === 1) throw systemError("EEXIST", "open");
        return nodeFs.openSync(path, flags, mode);
      },
    };
    const tried: string[] = [];
    writeAtomically(join(folder, "map.csv"), pieces, fs);
    expect(new Set(tried).size).toBe(2);
    expect(readFileSync(join(folder, "map.csv"), "utf8")).toBe(whole);
  });

  test.each([
    "ENOSPC",
    "EIO",
    "EACCES",
    "EPERM",
    "EDQUOT",
    "EROFS",
    "EMFILE",
    "ENFILE",
    "EFBIG",
    "EINVAL",
    "ETXTBSY",
    "EBUSY",
  ])("%s at any call leaves the old file or the new one, whole, and says so", (code) => {
    for (const previous of [undefined, "previous content"]) {
      for (let at = 1; ; at++) {
        const path = join(folder, `${at}.csv`);
        if (previous !== undefined) writeFileSync(path, previous);
        const { fs, calls } = failingAt(at, code);
        let error: unknown;
        try {
          writeAtomically(path, pieces, fs);
        } catch (caught) {
          error = caught;
        }
        const content = nodeFs.existsSync(path) ? readFileSync(path, "utf8") : undefined;
        if (error === undefined) expect(content).toBe(whole);
        else {
          expect(content).toBe(previous);
          expect(error).toBeInstanceOf(CurvatureError);
          expect(error).toMatchObject({ code: "ERR_IO", message: expect.stringContaining(path) });
        }
        expect(readdirSync(folder).filter((name) => name.endsWith("-tmp"))).toEqual([]);
        rmSync(path, { force: true });
        if (calls() < at) break;
      }
    }
  });

  test("keeps the mode of the file that it replaces", () => {
    const path = join(folder, "map.csv");
    writeFileSync(path, "old");
    chmodSync(path, 0o640);
    writeAtomically(path, whole);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  test("follows a symbolic link and leaves it a link", () => {
    writeFileSync(join(folder, "real.csv"), "old");
    symlinkSync("real.csv", join(folder, "link.csv"));
    writeAtomically(join(folder, "link.csv"), whole);
    expect(readFileSync(join(folder, "real.csv"), "utf8")).toBe(whole);
    expect(nodeFs.lstatSync(join(folder, "link.csv")).isSymbolicLink()).toBe(true);
  });

  test("follows a link to a file that is not there yet", () => {
    mkdirSync(join(folder, "deep"));
    symlinkSync(join("deep", "new.csv"), join(folder, "link.csv"));
    writeAtomically(join(folder, "link.csv"), whole);
    expect(readFileSync(join(folder, "deep", "new.csv"), "utf8")).toBe(whole);
    expect(nodeFs.lstatSync(join(folder, "link.csv")).isSymbolicLink()).toBe(true);
  });

  test("takes a name as long as the system allows", () => {
    const name = `${"ä".repeat(120)}.csv`;
    writeAtomically(join(folder, name), whole);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test.runIf(nodeFs.existsSync("/dev/full"))("a full device is named as such", () => {
    expect(() => writeAtomically("/dev/full", whole)).toThrowError(
      "Cannot write /dev/full: the disk is full; free some space or write elsewhere.",
    );
  });
});

describe("checkWritable", () => {
  test("refuses a folder, a missing folder and the input, by any of its names", () => {
    writeFileSync(join(folder, "data.csv"), "1,2");
    symlinkSync("data.csv", join(folder, "alias.csv"));
    mkdirSync(join(folder, "deep"));
    const inputs = [join(folder, "data.csv")];
    expect(() => checkWritable("--out", join(folder, "deep"), inputs)).toThrowError(/it is a folder/);
    expect(() => checkWritable("--out", join(folder, "none", "map.csv"), inputs)).toThrowError(
      /its folder does not exist/,
    );
    expect(() => checkWritable("--out", join(folder, "data.csv", "map.csv"), inputs)).toThrowError(
      /not a folder/,
    );
    expect(() => checkWritable("--out", join(folder, "alias.csv"), inputs)).toThrowError(/never overwritten/);
    expect(() => checkWritable("--out", join(folder, "deep", "..", "data.csv"), inputs)).toThrowError(
      /never overwritten/,
    );
    expect(() => checkWritable("--out", join(folder, "map.csv"), inputs)).not.toThrow();
    expect(() => checkWritable("--out", join(folder, "new.csv/"), inputs)).toThrowError(/it is a folder/);
    symlinkSync("loop.csv", join(folder, "loop.csv"));
    expect(() => checkWritable("--out", join(folder, "loop.csv"), inputs)).toThrowError(/symbolic links/);
    const long = `${"x".repeat(300)}.csv`;
    expect(() => checkWritable("--out", join(folder, long), inputs)).toThrowError(/the name is too long/);
  });

  test("a file that is protected from writing is not replaced", () => {
    const path = join(folder, "kept.csv");
    writeFileSync(path, "kept");
    const fs: FileSystem = {
      ...nodeFs,
      accessSync: (name) => {
        if (name === path) throw systemError("EACCES", "access");
      },
    };
    expect(() => checkWritable("--out", path, [], fs)).toThrowError(/permission denied/);
  });

  test("a folder without write permission is found before the work", () => {
    const fs: FileSystem = {
      ...nodeFs,
      accessSync: () => {
        throw systemError("EACCES", "access");
      },
    };
    expect(() => checkWritable("--out", join(folder, "map.csv"), [], fs)).toThrowError(/permission denied/);
  });
});

describe("sweepTemporaries", () => {
  test("removes what dead processes left of this file, and nothing else", () => {
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    const names: string[] = [];
    const fs: FileSystem = {
      ...nodeFs,
      renameSync: (from) => {
        names.push(String(from));
        throw systemError("EIO", "rename");
      },
      unlinkSync: () => undefined,
    };
    const path = join(folder, "map.csv");
    expect(() => writeAtomically(path, "x", fs)).toThrow();
    const [own] = names;
    const stale = own.replace(`-${process.pid}-`, `-${dead}-`);
    const alive = own.replace(`-${process.pid}-`, `-${process.ppid}-`);
    const foreignHost = stale.replace(/[0-9a-f]{8}-(?=\d+-\d+\.curvature)/, "00000000-");
    for (const name of [stale, alive, foreignHost]) writeFileSync(name, "");
    writeFileSync(join(folder, "other.csv"), "");
    sweepTemporaries(path);
    const left = [alive, foreignHost, join(folder, "other.csv")];
    expect(
      readdirSync(folder)
        .map((name) => join(folder, name))
        .sort(),
    ).toEqual(left.sort());
  });
});
