/** Pictures of what tables say, drawn from their cells: of a report that is written, and of those that were. */
import { type BarPanel, type BarRow, barsSvg, type Mark } from "./bars.ts";
import { experiments } from "./experiments.ts";
import { fullRuns, type TablePicture } from "./registry/experiment.ts";
import type { Cell, Figure, Report, Table } from "./report-types.ts";

/** Those that the registry asks for, less those of rows and columns that are not there: arguments decide what a table has. */
export function tablePictures({ paper, name, title, tables }: Omit<Report, "figures">): Figure[] {
  const experiment = experiments.find(
    (one) => one.name.startsWith(`${paper}/`) && Object.keys(fullRuns(one)).includes(name),
  );
  return (experiment?.pictures ?? []).flatMap((picture) => {
    const panels = panelsOf(tables, picture);
    if (panels.length === 0) return [];
    const svg = barsSvg({
      title: `${title}: ${picture.title}`,
      axis: picture.axis,
      isLogarithmic: picture.isLinear !== true,
      names: Object.keys(picture.marks),
      panels,
    });
    const caption = `Dots are the table's figures (${picture.title}), lines reach from the least to the most.`;
    return [{ name: `${name}-${picture.name}`, caption, svg }];
  });
}

function panelsOf(tables: readonly Table[], picture: TablePicture): BarPanel[] {
  const chosen =
    picture.tables === "all" ? tables : tables.slice(picture.tables ?? 0, (picture.tables ?? 0) + 1);
  return chosen.flatMap((table) => {
    const rows = rowsOf(table, picture);
    if (rows === undefined || rows.length === 0) return [];
    if (picture.panel === undefined) return [{ title: table.title ?? "", rows }];
    const { panel } = picture;
    const at = table.columns.indexOf(panel);
    const titles = table.rows.map((row) => String(row[at]));
    return [...new Set(titles)].map((title) => ({
      // A number alone does not say of what.
      title: Number.isNaN(Number(title)) ? title : `${panel} = ${title}`,
      rows: rows.filter((_, i) => titles[i] === title),
    }));
  });
}

/** Undefined where the table lacks a column. */
function rowsOf({ columns, rows }: Table, { panel, names, marks }: TablePicture): BarRow[] | undefined {
  const labels = names.map((name) => columns.indexOf(name));
  const places = Object.values(marks).map((mark) =>
    typeof mark === "number" ? mark : columns.indexOf(mark),
  );
  const all = [...labels, ...places, panel === undefined ? 0 : columns.indexOf(panel)];
  if (all.some((at) => at < 0 || at >= columns.length)) return undefined;
  return rows.map((row) => ({
    name: labels.map((at) => row[at]).join(", "),
    marks: places.map((at) => markOf(row[at])),
  }));
}

const figure = String.raw`-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`;
const spread = new RegExp(`^(${figure})(?: ?%| s)?(?: \\((${figure}|not)(?: to |-)(${figure}|not)\\))?`);

/** Of "1.2 (1.1 to 1.4) %", "0.2 (0.1-0.3), 5 of 5", "1.2 s", 1.2; an end that is "not" is one of NaN. Words for words. */
export function markOf(cell: Cell): Mark {
  const found = spread.exec(String(cell ?? "-"));
  if (found === null) return String(cell ?? "-");
  const value = Number(found[1]);
  const [low, high] = [found[2] ?? value, found[3] ?? value].map(Number);
  return { value, low, high };
}
