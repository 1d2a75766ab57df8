/** The code that trains the same model: TypeScript, and a line for the shell. */
import { flagsOf, optionsLiteral } from "../../export/code.js";
import { otherName } from "./digits.js";
import type { ClassifyState, ModelOptions } from "./options.js";

/** What the column of classes is called in the files. */
export const labelColumn = "class";

/** The names under which the view exports its data; without a test for points of the plane. */
export const dataFiles = ({
  data,
  digit,
}: Pick<ClassifyState, "data" | "digit">): {
  readonly training: string;
  readonly test: string | undefined;
} =>
  data === "digits"
    ? { training: `digit-${digit}-training.csv`, test: `digit-${digit}-test.csv` }
    : { training: `${data}.csv`, test: undefined };

export function typescriptOf(state: ClassifyState, options: ModelOptions): string {
  const literal = optionsLiteral({ ...options });
  return (state.data === "digits" ? ofDigits(state, literal) : ofFile(state, literal)).join("\n");
}

function ofDigits({ digit, held }: ClassifyState, options: string): readonly string[] {
  return [
    `import { loadDigits } from "@curvature/datasets/digits";`,
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

function ofFile(state: ClassifyState, options: string): readonly string[] {
  return [
    `import { readFile } from "node:fs/promises";`,
    `import { readPoints } from "@curvature/datasets";`,
    `import { LinearClassifier } from "@curvature/optim-sgdqn";`,
    "",
    `const file = ${JSON.stringify(dataFiles(state).training)};`,
    `const { points, labels = [] } = await readPoints(await readFile(file), { name: file, labels: "${labelColumn}" });`,
    `const model = new LinearClassifier(${options});`,
    "const { value, message } = await model.fit(points, labels);",
    "console.log(value, model.coefficients.data, model.intercepts, message);",
    "",
  ];
}

export function commandOf(state: ClassifyState, options: ModelOptions): string {
  const { training, test } = dataFiles(state);
  const { solver, loss, lambda, maxPasses, tolerance, seed } = options;
  const flags = flagsOf({
    labels: labelColumn,
    test,
    solver,
    loss,
    lambda,
    "max-passes": maxPasses,
    tolerance,
    seed,
    model: "model.json",
  });
  return `npx curvature train ${training} ${flags}`;
}
