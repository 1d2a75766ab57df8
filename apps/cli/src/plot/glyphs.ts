/**
 * Which characters the fonts of PNG pictures have, by their tables `cmap` (OpenType 1.9, formats 4 and 12). What they lack is drawn
 * as a box, and so is said.
 */
import { readFileSync } from "node:fs";
import { fontFiles } from "./png.js";

/** Characters that a sentence lists. */
const listed = 6;

/**
 * @param path - of the picture; undefined for none
 * @param texts - that it shows
 * @returns a warning, or none
 */
export function glyphWarnings(path: string | undefined, texts: Iterable<string | undefined>): string[] {
  if (path === undefined || !/\.png$/i.test(path)) return [];
  const missing = missingCharacters(texts);
  if (missing.length === 0) return [];
  const shown = missing.slice(0, listed).join(" ");
  const [are, them] =
    missing.length === 1
      ? ["1 character", "it"]
      : [`${missing.length.toLocaleString("en-US")} characters`, "them"];
  return [
    `The font of PNG pictures lacks ${are} of the words in ${path} (${shown}${missing.length > listed ? " …" : ""}): boxes stand for ${them}. Pictures as .svg and .html take the fonts of whoever looks at them.`,
  ];
}

/** Each once, the most frequent first. */
export function missingCharacters(texts: Iterable<string | undefined>): string[] {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const character of text ?? "") counts.set(character, (counts.get(character) ?? 0) + 1);
  covered ??= new Set(fontFiles().flatMap((file) => charactersOf(readFileSync(file))));
  const known = covered;
  return [...counts]
    .filter(([character]) => !known.has(character.codePointAt(0) ?? 0) && !isUnseen.test(character))
    .sort((a, b) => b[1] - a[1])
    .map(([character]) => character);
}

let covered: Set<number> | undefined;

/** What has no glyph of its own: controls, joiners, selectors of variants, lone surrogates. */
const isUnseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Variation_Selector}]/u;

/** The code points of a TrueType file. */
function charactersOf(font: Buffer): number[] {
  for (let k = 0; k < font.readUInt16BE(4); k++) {
    const entry = 12 + 16 * k;
    if (font.toString("latin1", entry, entry + 4) === "cmap")
      return charactersIn(font, font.readUInt32BE(entry + 8));
  }
  return [];
}

function charactersIn(font: Buffer, cmap: number): number[] {
  return Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, k) => {
    const table = cmap + font.readUInt32BE(cmap + 4 + 8 * k + 4);
    const format = font.readUInt16BE(table);
    return format === 4 ? segments(font, table) : format === 12 ? groups(font, table) : [];
  }).flat();
}

/** Format 4: segments of 16-bit codes, whose glyphs follow from a shift or a list; glyph 0 is none. */
function segments(font: Buffer, table: number): number[] {
  const double = font.readUInt16BE(table + 6);
  const ends = table + 14;
  const [starts, deltas, offsets] = [1, 2, 3].map((k) => ends + 2 + k * double);
  const found: number[] = [];
  for (let k = 0; k < double; k += 2) {
    const [first, last] = [font.readUInt16BE(starts + k), font.readUInt16BE(ends + k)];
    const offset = font.readUInt16BE(offsets + k);
    for (let code = first; code <= last && code !== 0xffff; code++) {
      const at = offsets + k + offset + 2 * (code - first);
      const glyph =
        offset === 0 || font.readUInt16BE(at) !== 0
          ? ((offset === 0 ? code : font.readUInt16BE(at)) + font.readUInt16BE(deltas + k)) & 0xffff
          : 0;
      if (glyph !== 0) found.push(code);
    }
  }
  return found;
}

/** Format 12: groups of codes. */
function groups(font: Buffer, table: number): number[] {
  return Array.from({ length: font.readUInt32BE(table + 12) }, (_, k) => {
    const group = table + 16 + 12 * k;
    const first = font.readUInt32BE(group);
    return Array.from({ length: font.readUInt32BE(group + 4) - first + 1 }, (__, j) => first + j);
  }).flat();
}
