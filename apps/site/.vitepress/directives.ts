/**
 * What pages quote and do not repeat. A line of its own in a page:
 *
 *     [[result sdp/csdp]]    claim, findings and pictures of docs/results/sdp/csdp.json
 *     [[help embed]]         what `curvature embed --help` prints
 *
 * Blocks of the language `math` are TeX, which becomes MathML here: a page loads nothing for it.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import katex from "katex";
import type { MarkdownRenderer } from "vitepress";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const pages = join(root, "apps/site/pages");

interface Result {
  readonly title: string;
  readonly claim: string;
  readonly findings: readonly string[];
  readonly figures: readonly { readonly name: string; readonly caption: string }[];
  readonly date: string;
}

/** Links of a result lead to files beside it, which are no pages. */
const unlinked = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");

function result(name: string, page: string): string {
  const path = join(root, "docs/results", name);
  const { title, claim, findings, figures, date }: Result = JSON.parse(readFileSync(`${path}.json`, "utf8"));
  const folder = relative(dirname(join(pages, page)), dirname(path)).replaceAll("\\", "/");
  const pictures = figures.map(
    ({ name: figure, caption }) => `![${caption}](${folder}/${figure}.svg)\n\n*${caption}*`,
  );
  return [
    `::: info ${title}`,
    `**Claim.** ${claim}`,
    ...findings.map(unlinked),
    ...pictures,
    `Measured on ${date}. Data, method and every figure: \`docs/results/${name}.md\`. Run it yourself: \`npm run bench -- ${name}\`.`,
    ":::",
  ].join("\n\n");
}

const helps = new Map<string, string>();

function help(command: string): string {
  const program = join(root, "apps/cli/bin/curvature.js");
  const text =
    helps.get(command) ?? execFileSync(process.execPath, [program, command, "--help"], { encoding: "utf8" });
  helps.set(command, text);
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

function filled(source: string, page: string): string {
  return source
    .replaceAll(/^\[\[result (\S+)\]\]$/gm, (_, name: string) => result(name, page))
    .replaceAll(/^\[\[help (\S+)\]\]$/gm, (_, command: string) => help(command));
}

export function directives(markdown: MarkdownRenderer): void {
  markdown.core.ruler.before("normalize", "directives", (state) => {
    state.src = filled(state.src, state.env.relativePath);
  });
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info = "", content = "" } = tokens[index] ?? {};
    if (info === "math")
      return `<div class="math" v-pre>${katex.renderToString(content, { displayMode: true, output: "mathml" })}</div>\n`;
    return fence?.(tokens, index, options, env, self) ?? "";
  };
}
