/**
 * What an experiment found, written three ways from one description: Markdown to read, JSON to compute with,
 * pictures beside them. Full runs go to docs/results/, first looks (`--quick`) to the folder for temporary files.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commit, machine } from "./machine.ts";
import type { Cell, Figure, Report, Table } from "./report-types.ts";
import { tablePictures } from "./table-pictures.ts";

const clocks = {
  processor: "Seconds are processor time.",
  wall: "Seconds are wall clock.",
  both: "Seconds are wall clock where nothing else is said.",
  none: "No times are given.",
} as const satisfies Record<Report["clock"], string>;

/** Writes `<name>.md`, `<name>.json` and the figures; prints the Markdown. Returns the folder. */
export function writeReport(report: Report, isQuick: boolean): string {
  const folder = isQuick
    ? join(tmpdir(), "curvature-bench", report.paper)
    : fileURLToPath(new URL(`../../../docs/results/${report.paper}/`, import.meta.url));
  const measured = {
    machine: machine(),
    commit: commit(),
    date: new Date().toISOString().slice(0, 10),
    isQuick,
    arguments: givenArguments(process.argv.slice(2)),
    /** Wall clock of the whole experiment. */
    seconds: Math.round(performance.now() / 1000),
  };
  const figures = [...(report.figures ?? []), ...tablePictures(report)];
  const written = { ...report, ...measured, figures };
  const markdown = markdownOf(written);
  const broken = /\b(NaN|Infinity|undefined)\b/.exec(markdown);
  if (broken !== null) throw new Error(`Not written: the report has ${broken[0]} in it.\n${markdown}`);
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, written, figures);
  process.stdout.write(markdown);
  return folder;
}

/** A report as its JSON has it: its figures are files beside it. */
export interface Written extends Omit<Report, "figures"> {
  readonly machine: string;
  readonly commit: string;
  readonly date: string;
  readonly isQuick: boolean;
  readonly figures: readonly Omit<Figure, "svg">[];
}

/** Draws the pictures of the tables of a report that was written, and refers to them; nothing is measured. */
export function drawTables(folder: string, name: string): void {
  const written: Written = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  const drawn = tablePictures(written);
  const others = written.figures.filter((one) => drawn.every((figure) => figure.name !== one.name));
  writeFiles(folder, { ...written, figures: [...others, ...drawn] }, drawn);
}

function writeFiles(folder: string, written: Written, figures: readonly Figure[]): void {
  const named = written.figures.map(({ name, caption }) => ({ name, caption }));
  writeFileSync(join(folder, `${written.name}.md`), markdownOf(written));
  writeFileSync(
    join(folder, `${written.name}.json`),
    `${JSON.stringify({ ...written, figures: named }, null, 1)}\n`,
  );
  for (const figure of figures) writeFileSync(join(folder, `${figure.name}.svg`), figure.svg);
}

/** The command line, less the names of this machine's folders and files. */
function givenArguments(words: readonly string[]): string[] {
  return words.map((word, k) => (folderOptions.includes(words[k - 1]) ? "folder" : word));
}

const folderOptions: readonly (string | undefined)[] = [
  "--data",
  "--mnist",
  "--tables",
  "--python",
  "--out",
  "--cells",
];

/** What stands in the Markdown beside a JSON. */
export function markdownOf(written: Written): string {
  const where = [written.machine, written.commit, written.date].join(", ");
  const parts = [
    `# ${written.title}`,
    `**Claim.** ${written.claim}`,
    `**Data.** ${written.data}`,
    `**Method.** ${written.method}`,
    `**Repeats.** ${written.repeats} ${clocks[written.clock]} Measured on ${where}.${written.isQuick ? " A first look (`--quick`), not a result." : ""}`,
    ...written.findings,
    ...written.tables.map(tableText),
    ...written.figures.map((figure) => `![${figure.caption}](${figure.name}.svg)\n\n${figure.caption}`),
  ];
  return `${parts.join("\n\n")}\n`;
}

function tableText({ title, note, columns, rows }: Table): string {
  const line = (cells: readonly Cell[]): string =>
    `| ${cells.map((cell) => (cell === null ? "-" : String(cell).replaceAll("|", "\\|"))).join(" | ")} |`;
  const lines = [line(columns), line(columns.map(() => "---")), ...rows.map(line)];
  const heading = title === undefined ? "" : `## ${title}\n\n`;
  return `${heading}${note === undefined ? "" : `${note}\n\n`}${lines.join("\n")}`;
}
