/** What is known of pairs of rows: which must be in one cluster, and which must not. */
import { readTable } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";
import { textAt } from "@curvature/linalg/tables";
import type { ReadContext } from "./data.js";
import { bytesOf, inFile, shownName } from "./file.js";

type Pair = readonly [number, number];

export interface RowLinks {
  readonly mustLink: readonly Pair[];
  readonly cannotLink: readonly Pair[];
}

/**
 * A table of three columns: two rows, counted from 0, and must or cannot.
 *
 * @throws CurvatureError ERR_IO; ERR_PARSE that names the line
 */
export async function readLinks(path: string, { signal }: ReadContext): Promise<RowLinks> {
  // Two numbers and a word are a link, also on the first line, where no rule of other tables would know.
  const table = await readTable(bytesOf(path, signal), { name: path, header: "no" }).catch(
    (error: unknown) => {
      throw inFile(path, error);
    },
  );
  const [first, second, kind] = table.columns;
  const isThree = table.columns.length === 3;
  const begin =
    isThree && table.rows > 0 && !/^(must|cannot)$/.test(textAt(kind, 0)) && !/^\d/.test(textAt(first, 0))
      ? 1
      : 0;
  const wrong = (i: number, what: string): CurvatureError =>
    new CurvatureError(
      "ERR_PARSE",
      `${shownName(path)}: Link ${i - begin + 1} ${what}. Give two rows, counted from 0, and must or cannot, as 0,7,must.`,
      { path },
    );
  if (!isThree) throw wrong(0, `has ${table.columns.length} columns and not three`);
  const links: { readonly mustLink: Pair[]; readonly cannotLink: Pair[] } = { mustLink: [], cannotLink: [] };
  for (let i = begin; i < table.rows; i++) {
    const [a, b] = [first, second].map((column) => textAt(column, i));
    const word = textAt(kind, i);
    if (![a, b].every((text) => /^\d+$/.test(text)))
      throw wrong(i, `names rows that are no whole numbers (${a}, ${b})`);
    if (a === b) throw wrong(i, `is of row ${a} with itself`);
    if (word !== "must" && word !== "cannot") throw wrong(i, `is ${JSON.stringify(word.slice(0, 40))}`);
    (word === "must" ? links.mustLink : links.cannotLink).push([Number(a), Number(b)]);
  }
  return links;
}
