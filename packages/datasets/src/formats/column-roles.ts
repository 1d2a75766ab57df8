/** Which columns of a table are numbers of its matrix, which one is its labels, and which are nothing. */
import { CurvatureError, nearestName, optionName, shown } from "@curvature/linalg";
import type { ColumnChoice, OtherColumns } from "./shared-options.js";

export const NUMBERS = 0;
export const LABEL = 1;
export const IGNORED = 2;

/**
 * What becomes of each column: `NUMBERS`, `LABEL` or `IGNORED`.
 *
 * @param names - undefined if the input does not name its columns
 * @throws CurvatureError ERR_OPTION if a chosen column is not there, or has its name with another, or is to be both
 */
export function rolesOf(
  { labels, ignore }: OtherColumns,
  names: readonly string[] | undefined,
  count: number,
): Uint8Array<ArrayBuffer> {
  const roles = new Uint8Array(count);
  for (const choice of ignore) roles[columnIndex("ignore", choice, names, count)] = IGNORED;
  if (labels === undefined) return roles;
  const label = columnIndex("labels", labels, names, count);
  if (roles[label] === IGNORED)
    throw wrongColumn(
      "ignore",
      `the column ${shown(labels)} is chosen as labels. Leave it out here.`,
      labels,
    );
  roles[label] = LABEL;
  return roles;
}

/** The index of the chosen column. */
function columnIndex(
  option: keyof OtherColumns,
  choice: ColumnChoice,
  names: readonly string[] | undefined,
  count: number,
): number {
  if (typeof choice === "number") {
    if (Number.isSafeInteger(choice) && choice >= 0 && choice < count) return choice;
    const named = names?.indexOf(String(choice)) ?? -1;
    const hint = named < 0 ? "" : ` The one that is named ${shown(String(choice))} is column ${named}.`;
    throw wrongColumn(
      option,
      `there is no column ${choice}; the columns are 0 to ${count - 1}.${hint}`,
      choice,
    );
  }
  if (names === undefined) {
    throw wrongColumn(
      option,
      `there is no column ${shown(choice)}, since the input does not name its columns. Give an index from 0 to ${count - 1}.`,
      choice,
    );
  }
  const index = names.indexOf(choice);
  if (index < 0) {
    const nearest = nearestName(choice, names.slice(0, 1000));
    const known = names.slice(0, 10).map(shown).join(", ");
    const hint =
      nearest === undefined
        ? `Known columns: ${known}${names.length > 10 ? ", …" : ""}.`
        : `Did you mean ${shown(nearest)}?`;
    throw wrongColumn(option, `there is no column ${shown(choice)}. ${hint}`, choice);
  }
  if (names.indexOf(choice, index + 1) >= 0) {
    const remedy = "Give its index, counted from 0.";
    throw wrongColumn(option, `more than one column is named ${shown(choice)}. ${remedy}`, choice);
  }
  return index;
}

function wrongColumn(option: keyof OtherColumns, reason: string, received: ColumnChoice): CurvatureError {
  return new CurvatureError("ERR_OPTION", `${optionName(option)}: ${reason}`, {
    path: option,
    expected: "a column of the input",
    received,
  });
}
