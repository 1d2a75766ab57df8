/** The code that makes the same map: TypeScript, and a line for the shell. */
import type { Dataset } from "../../data/dataset.js";
import { flagsOf, optionsLiteral, shellWord } from "../../export/code.js";
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

interface Source {
  readonly imports: readonly string[];
  readonly data: readonly string[];
}

function source(state: EmbedState, dataset: Dataset): Source {
  const { points: count, noise, seed } = state;
  const made = (name: string, options: Readonly<Record<string, number>>): Source => ({
    imports: [`import { ${name} } from "@curvature/datasets";`],
    data: [`const { points } = ${name}(${optionsLiteral(options)});`],
  });
  const group = (groups: number): number => Math.max(1, Math.round(count / groups));
  switch (state.data) {
    case "digits":
      return {
        imports: [`import { loadDigits } from "@curvature/datasets/digits";`],
        data: ["const { points } = await loadDigits();"],
      };
    case "swiss-roll":
      return made("swissRoll", { count, noise, seed });
    case "s-curve":
      return made("sCurve", { count, noise, seed });
    case "trefoil":
      return made("trefoilKnot", { count, noise, seed });
    case "rings":
      return made("rings", { rings: 3, pointsPerRing: group(3), noise, seed });
    case "blobs":
      return made("gaussianBlobs", { groups: 6, pointsPerGroup: group(6), dimensions: 10, box: 4, seed });
    case "loops":
      return made("closedLoops", { loops: 12, pointsPerLoop: group(12), noise, seed });
    case "curves":
      return made("curves", { count, side: 28, seed });
    case "file": {
      const own = ownFile(state, dataset);
      return fileSource(dataset, own ?? dataFile(dataset.name), own !== undefined);
    }
  }
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
  const { method, solver, homotopy, perplexity, lambda, gradient, initialization, seed, maxEvaluations } =
    options;
  const file = ownFile(state, dataset);
  const ignored = file === undefined ? [] : dataset.leftOut.map(({ index }) => index);
  const flags = flagsOf({
    labels: dataset.labels === undefined ? undefined : dataset.labelName,
    ignore: ignored.length === 0 ? undefined : ignored.join(","),
    method,
    solver,
    homotopy,
    perplexity,
    lambda,
    gradient,
    init: initialization,
    seed,
    "max-evaluations": maxEvaluations,
    out: "map.csv",
    plot: "map.svg",
  });
  return `npx @curvature/cli embed ${shellWord(file ?? dataFile(dataset.name))} ${flags}`;
}
