/** What all pictures are written with: colours, fonts and margins, words of known width, text and numbers for XML. */
import { printable } from "@curvature/linalg";

export const margin = 36;
/** Height of title and subtitle. */
export const header = 96;
export const ink = "#23272f";
export const quiet = "#6b7280";
export const fonts = "'DejaVu Sans', Verdana, 'Helvetica Neue', Arial, sans-serif";

export function svgText(x: number, y: number, words: string, attributes: string): string {
  return `<text x="${short(x)}" y="${short(y)}" ${attributes}>${escaped(words)}</text>`;
}

/** The width of the words in the shipped font, a little from above. */
export function textWidth(words: string, size: number): number {
  let ems = 0;
  for (const character of words) ems += characterWidth(character);
  return ems * size;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

function characterWidth(character: string): number {
  if (wide.test(character)) return 1.1;
  if (/[ijl.,:;·'|!]/.test(character)) return 0.34;
  if (/[ frt()[\]/-]/.test(character)) return 0.41;
  if (/[mwMW%@]/.test(character)) return 1;
  return /[A-Z]/.test(character) || character > "\u00ff" ? 0.75 : 0.64;
}

export function shortened(words: string, width: number, size: number): string {
  if (textWidth(words, size) <= width) return words;
  let kept = "";
  for (const character of words) {
    if (textWidth(`${kept}${character}…`, size) > width) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Shortened in its midst: names of classes often differ in their ends. */
export function shortenedWithin(words: string, width: number, size: number): string {
  if (textWidth(words, size) <= width) return words;
  const backwards = [...words].reverse().join("");
  const end = [...shortened(backwards, 0.4 * width, size).slice(0, -1)].reverse().join("");
  return shortened(words, width - textWidth(end, size), size) + end;
}

export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Text for XML: what would end it is written as an entity, what XML forbids is left out. */
export function escaped(words: string): string {
  return printable(words)
    .replace(/\p{Surrogate}|[\ufffe\uffff]/gu, "")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** "1,797" */
export const grouped = (value: number): string => value.toLocaleString("en-US");
