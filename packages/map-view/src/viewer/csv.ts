/** Rows of the map as CSV (RFC 4180): number, name, coordinates, and all that is known of them. */
import type { Payload } from "./payload.js";

/** @param rows - from 0; the file counts them from 1, as the data's lines */
export function csvOf({ names, axes, points, columns }: Payload, rows: readonly number[]): string {
  const taken = columns.map(({ name }) => name);
  const free = (name: string): string => (taken.includes(name) ? free(`map_${name}`) : name);
  const own = ["row", ...(names === null ? [] : ["name"]), ...["x", "y", "z"].slice(0, axes)];
  const lines = [[...own.map(free), ...taken]];
  for (const n of rows)
    lines.push([
      String(n + 1),
      ...(names === null ? [] : [names[n]]),
      ...points.slice(n * axes, (n + 1) * axes).map(String),
      ...columns.map(({ values }) => values[n]),
    ]);
  return lines.map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");
}

const cell = (text: string): string => {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** What a spreadsheet would run, and what begins as text that is kept from it: as `writeCells` of datasets judges. */
const isFormula = (text: string): boolean =>
  /^'+[=+\-@\t\r]/.test(text) ||
  (/^(?:[=@\t\r]|[+-](?!$))/.test(text) && !/^[+-]?\d{1,400}(\.\d{0,400})?(e[+-]?\d{1,4})?$/i.test(text));
