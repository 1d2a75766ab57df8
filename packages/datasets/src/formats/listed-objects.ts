/**
 * Cells that list several objects, as programs and forms write them: JSON and Python's lists, ["a", "b"] and ['a', 'b'], its tuples
 * and sets, R's c("a", "b"), the arrays {a,b} of PostgreSQL, and a;b, a|b or a,b. Separators in quotes are a part of the name. A
 * cell that begins as a list, and goes on otherwise, is refused: cut at its commas it would be objects that nobody has seen.
 */
import { CurvatureError, shown } from "@curvature/linalg";

const closing: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}" };

/** What stands in the brackets of a list; undefined for a cell without. */
function bracketed(cell: string): string | undefined {
  const text = cell.replace(/^c(?=\()/, "");
  const end = closing[text.charAt(0)];
  if (end === undefined || text.length < 2) return undefined;
  // "(a) or (b)" begins and ends so, and is no list
  const inner = text.slice(1, -1);
  return text.endsWith(end) ? inner : undefined;
}

/** A part in quotes at the beginning of the text, and what follows it; undefined if it does not end, or has an unknown escape. */
function quotedIn(text: string): { readonly part: string; readonly rest: string } | undefined {
  const found = /^(["'])((?:[^\\]|\\.)*?)\1/su.exec(text);
  if (found === null) return undefined;
  const escapes = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(["'\\/])|.)/gisu;
  let isKnown = true;
  const part = found[2].replaceAll(escapes, (_, four?: string, two?: string, mark?: string) => {
    if (mark !== undefined) return mark;
    const hex = four ?? two;
    if (hex === undefined) isKnown = false;
    return hex === undefined ? "" : String.fromCharCode(Number.parseInt(hex, 16));
  });
  return isKnown ? { part, rest: text.slice(found[0].length) } : undefined;
}

/** The parts between marks; undefined where quotes or brackets make no list of it. */
function partsAt(mark: string, text: string, isBracketed: boolean): string[] | undefined {
  const parts: string[] = [];
  let rest = text.trimStart();
  while (rest !== "") {
    const isQuoted = /^["']/.test(rest);
    const quoted = isQuoted ? quotedIn(rest) : undefined;
    if (isQuoted && quoted === undefined) return undefined;
    const end = quoted === undefined ? rest.indexOf(mark) : rest.length - quoted.rest.trimStart().length;
    const stop = end < 0 ? rest.length : end;
    const part = quoted?.part ?? rest.slice(0, stop).trim();
    if (stop < rest.length && rest.charAt(stop) !== mark) return undefined;
    if (isBracketed && quoted === undefined && (/[[\](){}]/.test(part) || /^(null|none|nan)$/i.test(part)))
      return undefined;
    if (part !== "") parts.push(part);
    rest = rest.slice(stop + 1).trimStart();
  }
  return parts;
}

/** The first of the marks that stands outside of quotes. */
function markIn(text: string): string | undefined {
  const bare = text.replaceAll(/(?<=^\s*|[;|,]\s*)(["'])(?:[^\\]|\\.)*?\1(?=\s*(?:$|[;|,]))/gsu, "");
  return [";", "|", ","].find((each) => bare.includes(each));
}

/**
 * The parts of such a cell; undefined for a cell of one.
 *
 * @param place - of the cell, for people
 * @throws CurvatureError ERR_PARSE for a list that is not understood
 */
export function listIn(cell: string, place: string): readonly string[] | undefined {
  const text = cell.trim();
  const inner = bracketed(text);
  const mark = markIn(inner ?? text);
  if (inner === undefined && mark === undefined && !/^[[{]/.test(text)) return undefined;
  const parts =
    inner === undefined && /^([[{]|c\()/.test(text)
      ? undefined
      : partsAt(mark ?? ",", inner ?? text, inner !== undefined);
  if (parts !== undefined) return parts;
  throw new CurvatureError(
    "ERR_PARSE",
    `The cell ${place} is ${shown(cell)}, which seems to list objects, but not in a way that is known. Write it as ["a", "b"], or as a;b.`,
    { path: place, expected: "a list of names", received: cell },
  );
}
