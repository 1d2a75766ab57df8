/** Lines and people that are left out, and the report of it: nobody goes without a word. */
import { CurvatureError, optionName, shown } from "@curvature/linalg";

/** Of a person, or of all where no column names people, how many lines went, and why. */
export interface Excluded {
  readonly participant: string | undefined;
  readonly why: "catch" | "catch-failed" | "degenerate" | "fastest" | "few" | "inconsistent" | "missing";
  readonly lines: number;
}

const reasons: Readonly<Record<Excluded["why"], string>> = {
  catch: "catch trials, which are no answers",
  "catch-failed": "of people who failed catch trials",
  degenerate: "that compare what is the same",
  fastest: "that were answered fastest",
  few: "of people with too few answers",
  inconsistent: "of people who answer the same question in two ways",
  missing: "with an empty cell",
};

/** In sentences, one for each reason. */
export function excludedNotes(excluded: readonly Excluded[]): string[] {
  const whys = [...new Set(excluded.map(({ why }) => why))];
  return whys.map((why) => {
    const of = excluded.filter((each) => each.why === why);
    const total = of.reduce((sum, { lines }) => sum + lines, 0);
    const people = of
      .filter(({ participant }) => participant !== undefined)
      .sort((p, q) => q.lines - p.lines);
    const most = people.slice(0, 5).map(({ participant, lines }) => `${shown(participant)} ${lines}`);
    const whose =
      people.length === 0
        ? ""
        : ` (${most.join(", ")}${people.length > 5 ? ` and ${people.length - 5} people more` : ""})`;
    return `${total} ${total === 1 ? "line" : "lines"} ${reasons[why]} ${total === 1 ? "has" : "have"} been dropped${whose}.`;
  });
}

/** How many of each person, as the report has it. */
export function perPerson(
  why: Excluded["why"],
  rows: Iterable<number>,
  participant: Int32Array | undefined,
  people: readonly string[],
): Excluded[] {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const who = participant?.[row] ?? -1;
    counts.set(who, (counts.get(who) ?? 0) + 1);
  }
  return [...counts].map(([who, lines]) => ({ participant: people[who], why, lines }));
}

const blanks = new Set(["", "0", "false", "no", "none", "na", "n/a", "null", "nan"]);
const flags = new Set(["1", "true", "yes", "catch", "attention"]);

interface CatchColumns {
  /** The cells of the catch column: nothing on a plain line, else the right answer, or a word that says no more than that it is one. */
  readonly cells: readonly string[];
  readonly answers: readonly string[];
  readonly participant: Int32Array | undefined;
  readonly people: readonly string[];
  /** The share of catch trials from which on a person goes. */
  readonly most: number;
}

/** @returns the lines that stay */
export function catchReport({ cells, answers, participant, people, most }: CatchColumns): {
  readonly keep: readonly boolean[];
  readonly excluded: readonly Excluded[];
  readonly notes: readonly string[];
} {
  const plain = (cell: string): string => cell.trim().toLowerCase();
  const isCatch = cells.map((cell) => !blanks.has(plain(cell)));
  const isFlag = cells.every((cell, row) => !isCatch[row] || flags.has(plain(cell)));
  const caught = [...cells.keys()].filter((row) => isCatch[row]);
  const asked = new Map<number, number>();
  const failed = new Map<number, number>();
  for (const row of caught) {
    const who = participant?.[row] ?? -1;
    asked.set(who, (asked.get(who) ?? 0) + 1);
    if (!isFlag && plain(cells[row]) !== plain(answers[row] ?? ""))
      failed.set(who, (failed.get(who) ?? 0) + 1);
  }
  const gone = new Set(
    [...failed]
      .filter(([who, count]) => who >= 0 && count > most * (asked.get(who) ?? 0))
      .map(([who]) => who),
  );
  const keep = cells.map((_, row) => !isCatch[row] && !gone.has(participant?.[row] ?? -1));
  const ofGone = [...cells.keys()].filter((row) => !isCatch[row] && gone.has(participant?.[row] ?? -1));
  const notes: string[] = [];
  if (isFlag && caught.length > 0)
    notes.push(
      `The catch column says which lines are catch trials, but not what is right there: they are left out, and nobody is judged by them. Where it holds the right answers, people who fail more than ${100 * most} % of them are dropped.`,
    );
  else if (participant === undefined && caught.length > 0)
    notes.push(`Nobody is dropped for failed catch trials, since no column is said to name people.`);
  return {
    keep,
    excluded: [
      ...perPerson("catch", caught, undefined, []),
      ...perPerson("catch-failed", ofGone, participant, people),
    ],
    notes,
  };
}

/** The share of all lines that was answered fastest; lines that took as long as the slowest of them stay. */
export function fastestRows(times: Float64Array, share: number): number[] {
  const limit = times.slice().sort()[Math.floor(share * times.length)];
  return [...times.keys()].filter((row) => times[row] < limit);
}

/** The lines of people who have fewer than `least`. */
export function fewRows(participant: Int32Array, people: number, least: number): number[] {
  const counts = new Int32Array(people);
  for (const who of participant) counts[who]++;
  return [...participant.keys()].filter((row) => counts[participant[row]] < least);
}

/**
 * People who answer the same question in two ways too often.
 *
 * @param most - the share of repetitions that may contradict the answer before
 * @returns of each person whether they go
 */
export function dropInconsistent(
  quadruplets: Int32Array,
  participant: Int32Array,
  people: number,
  most: number,
): readonly boolean[] {
  const last = new Map<string, string>();
  const repeated = new Int32Array(people);
  const turned = new Int32Array(people);
  for (let q = 0; q < participant.length; q++) {
    const [i, j, l, k] = quadruplets.subarray(4 * q, 4 * q + 4);
    const near = i < j ? `${i},${j}` : `${j},${i}`;
    const far = l < k ? `${l},${k}` : `${k},${l}`;
    const question = `${participant[q]}:${near < far ? `${near};${far}` : `${far};${near}`}`;
    const before = last.get(question);
    if (before !== undefined) {
      repeated[participant[q]]++;
      if (before !== near) turned[participant[q]]++;
    }
    last.set(question, near);
  }
  if (repeated.every((count) => count === 0))
    throw new CurvatureError(
      "ERR_OPTION",
      `Nobody was asked a question twice, by which ${optionName("mostInconsistent")} judges. Leave it out.`,
      { path: "mostInconsistent" },
    );
  return Array.from(repeated, (count, who) => turned[who] > most * count);
}
