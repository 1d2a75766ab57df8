/** Which names of a formula are columns of the table, and which are parameters. */
import { CurvatureError, nearestName, optionName, shown } from "@curvature/linalg";
import {
  type Column,
  columnIndex,
  type DataTable,
  numberAt,
  placeOf,
  textAt,
} from "@curvature/linalg/tables";
import { isFunctionName } from "./functions.js";
import { badFormula, type Expression, type Formula, type FormulaNode } from "./parse-formula.js";

type Name = Extract<FormulaNode, { kind: "name" }>;

export interface FormulaNames {
  /** Of the table, in the order of the formula; those of the response come first. */
  readonly columns: readonly string[];
  /** The columns right of ~. */
  readonly variables: readonly string[];
  readonly parameters: readonly string[];
}

/** The circle's, unless a column has this name. */
export const PI = "pi";

/** @throws CurvatureError ERR_OPTION for a formula that does not go with the table */
export function namesOf({ response, model }: Formula, table: DataTable): FormulaNames {
  if (!table.isNamed)
    throw badFormula(
      "it needs columns with names, and the table has none. Give it a first line with them (--header yes says that it is one).",
    );
  const known = table.columns.map(({ name }) => name);
  const isColumn = ({ name }: Name): boolean => known.includes(name);
  const left = namesIn(response);
  for (const each of left)
    if (!isColumn(each) && each.name !== PI) throw noColumn(each, known, "and stands left of ~");
  const responses = unique(left.filter(isColumn));
  if (responses.length === 0) throw badFormula("there is no column left of ~; name the one to be explained.");
  const right = namesIn(model);
  const variables = unique(right.filter(isColumn));
  const both = responses.find((name) => variables.includes(name));
  if (both !== undefined) throw badFormula(`the column ${shown(both)} stands on both sides of ~.`);
  const others = right.filter((each) => !isColumn(each) && each.name !== PI);
  for (const each of others) checkParameter(each, known);
  const parameters = unique(others);
  if (variables.length === 0)
    throw badFormula(
      `there is no column right of ~. ${hintFor(parameters, known)}Columns: ${listed(known)}.`,
    );
  if (parameters.length === 0)
    throw badFormula(
      "it has no parameters: all names right of ~ are columns. Name what is to be found, as a and b in y ~ a + b * x.",
    );
  const columns = [...responses, ...variables];
  for (const name of columns) columnIndex(table, name, "formula"); // one of two with a name is no choice
  return { columns, variables, parameters };
}

const namesIn = (nodes: Expression): Name[] => nodes.filter((node) => node.kind === "name");

const unique = (names: readonly Name[]): string[] => [...new Set(names.map(({ name }) => name))];

function checkParameter({ name, isQuoted, at }: Name, known: readonly string[]): void {
  const place = `${shown(name)} (character ${at})`;
  if (isQuoted || name.includes("."))
    throw noColumn({ name, at }, known, "and for a parameter it needs letters, digits and _ only");
  if (isFunctionName(name)) throw badFormula(`${place} is a function; write ${name}(…).`);
  if (name === "e")
    throw badFormula(`${place} may be Euler's number or a parameter. Write exp(…), or call it otherwise.`);
}

function noColumn({ name, at }: Pick<Name, "name" | "at">, known: readonly string[], where: string): Error {
  const hint = hintFor([name], known);
  return badFormula(
    `${shown(name)} (character ${at}) is no column of the table, ${where}. ${hint === "" ? `Columns: ${listed(known)}.` : hint.trim()}`,
  );
}

function hintFor(names: readonly string[], known: readonly string[]): string {
  const nearest = names
    .map((name) => nearestName(name, known.slice(0, 1000)))
    .find((name) => name !== undefined);
  return nearest === undefined ? "" : `Did you mean ${quoted(nearest)}? `;
}

const listed = (known: readonly string[]): string =>
  `${known.slice(0, 10).map(quoted).join(", ")}${known.length > 10 ? ", …" : ""}`;

/** As a formula has it. */
const quoted = (name: string): string =>
  /^[\p{L}_][\p{L}\p{M}\p{N}_.]*$/u.test(name) ? name : `\`${name}\``;

/**
 * @param dropsRows - whether rows without a number are left out, and so no reason to refuse
 * @throws CurvatureError ERR_PARSE that names all columns with which a formula cannot compute
 */
export function checkNumbers(table: DataTable, names: readonly string[], dropsRows: boolean): void {
  const faults = names.flatMap((name) => {
    const column = table.columns[columnIndex(table, name, "formula")];
    const fault =
      column.numbers === undefined ? wordsIn(column) : dropsRows ? undefined : gapsIn(table, column);
    return fault === undefined ? [] : [{ ...fault, sentence: `${shown(name)} ${fault.what}` }];
  });
  if (faults.length === 0) return;
  const remedies = [
    faults.some(({ isGap }) => !isGap) ? "A formula computes with numbers." : "",
    faults.some(({ isGap }) => isGap)
      ? `Correct the cells, or leave such rows out with ${optionName("missing", "drop")}.`
      : "",
  ];
  throw new CurvatureError(
    "ERR_PARSE",
    [`${faults.map(({ sentence }) => sentence).join("; ")}.`, ...remedies]
      .filter((part) => part !== "")
      .join(" "),
    { path: "formula" },
  );
}

interface Fault {
  readonly what: string;
  readonly isGap: boolean;
}

function wordsIn({ type, levels }: Column): Fault | undefined {
  if (type === "boolean") return undefined; // 0 and 1
  const words = levels.filter((level) => type === "date" || Number.isNaN(Number(level)));
  const some = words.slice(0, 3).map((word) => shown(word.slice(0, 30)));
  const what = `holds ${type === "date" ? "dates" : "words"} (${some.join(", ")}${words.length > 3 ? ", …" : ""})`;
  return { what, isGap: false };
}

function gapsIn(table: DataTable, column: Column): Fault | undefined {
  const { numbers, odd } = column;
  if (numbers === undefined) return undefined;
  const rows = Array.from({ length: table.rows }, (_, i) => i).filter(
    (i) => !Number.isFinite(numberAt(numbers, i)),
  );
  if (rows.length === 0) return undefined;
  const text = odd.find(({ row }) => row === rows[0])?.text ?? textAt(column, rows[0]);
  const cell = text === "" ? "" : `: ${shown(text)}`;
  const first = `${rows.length === 1 ? "" : "the first is "}${placeOf(table, rows[0])}${cell}`;
  return {
    what: `has no number in ${rows.length} ${rows.length === 1 ? "row" : "rows"} (${first})`,
    isGap: true,
  };
}
