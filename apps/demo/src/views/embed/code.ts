/** The code that makes the same map: TypeScript, and a line for the shell. */
import type { Dataset } from "../../data/dataset.js";
import { generatorCall } from "../../data/generators.js";
import {
  flagsOf,
  generatorSource,
  loadDigitsImport,
  optionsLiteral,
  type Source,
  shellWord,
} from "../../export/code.js";
import type { EmbedState, PaneOptions } from "./options.js";

export function typescriptOf(state: EmbedState, dataset: Dataset, options: PaneOptions): string {
  const { imports, data } = source(state, dataset);
  return [
    ...imports,
    `import { embed } from "@curvature/optim-spectral";`,
    "",
    ...data,
    `const { embedding, klDivergence, message } = await embed(points, ${optionsLiteral({ ...options })});`,
    "console.log(embedding, klDivergence, message);",
    "",
  ].join("\n");
}

function source(state: EmbedState, dataset: Dataset): Source {
  const { data: set, points: count, noise, seed } = state;
  if (set === "digits")
    return { imports: [loadDigitsImport], data: ["const { points } = await loadDigits();"] };
  if (set === "file") {
    const own = ownFile(state, dataset);
    return fileSource(dataset, own ?? dataFile(dataset.name), own !== undefined);
  }
  const { generator, options } = generatorCall({ set, count, noise, seed });
  return generatorSource(generator, options);
}

function fileSource({ labelName, labels, leftOut }: Dataset, file: string, isOwn: boolean): Source {
  const labelled =
    labels !== undefined && labelName !== undefined ? `, labels: ${JSON.stringify(labelName)}` : "";
  const places = leftOut.map(({ index }) => index);
  const ignored = isOwn && places.length > 0 ? `, ignore: [${places.join(", ")}]` : "";
  return {
    imports: [
      `import { readFile } from "node:fs/promises";`,
      `import { readPoints } from "@curvature/datasets";`,
    ],
    data: [
      `const file = ${JSON.stringify(file)};`,
      `const { points } = await readPoints(await readFile(file), { name: file${labelled}${ignored} });`,
    ],
  };
}

/** The name under which the view exports its data. */
export const dataFile = (name: string): string => `${name}.csv`;

/** The visitor's own file, where the code reads it as it is: none of a sample or a made set. */
const ownFile = ({ data }: EmbedState, { fileName, takenFrom }: Dataset): string | undefined =>
  data === "file" && takenFrom === undefined ? fileName : undefined;

export function commandTitle(state: EmbedState, dataset: Dataset): string {
  const own = ownFile(state, dataset);
  return own === undefined
    ? `Command line, with the data saved as ${dataFile(dataset.name)}`
    : `Command line, in the folder of ${own}`;
}

export function commandOf(state: EmbedState, dataset: Dataset, options: PaneOptions): string {
  const file = ownFile(state, dataset);
  const ignored = file === undefined ? [] : dataset.leftOut.map(({ index }) => index);
  const flags = flagsOf({
    labels: dataset.labels === undefined ? undefined : dataset.labelName,
    ignore: ignored.length === 0 ? undefined : ignored.join(","),
    ...options,
    out: "map.csv",
    plot: "map.svg",
  });
  return `npx @curvature/cli embed ${shellWord(file ?? dataFile(dataset.name))} ${flags}`;
}
