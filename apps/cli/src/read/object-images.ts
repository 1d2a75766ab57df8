/** Pictures of objects from a folder: files called as the objects are. They are put into the map's file as they stand. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { CurvatureError, shown } from "@curvature/linalg";
import { fileError } from "../run/failure.js";
import { listed } from "./object-names.js";
import { isWholePicture, mediaType } from "./whole-pictures.js";

const endings = [".png", ".jpg", ".jpeg", ".svg", ".webp", ".gif"];

/** All together: a page of more is slow to open, and pictures of stimuli need no more than some hundred pixels. */
const maxBytes = 64 * 2 ** 20;

/**
 * The file of each object: its name with the ending of a picture, or as it is where it has one; of names with folders the last part.
 * Capital letters make no difference, unless two files differ by them.
 *
 * @returns a data URL for each object
 * @throws CurvatureError ERR_IO for objects without a picture, and a folder that cannot be read; ERR_PARSE for a file that is no
 *   picture, or a part of one; ERR_MEMORY for more than 64 MiB
 */
export function readObjectImages(folder: string, called: readonly string[]): string[] {
  const files = filesIn(folder);
  const lower = new Map(files.map((file) => [file.toLowerCase(), file]));
  const known = new Set(files);
  const fileOf = (name: string): string | undefined => {
    const last = lastPart(name);
    const isNamed = endings.some((ending) => last.toLowerCase().endsWith(ending));
    const candidates = [...(isNamed ? [last] : []), ...endings.map((ending) => last + ending)];
    return (
      candidates.find((file) => known.has(file)) ??
      candidates.map((file) => lower.get(file.toLowerCase())).find((file) => file !== undefined)
    );
  };
  const found = called.map(fileOf);
  const missing = called.filter((_, object) => found[object] === undefined);
  if (missing.length > 0)
    throw new CurvatureError(
      "ERR_IO",
      `--images ${folder} has no picture of ${listed(missing)}. Name the files as the objects are called, with ${endings.join(", ")}: ${lastPart(missing[0])}.png.`,
      { path: "images" },
    );
  const owner = new Map<string | undefined, string>();
  for (const [object, name] of called.entries()) {
    const file = found[object];
    const other = owner.get(file);
    if (other !== undefined)
      throw new CurvatureError(
        "ERR_IO",
        `--images ${folder} has one picture, ${file}, for two objects, ${other} and ${name}: of names with folders the last part counts. Give each object a name of its own.`,
        { path: "images" },
      );
    owner.set(file, name);
  }
  let total = 0;
  return found.map((file = "", object) => {
    const path = join(folder, file);
    const bytes = bytesIn(path);
    total += bytes.byteLength;
    if (total > maxBytes)
      throw new CurvatureError(
        "ERR_MEMORY",
        `The pictures of --images ${folder} have more than ${maxBytes / 2 ** 20} MiB together. Give smaller ones: 200 pixels on a side are enough.`,
        { path: "images" },
      );
    const type = mediaType(bytes);
    if (type === undefined)
      throw new CurvatureError(
        "ERR_PARSE",
        `${path} is no picture that a page can show. Give PNG, JPEG, SVG, WebP or GIF.`,
        { path: "images" },
      );
    if (!isWholePicture(type, bytes))
      throw new CurvatureError(
        "ERR_PARSE",
        `${path}, the picture of ${shown(called[object])}, is damaged: it is not whole. Copy the file anew, or give another picture.`,
        { path: "images" },
      );
    return `data:${type};base64,${bytes.toString("base64")}`;
  });
}

/** Names with folders, or with "..", never lead out of the folder that is named. */
const lastPart = (name: string): string => basename(name.replaceAll("\\", "/"));

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    throw fileError("read", folder, error);
  }
}

function bytesIn(path: string): Buffer {
  try {
    const { size } = statSync(path);
    return size > maxBytes ? Buffer.alloc(maxBytes + 1) : readFileSync(path);
  } catch (error) {
    throw fileError("read", path, error);
  }
}
