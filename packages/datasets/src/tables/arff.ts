/** ARFF, the format of Weka and OpenML: attributes with their types, then dense or sparse rows. */
import { CurvatureError } from "@curvature/linalg";
import { PLAIN } from "./cell.js";
import type { Dialect } from "./dialect.js";
import type { TextRecord } from "./records.js";

/** One token of a row or a declaration: in quotes, or without marks. */
const token = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,{}\s][^,{}]*?))\s*(?=,|\}|$|\s)/y;

export function arffRecords(text: string): Dialect {
  const lines = text.split(/\r\n|\r|\n/);
  const names: string[] = [];
  const nominal: boolean[] = [];
  /** Of each attribute what a sparse row leaves out: 0, and of a nominal one its first value. */
  const zeros: string[] = [];
  const rows: TextRecord[] = [];
  let isData = false;
  for (const [i, line] of lines.entries()) {
    const place = `Line ${i + 1}`;
    if (/^\s*(%|$)/.test(line)) continue;
    if (!isData) {
      const declared = /^\s*@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+))\s+(.*)$/i.exec(
        line,
      );
      if (declared !== null) {
        const [, single, double, bare, type] = declared;
        names.push((single ?? double ?? bare).replace(/\\(.)/g, "$1"));
        nominal.push(!/^(numeric|real|integer)\b/i.test(type));
        const values = /^\{(.*)\}/.exec(type.trim());
        zeros.push((values === null ? undefined : tokens(values[1], place)[0]) ?? "0");
      } else if (/^\s*@data\b/i.test(line)) isData = true;
      else if (!/^\s*@relation\b/i.test(line))
        throw arffError(place, "is no declaration of ARFF", "Write @attribute <name> <type>.");
      continue;
    }
    const sparse = /^\s*\{(.*)\}\s*$/.exec(line);
    const stated = tokens(sparse === null ? line : sparse[1], place);
    const cells = sparse === null ? stated : [...zeros];
    if (sparse !== null)
      for (let k = 0; k < stated.length; k += 2) {
        const [index, value] = stated.slice(k, k + 2);
        if (!/^\d+$/.test(index) || Number(index) >= names.length || value === undefined)
          throw arffError(place, `has the entry "${index}"`, "Write {index value, …}, indices from 0.");
        cells[Number(index)] = value;
      }
    if (cells.length !== names.length)
      throw arffError(
        place,
        `has ${cells.length} values for ${names.length} attributes`,
        "Give one for each.",
      );
    rows.push({
      line: i + 1,
      at: 0,
      cells: cells.map((cell) => (cell === "?" ? "" : cell)),
      quoted: cells.map((cell, j) => nominal[j] && cell !== "?"),
    });
  }
  if (rows.length === 0) throw arffError("The ARFF text", "has no rows after @data", "Give at least one.");
  return {
    delimiter: ",",
    quote: "'",
    comment: "%",
    width: names.length,
    names,
    units: undefined,
    form: PLAIN,
    rows,
    notes: [],
    doubts: [],
  };
}

function tokens(line: string, place: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < line.length) {
    token.lastIndex = at;
    const match = token.exec(line);
    if (match === null)
      throw arffError(place, `cannot be divided at "${line.slice(at, at + 20)}"`, "Quote it.");
    found.push((match[1] ?? match[2])?.replace(/\\(.)/g, "$1") ?? match[3].trim());
    at = token.lastIndex;
    if (line[at] === ",") at++;
  }
  return found;
}

const arffError = (place: string, what: string, remedy: string): CurvatureError =>
  new CurvatureError("ERR_PARSE", `${place} ${what}. ${remedy}`, { path: place });
