/**
 * Text into numbers: the readers of CSV and LIBSVM beside those of npm's packages and what one writes by hand.
 *
 * Usage: node tables.ts [--quick] [--repeats 7]
 */
import { RandomGenerator } from "@curvature/linalg";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, type Spread, spreadText } from "../../spread.ts";
import { byTurns, inOrder } from "../../turns.ts";
import { packageVersion } from "../../versions.ts";
import { mediansOf, verdict } from "../../words.ts";
import { csvReaders, libsvmReaders, ours, type Reader } from "./table-readers.ts";

const { isQuick, repeats } = experimentArguments({
  repeats: whole(7, 1),
});
const TURN_SECONDS = isQuick ? 0.02 : 0.2;
/** How many times faster than npm's packages the claim says. */
const FASTER = 2;

const random = new RandomGenerator(0);
const [ROWS, COLUMNS] = [isQuick ? 2000 : 100_000, 10];

interface Text {
  readonly name: string;
  readonly text: string;
  readonly readers: readonly Reader[];
}

const csv = (name: string, number: () => string): Text => ({
  name,
  text: lines(() => Array.from({ length: COLUMNS }, number).join(",")),
  readers: csvReaders,
});

function lines(line: () => string): string {
  return `${Array.from({ length: ROWS }, line).join("\n")}\n`;
}

/** An entry in about every seventh column, as text has words. */
function sparseLine(): string {
  const words = [random.uniform() < 0.5 ? "-1" : "+1"];
  let column = 0;
  for (let k = 0; k < 4 * COLUMNS; k++) {
    column += 1 + random.integer(12);
    words.push(`${column}:${random.uniform().toPrecision(6)}`);
  }
  return words.join(" ");
}

const texts: readonly Text[] = [
  csv("CSV, one or two digits", () => String(random.integer(17))),
  csv("CSV, nine digits", () => (2 * random.uniform() - 1).toPrecision(9)),
  csv("CSV, seventeen digits", () => (2 * random.uniform() - 1).toPrecision(17)),
  { name: "LIBSVM, six digits", text: lines(sparseLine), readers: libsvmReaders },
];

const rateOf = (seconds: Spread, megabytes: number): Spread => ({
  median: megabytes / seconds.median,
  least: megabytes / seconds.most,
  most: megabytes / seconds.least,
});

const results = await inOrder(texts, async ({ name, text, readers }) => {
  const bytes = new TextEncoder().encode(text);
  const sums = await inOrder(readers, async ({ sum }) => sum(text, bytes));
  if (sums.some((sum) => sum !== sums[0])) throw new Error(`${name}: readers found other numbers: ${sums}`);
  const seconds = await byTurns(
    readers.map(
      ({ sum }) =>
        () =>
          sum(text, bytes),
    ),
    repeats,
    TURN_SECONDS,
  );
  const megabytes = bytes.length / 1e6;
  return readers.map((reader, k) => {
    const ratio = seconds[k].median / seconds[0].median;
    note(`${name}, ${nameOf(reader)}: ${(megabytes / seconds[k].median).toFixed(0)} MB/s`);
    return { name, reader, megabytes, rate: rateOf(seconds[k], megabytes), ratio };
  });
});

function nameOf({ package: name, note: how }: Reader): string {
  return [name, how].filter((part) => part !== undefined).join(", ");
}

const rows = results.flat();
const packages = [...new Set(rows.flatMap(({ reader }) => reader.package ?? []))].filter(
  (name) => name !== ours,
);
const beside = (isPackage: boolean) =>
  rows.filter(({ reader }) => reader.package !== ours && (reader.package !== undefined) === isPackage);
const reach = (isPackage: boolean): string => {
  const ratios = beside(isPackage).map(({ ratio }) => ratio);
  return `${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}`;
};

writeReport(
  {
    paper: "all",
    name: "tables",
    title: "Text into numbers",
    claim: `Not a paper's: tables of numbers are read at least ${FASTER} times as fast as by npm's packages.`,
    data: `${ROWS} drawn rows of ${COLUMNS} numbers; of ${4 * COLUMNS} entries among some ${26 * COLUMNS} columns for LIBSVM.`,
    method: `From text in memory to one array of doubles, one thread; turns of ${TURN_SECONDS} s at least, contestants by turns after one turn of each that is not counted. Ours takes bytes, in pieces of 64 KiB, and checks them; ${packages.map(packageVersion).join(", ")} take a string whose cells go through Number. All find the same sum.`,
    repeats: `${mediansOf(repeats, "turn", "turns")}; all is drawn with seed 0.`,
    clock: "processor",
    findings: [
      verdict({ speed: beside(true).every(({ ratio }) => ratio >= FASTER) }),
      `npm's packages take ${reach(true)} times as long as ours, lines split by hand ${reach(false)} times.`,
    ],
    tables: [
      {
        columns: ["text", "megabytes", "reader", "MB/s", "times our time"],
        rows: rows.map((row): Cell[] => [
          row.name,
          row.megabytes.toFixed(1),
          nameOf(row.reader),
          spreadText(row.rate, decimals(0)),
          row.ratio.toFixed(1),
        ]),
      },
    ],
  },
  isQuick,
);
