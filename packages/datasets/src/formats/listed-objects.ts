/** Cells that list several objects, as jsPsych, PsychoPy and forms write them: ["a","b"], ['a', 'b'], a;b or a|b. */

const unquoted = (part: string): string => part.trim().replace(/^(["'])(.*)\1$/, "$2");

function ofJson(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isPlain = (each: unknown): boolean => typeof each === "string" || typeof each === "number";
    return Array.isArray(value) && value.every(isPlain) ? value.map(String) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a cell stands in the brackets of a list. */
const isBracketed = (cell: string): boolean => /^\s*\[.*\]\s*$/s.test(cell);

/** The parts of such a cell; undefined for a cell of one. */
export function listIn(cell: string): readonly string[] | undefined {
  if (isBracketed(cell)) {
    const json = ofJson(cell);
    if (json !== undefined) return json;
  }
  const inner = cell.trim().replace(/^\[(.*)\]$/s, "$1");
  const mark = [";", "|", ","].find((each) => inner.includes(each));
  if (mark === undefined) return isBracketed(cell) ? [unquoted(inner)] : undefined;
  return inner
    .split(mark)
    .map(unquoted)
    .filter((part) => part !== "");
}
