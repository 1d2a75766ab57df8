/** A study on its way to who answers: in the fragment of a link, which no server sees, or inside the page itself. */
import { type Study, studyOf } from "./study.js";

/** Beyond so many characters mail programs and messengers cut links. */
export const longestLink = 8000;

/** Gzip, whose check sum finds a link that was damaged on its way, in letters that links may hold. */
export async function linkTextOf(study: Study): Promise<string> {
  const bytes = await through(new CompressionStream("gzip"), new TextEncoder().encode(JSON.stringify(study)));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @returns undefined for what is no study, or no longer one */
export async function studyOfLink(text: string): Promise<Study | undefined> {
  try {
    const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const bytes = await through(new DecompressionStream("gzip"), packed);
    return studyOf(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    return undefined;
  }
}

/** Links come from anywhere: one that unpacks to more is none of ours. */
const mostUnpacked = 4 * 2 ** 20;

async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    length += next.value.length;
    if (length > mostUnpacked) throw new Error("The link unpacks to too much.");
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Where the page has its study, if it has one. */
export const emptyStudy = '<script type="application/json" id="study"></script>';

/** The page with its study in it: nothing in the study can end the script that holds it. */
export function pageOf(template: string, study: Study): string {
  const [before, after, ...more] = template.split(emptyStudy);
  if (after === undefined || more.length > 0) throw new Error("The page has no place for a study.");
  const json = JSON.stringify(study).replaceAll("<", "\\u003c");
  return `${before}${emptyStudy.replace("><", () => `>${json}<`)}${after}`;
}
