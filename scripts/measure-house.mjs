/**
 * How light the house is: what a value passes, what is written how often, what a page loads. Prints the table of
 * `docs/measures.md` and writes it there; the definitions are below the table. Needs a build.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import ts from "typescript";
import { bundle } from "../test/bundle.ts";
import { writeData } from "./command-lines-list.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = execFileSync("git", ["ls-files", "packages/*/src/*", "apps/*/src/*"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"));
const trees = new Map(
  sources.map((file) => [
    file,
    ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true),
  ]),
);
const product = sources.filter((file) => /^(packages|apps\/cli)\//.test(file));

/** @param isWhole - counts a node with all that is in it, or leaves it for what is in it */
function linesOf(files, isWhole) {
  let lines = 0;
  let nodes = 0;
  for (const file of files) {
    const tree = trees.get(file);
    const lineAt = (position) => tree.getLineAndCharacterOfPosition(position).line;
    const visit = (node) => {
      if (!isWhole(node)) return ts.forEachChild(node, visit);
      lines += lineAt(node.getEnd()) - lineAt(node.getStart()) + 1;
      nodes += 1;
    };
    visit(tree);
  }
  return { lines, nodes };
}

const nameOf = (node) => node.name?.getText() ?? "";

/** The function that is called, by its last name. */
const calledBy = (node) => {
  if (!ts.isCallExpression(node)) return "";
  return ts.isPropertyAccessExpression(node.expression)
    ? node.expression.name.text
    : node.expression.getText();
};

function isOfState(node) {
  if (ts.isMethodDeclaration(node))
    return (
      nameOf(node) === "restored" ||
      (/^(save|restore|open|reader|read)$/.test(nameOf(node)) && /napshot|State/.test(node.getText()))
    );
  if (ts.isFunctionDeclaration(node))
    return /^(saved|read)[A-Z]/.test(nameOf(node)) && /napshot/.test(node.getText());
  return ["stateOf", "stateIn"].includes(calledBy(node));
}

const optionNoun = /(options|settings|limits|flags|defaults|rules)$/i;

function isOfOptions(node) {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    return optionNoun.test(nameOf(node));
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node))
    return /options?|settings?|limits?|flags?/i.test(nameOf(node));
  if (ts.isVariableStatement(node) && ts.isSourceFile(node.parent))
    return node.declarationList.declarations.some(
      (each) => optionNoun.test(nameOf(each)) || /^option/i.test(calledBy(each.initializer ?? each)),
    );
  return calledBy(node) === "option";
}

/** `x === undefined ? {} : { x }` */
const isEmptyOrNot = (node) =>
  ts.isConditionalExpression(node) &&
  [node.whenTrue, node.whenFalse].some(
    (each) => ts.isObjectLiteralExpression(each) && each.properties.length === 0,
  );

/** Groups of files that import one another, types and imports on demand among them (Tarjan 1972). */
function cycles() {
  const imported = (file) =>
    ts
      .preProcessFile(trees.get(file).text, true, true)
      .importedFiles.filter(({ fileName }) => fileName.startsWith("."))
      .flatMap(({ fileName }) => {
        const path = join(dirname(file), fileName).replace(/\.jsx?$/, "");
        return [path, `${path}.ts`, `${path}.tsx`].filter((each) => trees.has(each));
      });
  const order = new Map();
  const stack = [];
  const groups = [];
  const lowest = (file) => {
    order.set(file, order.size);
    const height = stack.push(file) - 1;
    let low = order.get(file);
    for (const next of imported(file)) {
      if (!order.has(next)) low = Math.min(low, lowest(next));
      else if (stack.includes(next)) low = Math.min(low, order.get(next));
    }
    if (low === order.get(file)) {
      const group = stack.splice(height);
      if (group.length > 1) groups.push(group);
    }
    return low;
  };
  for (const file of sources) if (!order.has(file)) lowest(file);
  return groups;
}

/** Files of the house of which at least one function was called, other than the module itself. */
function executed(args) {
  const folder = mkdtempSync(join(tmpdir(), "curvature-executed-"));
  const hook = ["--experimental-transform-types", "--no-warnings", "--import", "./scripts/run-sources.mjs"];
  execFileSync(process.execPath, [...hook, ...args], {
    cwd: root,
    env: { ...process.env, NODE_V8_COVERAGE: folder },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const files = new Set();
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(folder, name), "utf8")).result) {
      const file = /\/((packages|apps)\/[^/]+\/src\/.*)$/.exec(url)?.[1];
      const isModule = ({ functionName, ranges }) => functionName === "" && ranges[0].startOffset === 0;
      if (file !== undefined && functions.some((each) => each.ranges[0].count > 0 && !isModule(each)))
        files.add(file);
    }
  }
  rmSync(folder, { recursive: true });
  return files.size;
}

async function executedByCommand() {
  const folder = mkdtempSync(join(tmpdir(), "curvature-executed-"));
  await writeData(folder);
  const [input, map] = [join(folder, "digits.csv"), join(folder, "map.csv")];
  const files = executed([
    "apps/cli/src/main.ts",
    "embed",
    input,
    "--labels",
    "digit",
    "--quiet",
    "--out",
    map,
  ]);
  rmSync(folder, { recursive: true });
  return files;
}

const executedByModule = (code) => executed(["--input-type=module", "--eval", code]);

/** In kB of 1,000 bytes, gzipped: at once, and with all that may come on demand. */
async function load(name, from) {
  const { text, later } = await bundle(`export { ${name} } from "@curvature/${from}";`, root);
  const kB = (script) => gzipSync(script, { level: 9 }).length / 1000;
  return `${kB(text).toFixed(1)} (${(kB(text) + kB(later)).toFixed(1)})`;
}

const minimizeSumCall = `
import { minimizeSum } from "@curvature/optim-sfo";
await minimizeSum({
  dimension: 2, count: 30, initial: new Float64Array(2),
  evaluate(i, [x, y], gradient) { gradient?.set([2 * (x - i), 2 * (y - i)]); return (x - i) ** 2 + (y - i) ** 2; },
});`;
const nomadCall = `
import { nomad } from "@curvature/optim-sdp";
await nomad(Array.from({ length: 40 }, (_, i) => [4 * (i % 2) + ((i * 7) % 11) / 11, ((i * 5) % 13) / 13]), { clusters: 2 });`;

const lineCount = (files) =>
  files.reduce((sum, file) => sum + trees.get(file).text.split("\n").length - 1, 0);
const thousands = (n) => n.toLocaleString("en");
const state = linesOf(product, isOfState);
const groups = cycles();

/** Before: at commit f8d0ed0, measured by this script. */
const rows = [
  ["measure", "before", "now", "goal"],
  ["---", "--:", "--:", "--:"],
  ["executed files: `curvature embed`", "200", await executedByCommand(), "110"],
  ["executed files: `minimizeSum`", "65", executedByModule(minimizeSumCall), "30"],
  ["executed files: `nomad`", "106", executedByModule(nomadCall), "55"],
  [
    "lines of save and restore (functions)",
    "2,510 (201)",
    `${thousands(state.lines)} (${state.nodes})`,
    "800",
  ],
  ["lines of options", "4,890", thousands(linesOf(product, isOfOptions).lines), "1,600"],
  [
    "lines of files named after options",
    "3,654",
    thousands(lineCount(product.filter((file) => /(options|settings|limits|flags)[^/]*\.ts$/.test(file)))),
    "",
  ],
  ["cycles of files (files in them)", "5 (39)", `${groups.length} (${groups.flat().length})`, "0"],
  ["source lines", "124,475", thousands(lineCount(sources)), "106,000"],
  ["fields that are there or not", "132", linesOf(sources, isEmptyOrNot).nodes, "0"],
  ["first load of `embed` (all), kB", "83.7 (168.7)", await load("embed", "optim-spectral"), "30 (140)"],
  ["first load of `minimizeSum` (all), kB", "13.3 (36.7)", await load("minimizeSum", "optim-sfo"), "10"],
  ["first load of `nomad` (all), kB", "16.7 (59.1)", await load("nomad", "optim-sdp"), "10"],
];
const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
process.stdout.write(`${table}\n${groups.map((group) => `cycle: ${group.join(" ")}\n`).join("")}`);

writeFileSync(
  join(root, "docs", "measures.md"),
  `# How light the house is

What a reader of the code passes, and what a page loads, as \`npm run measure:house\` counts it and writes it here.

${table}

- **Executed files** are the sources of packages and CLI in which a function is called, whether for the value itself or
  while modules are loaded; a file of which only the module's own body runs does not count. By V8's coverage of the
  sources, with one t-SNE map of 100 digits (\`--labels\`, \`--out\`), a sum of 30 functions of two variables, and two
  clusters of 40 points.
- **Save and restore**, by syntax tree: methods \`save\`, \`restore\`, \`open\`, \`reader\` and \`read\` that name a snapshot
  or a state, methods \`restored\` (what is computed anew), functions \`saved…\` and \`read…\` that name a snapshot, and declarations of state (\`stateOf(…)\`, \`stateIn(…)\`).
- **Options**, by syntax tree, in packages and CLI: types and variables of modules whose names end in options, settings,
  limits, flags, defaults or rules, functions and methods that have one of the first four in their names, what is made by
  a call of \`option…\`. Below it the lines of files named after options, settings, limits
  and flags.
- **Cycles** are groups of files that import one another; types and imports on demand count, apps too.
- **Source lines** are those of \`src\` of packages, CLI, demo and bench, as formatted, comments and blanks among them.
- **Fields that are there or not** are conditional expressions with \`{}\` on one side, as
  \`...(x === undefined ? {} : { x })\`.
- **First load** is what a page loads at once of a module that exports the name, bundled and minified by Vite's bundler,
  gzip, in kB of 1,000 bytes; in brackets with all that may come on demand.
`,
);
