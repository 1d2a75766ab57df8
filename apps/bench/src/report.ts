/**
 * What an experiment found, written three ways from one description: Markdown to read, JSON to compute with,
 * pictures beside them. Full runs go to docs/results/, first looks (`--quick`) to the folder for temporary files.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commit, machine } from "./machine.ts";
import { tablePictures } from "./table-pictures.ts";

export type Cell = string | number | null;

export interface Table {
  readonly title?: string;
  /** What the table is of; between title and rows. */
  readonly note?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Figure {
  /** File name without its ending. */
  readonly name: string;
  readonly caption: string;
  readonly svg: string;
}

export interface Report {
  /** Folder: the package's last name, or "all". */
  readonly paper: "spectral" | "sdp" | "sfo" | "svrg" | "sgdqn" | "cluster" | "all";
  /** File name without its ending. */
  readonly name: string;
  readonly title: string;
  /** What the paper says (with its figure or table), that this run checks. */
  readonly claim: string;
  /** Data sets: sizes, where they come from. */
  readonly data: string;
  /** Contestants with their versions, and what was done with them. */
  readonly method: string;
  /**
   * How often, with which seeds, and how far apart results lie: "Medians of 3 runs (seeds 0 to 2), in brackets the least
   * and the most"; or that there was one run, and whether chance has a part in it.
   */
  readonly repeats: string;
  /** What a second is; none where no time is told. */
  readonly clock: keyof typeof clocks;
  /** What came out, the places where this project loses included; computed from the tables where it can be. */
  readonly findings: readonly string[];
  readonly tables: readonly Table[];
  readonly figures?: readonly Figure[];
}

const clocks = {
  processor: "Seconds are processor time.",
  wall: "Seconds are wall clock.",
  both: "Seconds are wall clock where nothing else is said.",
  none: "No times are told.",
} as const;

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

/** The command line, less the names of this machine's folders. */
function givenArguments(words: readonly string[]): string[] {
  return words.map((word, k) => (folderOptions.includes(words[k - 1]) ? "folder" : word));
}

const folderOptions: readonly (string | undefined)[] = ["--data", "--mnist", "--tables", "--python", "--out"];

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
