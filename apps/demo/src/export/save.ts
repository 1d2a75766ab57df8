/** Files that are handed to the visitor, as downloads. */
import { pngOf } from "./svg.js";

export interface Save {
  /** Of the button. */
  readonly name: string;
  /** Undefined as long as there is nothing to save. */
  readonly save: (() => Promise<void>) | undefined;
}

type Content = BlobPart | readonly BlobPart[];

/** @param content - undefined as long as there is none */
export const saving = (
  name: string,
  file: string,
  content: (() => Content | Promise<Content>) | undefined,
): Save => ({ name, save: content && (async () => saveFile(file, await content())) });

/** A picture, as SVG and as PNG. */
export const savingPicture = (
  name: string,
  file: string,
  svg: (() => string | Promise<string>) | undefined,
): readonly Save[] => [
  saving(`${name} (SVG)`, `${file}.svg`, svg),
  saving(`${name} (PNG)`, `${file}.png`, svg && (async () => pngOf(await svg()))),
];

const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  json: "application/json",
  mjs: "text/javascript",
  npy: "application/octet-stream",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain",
};

function saveFile(name: string, content: Content): void {
  const parts = isList(content) ? [...content] : [content];
  const url = URL.createObjectURL(new Blob(parts, { type: types[name.slice(name.lastIndexOf(".") + 1)] }));
  const link = document.createElement("a");
  link.href = url;
  link.download = safe(name).slice(0, 120) || "curvature";
  link.click();
  // The download begins after this task; the address must live until then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const isList = (content: Content): content is readonly BlobPart[] => Array.isArray(content);

/** Without what file systems do not take. */
const safe = (name: string): string => name.replace(/[^\p{L}\p{N}._ -]+/gu, "_");

/** A file's name without its ending, such that it may begin the name of another: downloads keep it as it is. */
export const baseName = (name: string): string =>
  safe(name.replace(/(\.[a-z0-9]+)?(\.gz)?$/i, "")).slice(0, 80);
