/** The code that makes the same map: TypeScript, and a line for the shell; and the files that they read. */
import { writeCells } from "@curvature/datasets";
import type { Comparisons } from "@curvature/objectives/ordinal";
import { flagsOf, optionsLiteral, type Source, shellWord } from "../../export/code.js";
import { cityAnswers } from "./answers.js";
import { fitOptions, type OrdinalState } from "./options.js";
import type { Material } from "./task.js";

/** The names under which the view exports what the code reads. */
export interface FileNames {
  readonly answers: string;
  readonly keptBack: string;
  readonly names: string;
}

export const fileNames = (name: string): FileNames => ({
  answers: `${name}-answers.csv`,
  keptBack: `${name}-kept-back.csv`,
  names: `${name}-names.txt`,
});

/** i, j, k in the packages' order, with the answer in words beside them; i, j, l, k where there are quadruplets. */
export function answersCsv(
  { quadruplets, weights }: Comparisons,
  names: readonly string[] | undefined,
): string {
  const rows: (string | number)[][] = [];
  const isTriplets = areTriplets(quadruplets);
  const name = (object: number): string => names?.[object] ?? String(object);
  for (let q = 0; 4 * q < quadruplets.length; q++) {
    const [i, j, l, k] = quadruplets.subarray(4 * q, 4 * q + 4);
    const words = isTriplets
      ? `${name(i)}: more like ${name(j)} than ${name(k)}`
      : `${name(i)} and ${name(j)}: more alike than ${name(l)} and ${name(k)}`;
    rows.push([
      ...(isTriplets ? [i, j, k] : [i, j, l, k]),
      ...(weights === undefined ? [] : [weights[q]]),
      words,
    ]);
  }
  const head = [
    ...(isTriplets ? ["i", "j", "k"] : ["i", "j", "l", "k"]),
    ...(weights === undefined ? [] : ["weight"]),
  ];
  return [...writeCells([[...head, "words"], ...rows])].join("");
}

const areTriplets = (quadruplets: Int32Array): boolean =>
  quadruplets.every((object, at) => at % 4 !== 2 || object === quadruplets[at - 2]);

/** One per line, in the objects' order. */
export const namesText = (names: readonly string[]): string =>
  [
    ...writeCells(
      names.map((name) => [name]),
      { delimiter: "\t", raw: true },
    ),
  ].join("");

/** An object a line, with empty cells where it has no place. */
export function mapCsv(map: Float64Array, nameAt: (object: number) => string): string {
  const rows: (string | number)[][] = [["object", "x", "y"]];
  for (let k = 0; 2 * k < map.length; k++) rows.push([nameAt(k), map[2 * k], map[2 * k + 1]]);
  return [...writeCells(rows)].join("");
}

export function typescriptOf(state: OrdinalState, material: Material, name: string): string {
  const { imports, data } = sourceOf(state, material, name);
  const literal = optionsLiteral({ ...fitOptions(state) });
  const rest = literal === "" ? "" : `, ${literal.slice(2, -2)}`;
  const given = material.test.quadruplets.length > 0 ? "test" : "";
  const options = [given, `objects: ${material.train.objects}`].filter((word) => word !== "").join(", ");
  return [
    ...imports,
    "",
    ...data,
    `const { embedding, testError, message } = await ordinalEmbedding(train, { ${options}${rest} });`,
    "console.log(embedding, testError, message);",
    "",
  ].join("\n");
}

function sourceOf(state: OrdinalState, { train, test }: Material, name: string): Source {
  const plain = `import { ordinalEmbedding } from "@curvature/optim-svrg";`;
  const hasTest = test.quadruplets.length > 0;
  if (state.set === "cities")
    return {
      imports: [
        `import { loadEurodist } from "@curvature/datasets/eurodist";`,
        `import { ordinalEmbedding, tripletsFromDistances } from "@curvature/optim-svrg";`,
      ],
      data: [
        "const { distances } = loadEurodist();",
        `const { train, test } = tripletsFromDistances(distances, ${optionsLiteral(cityAnswers(state.count, state.seed))});`,
      ],
    };
  if (state.set === "file") {
    const files = fileNames(name);
    const read = (file: string): string =>
      `(await readComparisons(await readFile(${JSON.stringify(file)}), { known: ${train.objects} })).comparisons`;
    return {
      imports: [
        `import { readFile } from "node:fs/promises";`,
        `import { readComparisons } from "@curvature/datasets";`,
        plain,
      ],
      data: [
        `const train = ${read(files.answers)};`,
        ...(hasTest ? [`const test = ${read(files.keptBack)};`] : []),
      ],
    };
  }
  return {
    imports: [plain],
    data: [
      "// [i, j, k]: i is more like j than like k",
      `const train = ${tripletsLiteral(train)};`,
      ...(hasTest ? [`const test = ${tripletsLiteral(test)};`] : []),
    ],
  };
}

const perLine = 8;

function tripletsLiteral({ quadruplets }: Comparisons): string {
  const words: string[] = [];
  for (let at = 0; at < quadruplets.length; at += 4)
    words.push(`[${quadruplets[at]}, ${quadruplets[at + 1]}, ${quadruplets[at + 3]}]`);
  const lines: string[] = [];
  for (let k = 0; k < words.length; k += perLine) lines.push(`  ${words.slice(k, k + perLine).join(", ")},`);
  return words.length === 0 ? "[]" : `[\n${lines.join("\n")}\n]`;
}

export function commandOf(state: OrdinalState, { names, test }: Material, name: string): string {
  const files = fileNames(name);
  const flags = flagsOf({
    test: test.quadruplets.length > 0 ? files.keptBack : undefined,
    names: names === undefined ? undefined : files.names,
    ...fitOptions(state),
    out: "map.csv",
    plot: "map.svg",
  });
  return `npx @curvature/cli ordinal ${shellWord(files.answers)} ${flags}`;
}
