/** The code that finds the same Q: TypeScript, and a line for the shell. */
import { flagsOf, optionsLiteral, shellWord } from "../../export/code.js";
import type { DisentangleState, PlainNomadOptions } from "./options.js";

interface Source {
  /** Of `@curvature/datasets` or a part of it. */
  readonly imports: readonly string[];
  readonly data: readonly string[];
}

export function typescriptOf(state: DisentangleState, options: PlainNomadOptions): string {
  const { imports, data } = sourceOf(state);
  return [
    ...imports,
    `import { nomad } from "@curvature/optim-sdp";`,
    "",
    ...data,
    `const { Q, labels, components, gap, message } = await nomad(points, ${optionsLiteral({ ...options })});`,
    "console.log(Q, labels, components.labels, gap, message);",
    "",
  ].join("\n");
}

function sourceOf(state: DisentangleState): Source {
  const { points, noise, seed } = state;
  const half = Math.max(1, Math.round(points / 2));
  switch (state.data) {
    case "two-rings":
      return made("twoRings", { pointsPerRing: half, noise, seed });
    case "moons":
      return made("moons", { pointsPerMoon: half, noise, seed });
    case "double-swiss-roll":
      return made("doubleSwissRoll", { pointsPerRoll: half, noise, seed });
    case "ring":
      return made("ring", { count: points, noise, seed });
    case "drawn":
      return {
        imports: [],
        data: [`const points = [${state.drawn.map(({ x, y }) => `[${x}, ${y}]`).join(", ")}];`],
      };
    case "digits":
      return {
        imports: [`import { loadDigits } from "@curvature/datasets/digits";`],
        data: [
          "const digits = await loadDigits();",
          `const rows = [...digits.labels.keys()].filter((i) => digits.labels[i] === ${state.digit}).slice(0, ${points});`,
          "const points = rows.map((i) => [...digits.points.data.subarray(64 * i, 64 * i + 64)]);",
        ],
      };
  }
}

const made = (name: string, options: Readonly<Record<string, number>>): Source => ({
  imports: [`import { ${name} } from "@curvature/datasets";`],
  data: [`const { points } = ${name}(${optionsLiteral(options)});`],
});

/** The name under which the view exports its points. */
export const dataFile = (name: string): string => `${name}.csv`;

/** @param labelName - the column of the exported file that is no coordinate */
export function commandOf(name: string, labelName: string | undefined, options: PlainNomadOptions): string {
  const { clusters, layers, solver, tolerance, seed } = options;
  const flags = flagsOf({
    clusters,
    layers,
    solver,
    tolerance,
    seed,
    labels: labelName,
    assignments: "clusters.csv",
    out: "q.npy",
    plot: "q.svg",
  });
  return `npx @curvature/cli disentangle ${shellWord(dataFile(name))} ${flags}`;
}
