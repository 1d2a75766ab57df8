/** The code that makes the same map: TypeScript, and a line for the shell. */
import type { Dataset } from "../../data/dataset.js";
import { generatorCall } from "../../data/generators.js";
import { stated } from "../../data/table-plan.js";
import {
  flagsOf,
  generatorSource,
  loadDigitsImport,
  optionsLiteral,
  type PlainOptions,
  type Source,
  shellWord,
} from "../../export/code.js";
import type { EmbedState, PaneOptions } from "./options.js";

export function typescriptOf(state: EmbedState, dataset: Dataset, options: PaneOptions): string {
  const { imports, data, points = "points" } = source(state, dataset);
  return [
    ...imports,
    `import { embed } from "@curvature/optim-spectral";`,
    "",
    ...data,
    `const { embedding, klDivergence, message } = await embed(${points}, ${optionsLiteral({ ...options })});`,
    "console.log(embedding, klDivergence, message);",
    "",
  ].join("\n");
}

/** `points`: what is embedded, where it is not called so. */
function source(state: EmbedState, dataset: Dataset): Source & { readonly points?: string } {
  const { data: set, points: count, noise, seed } = state;
  if (set === "digits")
    return { imports: [loadDigitsImport], data: ["const { points } = await loadDigits();"] };
  if (set === "file") {
    const own = ownFile(state, dataset);
    return own === undefined ? exportedSource(dataset) : tableSource(own);
  }
  const { generator, options } = generatorCall({ set, count, noise, seed });
  return generatorSource(generator, options);
}

const readFileImport = `import { readFile } from "node:fs/promises";`;

/** A reader's options with the file's name, which the code has in `file`. */
const named = (options: PlainOptions): string =>
  `{ name: file${optionsLiteral(options).replace(/^\{ |^$/, (begin) => (begin === "" ? " }" : ", "))}`;

/** The data as the view exports them. */
const exportedSource = ({ name, labelName, labels }: Dataset): Source => ({
  imports: [readFileImport, `import { readPoints } from "@curvature/datasets";`],
  data: [
    `const file = ${JSON.stringify(dataFile(name))};`,
    `const { points } = await readPoints(await readFile(file), ${named({ labels: labels === undefined ? undefined : labelName })});`,
  ],
});

/** The visitor's file as it is: the table that was looked at, and what was made of it. */
function tableSource({ name, reading, preparation, scale }: OwnFile): Source & { readonly points?: string } {
  const isScaled = scale === "standard";
  const options = optionsLiteral(preparation);
  return {
    imports: [
      readFileImport,
      `import { readTable } from "@curvature/datasets";`,
      ...(isScaled ? [`import { applyScaling, fitScaling } from "@curvature/linalg";`] : []),
      `import { prepare } from "@curvature/linalg/tables";`,
    ],
    data: [
      `const file = ${JSON.stringify(name)};`,
      `const table = await readTable(await readFile(file), ${named({ ...stated(reading) })});`,
      `const { points } = prepare(table${options === "" ? "" : `, ${options}`});`,
      ...(isScaled ? [`const scaled = applyScaling(fitScaling(points, "standard"), points);`] : []),
    ],
    ...(isScaled ? { points: "scaled" } : {}),
  };
}

/** The name under which the view exports its data. */
export const dataFile = (name: string): string => `${name}.csv`;

type OwnFile = NonNullable<Dataset["ofFile"]>;

/** The visitor's own file, where the code reads it as it is: none of a sample or a made set. */
const ownFile = ({ data }: EmbedState, { ofFile, takenFrom }: Dataset): OwnFile | undefined =>
  data === "file" && takenFrom === undefined ? ofFile : undefined;

export function commandTitle(state: EmbedState, dataset: Dataset): string {
  const own = ownFile(state, dataset);
  return own === undefined
    ? `Command line, with the data saved as ${dataFile(dataset.name)}`
    : `Command line, in the folder of ${own.name}`;
}

export function commandOf(state: EmbedState, dataset: Dataset, options: PaneOptions): string {
  const own = ownFile(state, dataset);
  const flags = flagsOf({
    labels: dataset.labels === undefined ? undefined : dataset.labelName,
    ...(own === undefined ? {} : tableFlags(own)),
    ...options,
    out: "map.csv",
    plot: "map.svg",
  });
  return `npx @curvature/cli embed ${shellWord(own?.name ?? dataFile(dataset.name))} ${flags}`;
}

function tableFlags({ reading, preparation, scale }: OwnFile): PlainOptions {
  const { columns, ignore, labels, words, missing } = preparation;
  const list = (choices: typeof ignore) => choices?.join(",");
  return {
    labels,
    columns: Array.isArray(columns) ? list(columns) : columns,
    ignore: list(ignore),
    words,
    missing,
    scale: scale === "none" ? undefined : scale,
    ...stated(reading),
  };
}
