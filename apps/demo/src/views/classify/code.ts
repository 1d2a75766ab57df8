/** The code that trains the same model: TypeScript, and a line for the shell. */
import { flagsOf, loadDigitsImport, optionsLiteral, shellWord } from "../../export/code.js";
import { otherName } from "./digits.js";
import type { ClassifyState, ModelOptions } from "./options.js";

/** What the column of classes is called in the files. */
export const labelColumn = "class";

/** The names under which the view exports its data; no test where nothing is held out. */
export interface DataFiles {
  readonly training: string;
  readonly test: string | undefined;
}

/** @param name - of the data: "clouds", "digit-8", a file's name without its ending */
export const dataFiles = (name: string, isTested: boolean): DataFiles =>
  isTested
    ? { training: `${name}-training.csv`, test: `${name}-test.csv` }
    : { training: `${name}.csv`, test: undefined };

export function typescriptOf(state: ClassifyState, files: DataFiles, options: ModelOptions): string {
  const literal = optionsLiteral({ ...options });
  return (state.data === "digits" ? ofDigits(state, literal) : ofFile(files, literal)).join("\n");
}

function ofDigits({ digit, held }: ClassifyState, options: string): readonly string[] {
  return [
    loadDigitsImport,
    `import { LinearClassifier } from "@curvature/optim-sgdqn";`,
    "",
    "const { points, labels } = await loadDigits();",
    `const classes = Array.from(labels, (digit) => (digit === ${digit} ? "${digit}" : "${otherName}"));`,
    "const { rows, columns, data } = points;",
    `const cut = rows - ${held};`,
    "const training = { rows: cut, columns, data: data.subarray(0, cut * columns) };",
    `const test = { rows: ${held}, columns, data: data.subarray(cut * columns) };`,
    `const model = new LinearClassifier(${options});`,
    "const { value, message } = await model.fit(training, classes.slice(0, cut));",
    "console.log(value, model.score(test, classes.slice(cut)), message);",
    "",
  ];
}

function ofFile({ training, test }: DataFiles, options: string): readonly string[] {
  const read = (file: string): string =>
    `await readPoints(await readFile("${file}"), { name: "${file}", labels: "${labelColumn}" });`;
  return [
    `import { readFile } from "node:fs/promises";`,
    `import { readPoints } from "@curvature/datasets";`,
    `import { LinearClassifier } from "@curvature/optim-sgdqn";`,
    "",
    `const { points, labels = [] } = ${read(training)}`,
    ...(test === undefined ? [] : [`const test = ${read(test)}`]),
    `const model = new LinearClassifier(${options});`,
    "const { value, message } = await model.fit(points, labels);",
    test === undefined
      ? "console.log(value, model.coefficients.data, model.intercepts, message);"
      : "console.log(value, model.score(test.points, test.labels ?? []), message);",
    "",
  ];
}

export function commandOf({ training, test }: DataFiles, options: ModelOptions): string {
  const flags = flagsOf({ labels: labelColumn, test, ...options, model: "model.json" });
  return `npx @curvature/cli train ${shellWord(training)} ${flags}`;
}
