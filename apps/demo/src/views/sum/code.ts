/** The code that does the same: TypeScript for the chosen solver, and a line for the shell for all. */
import { flagsOf, loadDigitsImport, type Source } from "../../export/code.js";
import { countOf, runningSolvers, type SolverName, type SumState, solverWord } from "./options.js";
import { hiddenUnits, isPlanar, mostInk } from "./problem-request.js";

/** The names under which the view exports its problem: a module, or data. */
export const problemFile = ({ objective }: SumState): string =>
  isPlanar(objective) ? `${objective}.mjs` : "digits.csv";

export function typescriptOf(state: SumState, solver: SolverName): string {
  const { imports, data } = source(state);
  const { maxPasses, seed } = state;
  return [
    ...imports,
    ...(solver === "sfo"
      ? [
          `import { minimizeSum } from "@curvature/optim-sfo";`,
          "",
          ...data,
          `const { x, value, message } = await minimizeSum(sum, { maxPasses: ${maxPasses}, measureEvery: 1, seed: ${seed} });`,
        ]
      : [
          `import { createSumSolver, maxPasses, run } from "@curvature/optim-core";`,
          "",
          ...data,
          ...byRun(solverWord(solver, state), maxPasses, seed),
        ]),
    "console.log(value, x, message);",
    "",
  ].join("\n");
}

/** L-BFGS knows F; the others are looked at after every pass, and the best point is kept. */
function byRun(word: string, passes: number, seed: number): readonly string[] {
  const first = "const start = Float64Array.from(sum.initial);";
  const solver = `const solver = createSumSolver("${word}", sum, start, { seed: ${seed} });`;
  if (word === "lbfgs")
    return [
      first,
      solver,
      `const { x, value, message } = await run(solver, { stop: maxPasses(${passes}) });`,
    ];
  return [
    first,
    solver,
    "let [x, value, seen] = [start, Infinity, -1];",
    "const look = (point: Float64Array) => {",
    "  let F = 0;",
    "  for (let i = 0; i < sum.count; i++) F += sum.evaluate(i, point);",
    "  if (F <= value) [x, value] = [point.slice(), F];",
    "};",
    "look(start);",
    "const { message } = await run(solver, {",
    `  stop: maxPasses(${passes}),`,
    "  onIteration: ({ passes, outcome }, { last }) => {",
    "    const passed = Math.floor(passes + 1e-9);",
    "    if (passed > Math.max(seen, 0) || outcome !== undefined) look(last.x);",
    "    seen = passed;",
    "  },",
    "});",
  ];
}

function source(state: SumState): Source {
  const { objective, seed } = state;
  const count = countOf(state);
  if (isPlanar(objective))
    return {
      imports: [],
      data: [
        `const { default: problem } = await import("./${problemFile(state)}");`,
        "const sum = { ...problem, initial: Float64Array.from(problem.initial) };",
      ],
    };
  const digits = [
    loadDigitsImport,
    objective === "softmax"
      ? `import { softmaxRegression } from "@curvature/objectives/sums";`
      : `import { multilayerPerceptron } from "@curvature/objectives/networks";`,
  ];
  const made =
    objective === "softmax"
      ? `softmaxRegression(points, labels, { classes: 10, count: ${count} })`
      : `multilayerPerceptron(points, labels, { hidden: [${hiddenUnits}], classes: 10, count: ${count}, seed: ${seed} })`;
  return {
    imports: digits,
    data: [
      "const { points: greys, labels } = await loadDigits();",
      `const points = { ...greys, data: greys.data.map((grey) => grey / ${mostInk}) };`,
      `const sum = ${made};`,
    ],
  };
}

export function commandOf(state: SumState): string {
  const { objective, maxPasses, seed } = state;
  const planar = isPlanar(objective);
  const flags = flagsOf({
    module: planar ? problemFile(state) : undefined,
    labels: planar ? undefined : "digit",
    objective: planar ? undefined : objective,
    hidden: objective === "mlp" ? hiddenUnits : undefined,
    minibatches: planar ? undefined : countOf(state),
    compare: runningSolvers(state)
      .map((solver) => solverWord(solver, state))
      .join(","),
    maxPasses,
    seed,
    out: "best.csv",
    plot: "curves.svg",
  });
  return `npx @curvature/cli fit ${planar ? "" : `${problemFile(state)} `}${flags}`;
}
