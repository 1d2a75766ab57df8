/**
 * Data by reference: a path inside a data folder, and the hash of what must be there. A path that leads out of the
 * folder, by dots, from the root or through a symbolic link, is refused; so is a file with other bytes than were meant.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep, win32 } from "node:path";
import { CurvatureError } from "@curvature/linalg";
import type { DataReference } from "./executor.js";

/** Hashes of files that have not changed since, by their real paths. */
const hashes = new Map<string, { readonly stamp: string; readonly sha256: string }>();

/**
 * The reference to a file of a data folder.
 *
 * @param path - relative to the folder
 * @throws CurvatureError ERR_OPTION for a path that leads out of the folder, ERR_IO for a file that cannot be read
 */
export async function referenceTo(folder: string, path: string): Promise<DataReference> {
  checkInside(path);
  const place = await placeIn(folder, path);
  return { path: path.split(sep).join("/"), sha256: await hashOf(place, path, folder) };
}

/**
 * The real path of what a reference means, after a look at its bytes.
 *
 * @throws CurvatureError ERR_OPTION for a reference that leads out of any folder, ERR_IO for a file that is not in this one,
 *   is another one, or lies outside of it behind a link
 */
export async function fileOf(folder: string, reference: DataReference): Promise<string> {
  const { path, sha256 } = checkReference(reference);
  const place = await placeIn(folder, path);
  const found = await hashOf(place, path, folder);
  if (found === sha256) return place;
  throw new CurvatureError(
    "ERR_IO",
    `${path} in the data folder ${folder} is another file than the one that is meant: its SHA-256 is ${found.slice(0, 12)}..., not ${sha256.slice(0, 12)}...; copy the right one there.`,
    { path, expected: sha256, received: found },
  );
}

/** @throws CurvatureError ERR_OPTION for what is no reference, or leads out of a data folder by its words alone */
export function checkReference(reference: unknown): DataReference {
  if (typeof reference === "object" && reference !== null && "path" in reference && "sha256" in reference) {
    const { path, sha256 } = reference;
    if (typeof path === "string" && typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256)) {
      checkInside(path);
      return { path, sha256 };
    }
  }
  throw new CurvatureError(
    "ERR_OPTION",
    "Data are referred to by a path and 64 hexadecimal digits of SHA-256.",
    {
      path: "data",
    },
  );
}

function checkInside(path: string): void {
  const leaves =
    path === "" ||
    path.length > 4096 ||
    path.includes("\0") ||
    isAbsolute(path) ||
    win32.isAbsolute(path) ||
    /^[a-z]:/i.test(path) ||
    path.split(/[\\/]/).includes("..");
  if (!leaves) return;
  throw new CurvatureError(
    "ERR_OPTION",
    `${JSON.stringify(path.slice(0, 100))} is no path inside a data folder: it must be relative, without "..".`,
    { path: "data", received: path.slice(0, 100) },
  );
}

async function placeIn(folder: string, path: string): Promise<string> {
  const root = await realpath(folder).catch((cause: unknown) => {
    throw missing(`The data folder ${folder} cannot be read (${reasonOf(cause)})`, path, cause);
  });
  const place = await realpath(join(root, path)).catch((cause: unknown) => {
    throw missing(`${path} is not in the data folder ${folder} (${reasonOf(cause)})`, path, cause);
  });
  const way = relative(root, place);
  if (way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw missing(`${path} leads out of the data folder ${folder} through a symbolic link`, path, undefined);
  }
  return place;
}

async function hashOf(place: string, path: string, folder: string): Promise<string> {
  try {
    const status = await stat(place, { bigint: true });
    if (!status.isFile()) throw missing(`${path} in the data folder ${folder} is no file`, path, undefined);
    const stamp = `${status.dev} ${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`;
    const known = hashes.get(place);
    if (known?.stamp === stamp) return known.sha256;
    const hash = createHash("sha256");
    for await (const piece of createReadStream(place)) hash.update(piece);
    const sha256 = hash.digest("hex");
    hashes.set(place, { stamp, sha256 });
    return sha256;
  } catch (cause) {
    if (cause instanceof CurvatureError) throw cause;
    throw missing(`${path} in the data folder ${folder} cannot be read (${reasonOf(cause)})`, path, cause);
  }
}

function missing(words: string, path: string, cause: unknown): CurvatureError {
  return new CurvatureError("ERR_IO", `${words}; put it there.`, {
    path,
    cause,
  });
}

function reasonOf(cause: unknown): string {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES") return "permission denied";
  return typeof code === "string" ? code : "it cannot be read";
}
