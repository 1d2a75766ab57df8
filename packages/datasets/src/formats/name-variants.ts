/** Names that differ by case or blanks only: as a rule one object, written in two ways. */
import { CurvatureError, optionName, shown } from "@curvature/linalg";

const plain = (name: string): string => name.normalize("NFKC").replaceAll(/\s+/g, "").toLowerCase();

/** @throws CurvatureError ERR_PARSE */
export function checkAlike(words: readonly { readonly text: string; readonly line: number }[]): void {
  const first = new Map<string, { readonly text: string; readonly line: number }>();
  for (const word of words) {
    const key = plain(word.text);
    const other = first.get(key);
    if (other === undefined) first.set(key, word);
    else
      throw new CurvatureError(
        "ERR_PARSE",
        `The names ${shown(other.text)} (line ${other.line}) and ${shown(word.text)} (line ${word.line}) differ by case or blanks only. Write them alike; if they are two objects, say so: ${optionName("objects", "names")}.`,
        { path: `line ${word.line}`, received: word.text },
      );
  }
}
