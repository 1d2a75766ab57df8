/** The code that finds the same Q: TypeScript, and a line for the shell. */
import {
  flagsOf,
  generatorSource,
  loadDigitsImport,
  optionsLiteral,
  type Source,
  shellWord,
} from "../../export/code.js";
import type { DisentangleState, PlainNomadOptions } from "./options.js";
import { generatorCall } from "./points.js";

export function typescriptOf(state: DisentangleState, options: PlainNomadOptions): string {
  const { imports, data } = sourceOf(state);
  const call = state.target === "labels" ? "clusterPoints" : "nomad";
  const chosen = state.counting === "chosen" ? ", choice" : "";
  const read =
    state.target === "labels"
      ? `Q, labels, cost, costLower, message${chosen}`
      : "Q, labels, components, gap, message";
  return [
    ...imports,
    `import { ${call} } from "@curvature/optim-sdp";`,
    "",
    ...data,
    `const { ${read} } = await ${call}(points, ${optionsLiteral({ ...options })});`,
    `console.log(${read});`,
    "",
  ].join("\n");
}

function sourceOf(state: DisentangleState): Source {
  const { generator, options } = generatorCall(state);
  if (generator !== undefined) return generatorSource(generator, options);
  if (state.data === "drawn")
    return {
      imports: [],
      data: [`const points = [${state.drawn.map(({ x, y }) => `[${x}, ${y}]`).join(", ")}];`],
    };
  return {
    imports: [loadDigitsImport],
    data: [
      "const digits = await loadDigits();",
      `const rows = [...digits.labels.keys()].filter((i) => digits.labels[i] === ${state.digit}).slice(0, ${state.points});`,
      "const points = rows.map((i) => [...digits.points.data.subarray(64 * i, 64 * i + 64)]);",
    ],
  };
}

/** The name under which the view exports its points. */
export const dataFile = (name: string): string => `${name}.csv`;

/** @param labelName - the column of the exported file that is no coordinate */
export function commandOf(
  name: string,
  labelName: string | undefined,
  options: PlainNomadOptions,
  target: DisentangleState["target"],
): string {
  const flags = flagsOf({
    ...(target === "labels" && { target }),
    ...options,
    labels: labelName,
    assignments: "clusters.csv",
    out: "q.npy",
    plot: "q.svg",
  });
  return `npx @curvature/cli disentangle ${shellWord(dataFile(name))} ${flags}`;
}
