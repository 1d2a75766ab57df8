/** Text → records of cells, for one delimiter and one quote (RFC 4180, and runs of blanks). */

export interface TextRecord {
  /** The physical line on which it begins, from 1; 0 where rows are none of lines. */
  readonly line: number;
  /** Where it begins in the text. */
  readonly at: number;
  readonly cells: readonly string[];
  /** Whether a cell stood in quotes. */
  readonly quoted: readonly boolean[];
}

const BLANK = /[ \t]/;

/**
 * Blank lines are records of no cells. An unclosed quote takes the rest of the text as its cell.
 *
 * @param delimiter - one mark, or " " for runs of blanks and tabs
 * @param isComment - lines that it names are left out
 */
export function recordsOf(
  text: string,
  delimiter: string,
  quote: string,
  isComment: (line: string) => boolean = () => false,
): TextRecord[] {
  const records: TextRecord[] = [];
  const isBlankRuns = delimiter === " ";
  let i = 0;
  let line = 1;
  while (i < text.length) {
    const end = lineEnd(text, i);
    if (isComment(text.slice(i, end))) {
      i = afterLine(text, end);
      line++;
      continue;
    }
    const first = line;
    const at = i;
    const cells: string[] = [];
    const quoted: boolean[] = [];
    for (let done = false; !done; ) {
      while (i < text.length && (text[i] === " " || (text[i] === "\t" && delimiter !== "\t"))) i++;
      let cell = "";
      const isQuoted = text[i] === quote;
      if (isQuoted) {
        for (i++; i < text.length; i++) {
          if (text[i] === quote) {
            if (text[i + 1] !== quote) break;
            i++;
          } else if (text[i] === "\n" || (text[i] === "\r" && text[i + 1] !== "\n")) line++;
          cell += text[i];
        }
        i++;
      }
      const start = i;
      while (
        i < text.length &&
        text[i] !== "\n" &&
        text[i] !== "\r" &&
        (isBlankRuns ? !BLANK.test(text[i]) : text[i] !== delimiter)
      )
        i++;
      cell = isQuoted ? cell + text.slice(start, i).trimEnd() : text.slice(start, i).trim();
      done = i >= text.length || text[i] === "\n" || text[i] === "\r";
      if (!(isBlankRuns && done && cell === "" && !isQuoted)) {
        cells.push(cell);
        quoted.push(isQuoted);
      }
      if (!done) i++;
    }
    const isBlankLine = cells.length === 1 && cells[0] === "" && !quoted[0];
    records.push(
      isBlankLine ? { line: first, at, cells: [], quoted: [] } : { line: first, at, cells, quoted },
    );
    i = afterLine(text, i);
    line++;
  }
  return records;
}

export function lineEnd(text: string, start: number): number {
  let i = start;
  while (i < text.length && text[i] !== "\n" && text[i] !== "\r") i++;
  return i;
}

export const afterLine = (text: string, end: number): number =>
  text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : end + 1;
