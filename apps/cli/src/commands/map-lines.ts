/** A saved map on a few lines. */
import { printable } from "@curvature/linalg";
import { count } from "../run/terminal.js";
import type { MapInspection } from "../tasks/inspect-map.js";

/** Names that are shown without --all. */
const shownNames = 12;

export function mapLines(file: string, map: MapInspection, all: boolean): string[] {
  const { rows, axes, columns, names, scaling, components, method, metric, lambda, neighbors, data } = map;
  const figure = (name: string, value: string): string => `  ${name.padEnd(14)}${value}`;
  const perplexity = [map.perplexity].flat().join(", ");
  const called = names?.slice(0, all ? names.length : shownNames).map(printable);
  const rest = (names?.length ?? 0) - (called?.length ?? 0);
  const steps = [
    ...(scaling === "none" ? [] : [`scaled (${scaling})`]),
    ...(components === undefined ? [] : [`${count(components)} principal components`]),
  ];
  return [
    `${file} is a map of ${count(rows)} rows on ${axes} ${axes === 1 ? "axis" : "axes"}.`,
    figure("takes rows of", `${count(columns)} ${columns === 1 ? "column" : "columns"}`),
    ...(called === undefined
      ? []
      : [figure("", `${called.join(", ")}${rest > 0 ? `, … and ${count(rest)} more (--all)` : ""}`)]),
    ...(steps.length === 0 ? [] : [figure("which are", steps.join(", then "))]),
    figure("method", `${method}, lambda ${lambda}`),
    figure(
      "neighbours",
      `${neighbors === "all" ? "all" : count(neighbors)}, perplexity ${perplexity}, metric ${metric}`,
    ),
    figure(
      "holds the data",
      `${count(data[0])} × ${count(data[1])} numbers, which its new rows are compared with; the file has ${count(map.bytes)} bytes`,
    ),
    "Its divergence is in the report of the run that made it (--report), and not in the file.",
    `New rows in it: curvature transform ${file} new.csv. With them, as one map: curvature extend ${file} new.csv.`,
  ];
}
