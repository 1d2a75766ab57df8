/**
 * Reader of answers as experiments record them, one trial per line: "which two are nearer to each other?", which is the odd one
 * out, which are nearest, in which order, how alike are two. All become comparisons.
 *
 * A triplet i, j, k says that i is nearer to j than to k; a quadruplet i, j, l, k says that i, j are nearer to each
 * other than l, k are. Objects are whole numbers counted from 0, or names.
 */
import { badOption, CurvatureError, optionName, shown } from "@curvature/linalg";
import { expanded } from "./answer-expansion.js";
import {
  catchReport,
  dropInconsistent,
  type Excluded,
  excludedNotes,
  fastestRows,
  fewRows,
  perPerson,
} from "./answer-filters.js";
import type { AnswerKind } from "./answer-kinds.js";
import { namesFarther } from "./answer-names.js";
import { answerRecords } from "./answer-records.js";
import { chosen, counted, type Rows, rowsWhere, spread } from "./answer-rows.js";
import { areCoded } from "./answer-words.js";
import { doubtStrayColumns } from "./beside-columns.js";
import type { ByteSource } from "./bytes.js";
import { isNumeric, objectsOf, type Word } from "./comparison-objects.js";
import {
  type ComparisonSettings,
  type ComparisonsOptions,
  comparisonsOptions,
} from "./comparison-options.js";
import {
  type ComparisonColumns,
  checkStated,
  columnsExpected,
  columnsOf,
  isNamedBy,
} from "./comparison-roles.js";
import type { ComparisonTable } from "./comparison-table.js";
import { type DistancesOptions, readDistances } from "./distances.js";
import { IntegerStore } from "./integer-store.js";
import { conditionOf, type LineFilter, lineFilter, splitChoice, testMarks } from "./line-filter.js";
import { listIn } from "./listed-objects.js";
import { comparisonsOfMatrix } from "./matrix-comparisons.js";
import { checkAlike } from "./name-variants.js";
import { NumberColumn, numberIn } from "./number-column.js";
import { countRepetitions } from "./repeated-comparisons.js";
import { besideStudyHeader } from "./study-header.js";
import { badCell, namesMissing, namesNonFinite, noData, ragged } from "./table.js";
import { doubtFirstLine, type FirstLine, repeatedHeader } from "./unknown-header.js";
import { UnusedColumns } from "./unused-columns.js";

/**
 * Comparisons from delimited text in UTF-8, plain or gzip, or from another table that `readTable` takes, as JSON.
 *
 * @example
 * const { comparisons, trial } = await readComparisons("Center,Left,Right,Answer\nfig,pear,nail,pear\npear,nail,fig,fig\n");
 * // fig is nearer to pear than to nail, and pear to fig than to nail: 0,1,0,2, 1,0,1,2
 *
 * @throws CurvatureError ERR_PARSE (with the line) for text that is not such a table, for an object that is not among
 *   the known ones, for an answer that names neither candidate, for columns whose roles are in doubt (with what to write) and for
 *   a comparison with itself; ERR_NON_FINITE for empty cells, NaN and infinities; ERR_OPTION, ERR_MEMORY
 */
export async function readComparisons(
  source: ByteSource,
  options?: ComparisonsOptions,
): Promise<ComparisonTable> {
  const settings = comparisonsOptions.resolve("readComparisons", options);
  if (typeof settings.known === "object") checkOnce(settings.known);
  if (settings.kind === "distances" || settings.kind === "similarities") {
    checkOfMatrix(settings.kind, settings);
    return comparisonsOfMatrix(await readDistances(source, matrixOptions(settings)), settings.kind);
  }
  const builder = new ComparisonBuilder(settings);
  const { notes } = await answerRecords("readComparisons", source, settings, (cells, line) => {
    builder.take(cells, line);
    return undefined;
  });
  return builder.finish(notes);
}

/** What a matrix has no columns for. @throws CurvatureError ERR_OPTION */
function checkOfMatrix(kind: string, settings: ComparisonSettings): void {
  const { roles, columns, where, ignore, fastest, leastAnswers } = settings;
  const { trial, participant, time, split, catch: caught, choose, mostInconsistent } = settings;
  const given = {
    ...{
      roles: roles && Object.keys(roles).length > 0 ? roles : undefined,
      columns,
      choose,
      mostInconsistent,
    },
    ...{ trial, participant, time, split, catch: caught },
    where: where.length > 0 ? where : undefined,
    ignore: ignore.length > 0 ? ignore : undefined,
    fastest: fastest > 0 ? fastest : undefined,
    leastAnswers: leastAnswers > 1 ? leastAnswers : undefined,
  };
  for (const [name, value] of Object.entries(given))
    if (value !== undefined)
      throw new CurvatureError(
        "ERR_OPTION",
        `${optionName(name)} says something of lines that are answers, and a matrix of ${kind} has none. Leave it out.`,
        { where: "readComparisons", path: name, received: value },
      );
}

const kindOf = ({ kind }: ComparisonSettings): AnswerKind | "auto" =>
  kind === "distances" || kind === "similarities" ? "auto" : kind;

function matrixOptions({
  kind,
  asymmetry,
  triangle,
  missing,
  delimiter,
  maxRecordBytes,
  maxBytes,
}: ComparisonSettings): DistancesOptions {
  const values = kind === "similarities" ? "similarities" : "distances";
  return { values, asymmetry, triangle, missing, delimiter, maxRecordBytes, maxBytes, ranks: true };
}

function checkOnce(known: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of known) {
    if (seen.has(name))
      throw badOption("readComparisons", "known", "names of which each is there once", name);
    seen.add(name);
  }
}

/** The different words of a column, and of each line the place of its own. */
class WordColumn {
  readonly words: string[] = [];
  readonly places = new IntegerStore();
  private readonly placeOf = new Map<string, number>();

  append(word: string): void {
    this.places.append(this.place(word));
  }

  place(word: string): number {
    const known = this.placeOf.get(word);
    if (known !== undefined) return known;
    this.placeOf.set(word, this.words.length);
    return this.words.push(word) - 1;
  }
}

/** Whether cells behind a trial's last object may be empty. */
const mayBeShorter = ({ kind }: ComparisonColumns): boolean =>
  kind === "odd-one-out" || kind === "rank" || kind === "choices";

/** The column whose cells list the objects of a trial, where it is the only one of them. */
const listColumn = (columns: ComparisonColumns): number | undefined =>
  mayBeShorter(columns) && columns.objects.length === (columns.kind === "odd-one-out" ? 1 : 2)
    ? columns.objects[columns.objects.length - 1]
    : undefined;

/** Takes lines, of one file or of several, and makes a table of them. */
export class ComparisonBuilder {
  private columns: ComparisonColumns | undefined;
  private filter: LineFilter | undefined;
  /** Columns that select the lines. */
  private readonly filtering = new Set<number>();
  private unused: UnusedColumns | undefined;
  private width = 0;
  private header: FirstLine | undefined;
  /** The first line, if it may be a header whose names are not known. */
  private suspect: FirstLine | undefined;
  private readonly words: Word[] = [];
  private readonly wordOf = new Map<string, number>();
  private readonly entries = new IntegerStore();
  /** How many objects each line has, where a cell lists them. */
  private readonly lengths = new IntegerStore();
  private readonly lines = new IntegerStore();
  private readonly weights = new NumberColumn();
  private readonly ratings = new NumberColumn();
  private readonly times = new NumberColumn();
  private readonly choose = new IntegerStore();
  private readonly answers = new WordColumn();
  private readonly trials = new WordColumn();
  private readonly people = new WordColumn();
  private readonly splits = new WordColumn();
  private readonly catches = new WordColumn();
  /** Of lines with empty cells that were dropped, whose they are. */
  private readonly gaps: string[] = [];

  /** The file whose lines come, where there are several. */
  private file: string | undefined;
  private files = 0;
  /** Of each person the files that have their answers. */
  private readonly filesOf = new Map<string, Set<string>>();

  constructor(private settings: ComparisonSettings) {}

  get hasHeader(): boolean {
    return this.header !== undefined;
  }

  /** Whether something is taken from the column. */
  uses(column: number): boolean {
    const { columns } = this;
    if (columns === undefined) return false;
    const { objects, answers, side, weight, rating, choose } = columns;
    return (
      [...objects, ...answers, ...Object.values(side), weight, rating?.column, choose].includes(column) ||
      this.filtering.has(column)
    );
  }

  /** The lines that come now are of this file. */
  begin(file: string): void {
    this.file = file;
    this.files++;
  }

  take(cells: readonly string[], line: number): void {
    if (this.columns === undefined) {
      this.width = cells.length;
      this.settings = besideStudyHeader(cells, this.settings);
      this.columns = this.columnsOf(cells, line);
      this.filter = this.filterOf(this.columns);
      this.unused = new UnusedColumns(this.columns);
      if (line === this.header?.line) return;
    }
    if (cells.length !== this.width) throw ragged(line, this.width, cells.length);
    if (this.header?.cells.every((cell, column) => cell === cells[column]))
      throw repeatedHeader(line, this.header);
    if (this.filter !== undefined && !this.filter.takes(cells)) return;
    this.unused?.take(cells);
    this.takeTrial(cells, line, this.columns);
  }

  private takeTrial(cells: readonly string[], line: number, columns: ComparisonColumns): void {
    const { answers, side, weight, rating, choose } = columns;
    if (this.settings.missing === "drop" && this.hasGap(cells, columns)) {
      this.gaps.push(side.participant === undefined ? (this.file ?? "") : cells[side.participant]);
      return;
    }
    this.takeObjects(cells, line, columns);
    for (const column of answers) this.answers.append(filled(cells, line, column));
    this.lines.append(line);
    if (weight !== undefined) this.weights.append(...weightOf(cells[weight], line, weight));
    if (rating !== undefined) this.ratings.append(...numberOf(cells, line, rating.column));
    if (choose !== undefined) this.choose.append(wholeOf(cells, line, choose));
    if (side.time !== undefined) this.times.append(...numberOf(cells, line, side.time));
    const person = side.participant === undefined ? this.file : filled(cells, line, side.participant);
    if (person !== undefined) this.people.append(person);
    if (person !== undefined && this.file !== undefined) this.seenIn(person, this.file);
    if (side.trial !== undefined)
      this.trials.append(
        (person === undefined ? "" : `${this.files} ${this.people.place(person)} `) +
          filled(cells, line, side.trial),
      );
    if (side.split !== undefined) this.splits.append(filled(cells, line, side.split));
    if (side.catch !== undefined) this.catches.append(cells[side.catch]);
  }

  private takeObjects(cells: readonly string[], line: number, columns: ComparisonColumns): void {
    const { objects } = columns;
    const list = listColumn(columns);
    if (list === undefined) {
      let last = objects.length - 1;
      if (mayBeShorter(columns)) while (last > 1 && isPadding(cells[objects[last]])) last--;
      for (const [place, column] of objects.entries())
        this.entries.append(place > last ? -1 : this.word(cells[column], line, column));
      return;
    }
    if (objects.length > 1) this.entries.append(this.word(cells[objects[0]], line, objects[0]));
    const parts = listIn(cells[list], `at line ${line}, column ${list + 1}`) ?? [cells[list]];
    for (const part of parts) this.entries.append(this.word(part, line, list));
    this.lengths.append(objects.length - 1 + parts.length);
  }

  /** The objects of all lines, as many for each as the longest has, and their columns. */
  private evenly(columns: ComparisonColumns): {
    readonly columns: ComparisonColumns;
    readonly objects: Int32Array;
  } {
    const list = listColumn(columns);
    const objects = this.entries.finish();
    if (list === undefined) return { columns, objects };
    const lengths = this.lengths.finish();
    const width = lengths.reduce((most, length) => Math.max(most, length), 0);
    const even = new Int32Array(width * lengths.length).fill(-1);
    let at = 0;
    for (const [row, length] of lengths.entries()) {
      even.set(objects.subarray(at, at + length), width * row);
      at += length;
    }
    const before = columns.objects.slice(0, -1);
    const own = Array.from({ length: width - before.length }, () => list);
    return { columns: { ...columns, objects: [...before, ...own] }, objects: even };
  }

  private seenIn(person: string, file: string): void {
    const files = this.filesOf.get(person);
    if (files === undefined) this.filesOf.set(person, new Set([file]));
    else files.add(file);
  }

  private hasGap(cells: readonly string[], columns: ComparisonColumns): boolean {
    const { objects, answers, side, weight, rating, choose } = columns;
    const areNames = this.settings.objects === "names" || typeof this.settings.known === "object";
    const needed = mayBeShorter(columns) ? objects.slice(0, 3) : objects;
    const isGap = (cell: string): boolean =>
      cell.trim() === "" || (!areNames && (namesMissing(cell) || namesNonFinite(cell)));
    const others = [weight, rating?.column, choose, side.time, side.participant, side.trial, side.split];
    return (
      needed.some((column) => isGap(cells[column])) ||
      [...answers, ...others].some(
        (column) => column !== undefined && (cells[column].trim() === "" || namesMissing(cells[column])),
      )
    );
  }

  private columnsOf(cells: readonly string[], line: number): ComparisonColumns {
    const { header, known, roles = {}, where, ignore, choose, columns } = this.settings;
    const kind = kindOf(this.settings);
    const { trial, participant, time } = this.settings;
    const side = {
      trial,
      participant,
      time,
      split: splitChoice(this.settings.split)?.column,
      catch: this.settings.catch,
    };
    const filters = where.flatMap((text) => conditionOf(text)?.column ?? []);
    const asked = { kind, columns, roles, side, ignore, choose, where: filters };
    const hasRoles = Object.keys(roles).length > 0;
    const isHeader = header === true || line === 0 || (header === "auto" && isNamedBy(cells, asked));
    const wanted = { ...asked, isHeader };
    const names = [...cells];
    const isRead = header !== false && (isHeader || !hasRoles);
    const named = isRead ? columnsOf(names, names, line, wanted) : undefined;
    if (named !== undefined || isHeader) this.header = { line, cells: names };
    if (named !== undefined) return named;
    if (isHeader) checkStated(names, line);
    const mayName = !isHeader && !cells.some(isNumeric) && new Set(cells).size === cells.length;
    if (header === "auto" && known === undefined && mayName) this.suspect = { line, cells: names };
    const positional = columnsOf(undefined, names, line, wanted);
    if (positional === undefined) throw noComparisons("The columns are not known.");
    return positional;
  }

  private filterOf({ names }: ComparisonColumns): LineFilter | undefined {
    const wanted = this.settings.where.flatMap((text) => conditionOf(text) ?? []);
    if (wanted.length === 0) return undefined;
    return lineFilter(wanted, (name) => {
      const index = names?.findIndex((each) => each.trim() === name.trim()) ?? -1;
      const column = index >= 0 ? index : Number(name);
      this.filtering.add(column);
      return column;
    });
  }

  private word(content: string, line: number, column: number): number {
    const known = this.wordOf.get(content);
    if (known !== undefined) return known;
    if (content.trim() === "") throw emptyCell(line, column);
    this.wordOf.set(content, this.words.length);
    return this.words.push({ text: content, line, column }) - 1;
  }

  finish(before: readonly string[]): ComparisonTable {
    const { settings } = this;
    if (this.columns === undefined) throw noComparisons("The input is empty.");
    this.filter?.check();
    if (this.lines.length === 0)
      throw noComparisons(
        this.gaps.length > 0
          ? "Every line has an empty cell."
          : "The input has a header and no lines of data.",
      );
    const { columns, objects: entries } = this.evenly(this.columns);
    const { objects, names, indexOf, warnings } = objectsOf(this.words, settings);
    if (settings.objects === "auto" && settings.known === undefined && names !== undefined)
      checkAlike(this.words);
    const notes = [...before];
    if (this.file !== undefined && columns.side.participant === undefined) {
      const named = this.unused?.person;
      if (named !== undefined) throw whosePeople(named);
      notes.push(
        `No column is said to name people: each of the ${this.people.words.length} files counts as one person's answers.`,
      );
    }
    const excluded: Excluded[] = perPerson(
      "missing",
      this.gaps.keys(),
      this.placesOfGaps(),
      this.people.words,
    );
    const table = this.filtered(columns, entries, excluded, notes);
    const doubts =
      this.suspect === undefined
        ? []
        : doubtFirstLine(this.suspect, this.words, table.objects, columns.objects.length);
    const isStated = Object.keys(settings.roles ?? {}).length > 0;
    if (
      columns.kind === "quadruplets" &&
      columns.names === undefined &&
      settings.kind === "auto" &&
      !isStated
    )
      checkFourth(table.objects, this.words);
    const strays =
      !isStated && settings.columns === undefined && (mayBeShorter(columns) || columns.names === undefined)
        ? doubtStrayColumns(table.objects, columns.objects, columns.names)
        : [];
    const all = expanded({ ...table, columns, words: this.words, answerWords: this.answers.words }, settings);
    notes.push(...all.notes);
    const { quadruplets } = all;
    for (let at = 0; at < quadruplets.length; at++) quadruplets[at] = indexOf[quadruplets[at]];
    const keep = this.sound(quadruplets, all.rows, table, names);
    excluded.push(
      ...perPerson("degenerate", [...all.dropped, ...keep.dropped], table.participant, this.people.words),
    );
    let kept = keep.comparisons;
    const people = table.participant;
    if (settings.mostInconsistent !== undefined) {
      if (people === undefined) throw needsPeople("mostInconsistent");
      const some = chosen(quadruplets, 4, kept);
      const who = spread(people, chosen(all.rows, 1, kept));
      const gone = dropInconsistent(some, who, this.people.words.length, settings.mostInconsistent);
      const before = new Set<number>();
      for (const q of kept) if (gone[people[all.rows[q]]]) before.add(all.rows[q]);
      excluded.push(...perPerson("inconsistent", before, people, this.people.words));
      kept = kept.filter((q) => !gone[people[all.rows[q]]]);
      if (kept.length === 0) throw noComparisons("Everybody was dropped.");
    }
    const result = chosen(quadruplets, 4, kept);
    const rows = chosen(all.rows, 1, kept);
    const weights =
      all.weights === undefined ? undefined : Float64Array.from(kept, (q) => all.weights?.[q] ?? 1);
    if (weights?.every((weight) => weight === 0)) {
      throw new CurvatureError("ERR_PARSE", "All weights are 0. Give at least one that is above 0.", {
        path: "weight",
      });
    }
    const hasSeveral = columns.kind !== "triplets" && columns.kind !== "quadruplets";
    const isOwn = hasSeveral || (all.ties > 0 && settings.ties === "half");
    const trial =
      table.trial !== undefined
        ? spread(table.trial, rows)
        : all.trial !== undefined
          ? chosen(all.trial, 1, kept)
          : isOwn
            ? rows
            : undefined;
    return {
      comparisons: { objects, quadruplets: result, weights },
      kind: columns.kind,
      trial: trial && counted(trial),
      participant: people && spread(people, rows),
      participants: people && this.people.words,
      held: this.held(table.split, rows),
      names,
      lines: spread(table.lines, rows),
      ...countRepetitions(result),
      ties: all.ties,
      dropped: all.dropped.length + keep.dropped.length,
      excluded,
      ignored: columns.ignored,
      notes: [
        ...notes,
        ...excludedNotes(excluded.filter(({ why }) => why !== "degenerate" || people !== undefined)),
      ],
      warnings: [
        ...doubts,
        ...strays,
        ...warnings,
        ...turnedDoubts(columns),
        ...(this.unused?.doubts() ?? []),
        ...this.inSeveralFiles(),
      ],
    };
  }

  /** People of one name in several files may be two, or have answered twice. */
  private inSeveralFiles(): readonly string[] {
    if (this.columns?.side.participant === undefined) return [];
    const several = [...this.filesOf].filter(([, files]) => files.size > 1);
    if (several.length === 0) return [];
    const files = [...new Set(several.flatMap(([, each]) => [...each]))];
    const few = (all: readonly string[]): string =>
      `${all.slice(0, 5).join(", ")}${all.length > 5 ? ", ..." : ""}`;
    const one = several.length === 1;
    return [
      `Answers of ${one ? "" : `${several.length} people, `}${few(several.map(([person]) => shown(person)))}${one ? "" : ","} are in ${files.length} files (${few(files)}), and count as one person's${one ? "" : " each"}. If people of different files share a name, give them names of their own; if a file is there twice, leave one out.`,
    ];
  }

  private placesOfGaps(): Int32Array | undefined {
    if (this.settings.participant === undefined && this.file === undefined) return undefined;
    return Int32Array.from(this.gaps, (who) => (who.trim() === "" ? -1 : this.people.place(who)));
  }

  /** The rows that the filters leave. */
  private filtered(
    columns: ComparisonColumns,
    objects: Int32Array,
    excluded: Excluded[],
    notes: string[],
  ): Rows {
    const { side } = columns;
    const { settings } = this;
    let rows: Rows = {
      objects,
      answers: this.answers.places.finish(),
      lines: this.lines.finish(),
      weights: columns.weight === undefined ? undefined : this.weights.finish(),
      choose: columns.choose === undefined ? undefined : this.choose.finish(),
      ratings: columns.rating === undefined ? undefined : this.ratings.finish(),
      times: side.time === undefined ? undefined : this.times.finish(),
      trial: side.trial === undefined ? undefined : this.trials.places.finish(),
      participant: this.people.places.length === 0 ? undefined : this.people.places.finish(),
      split: side.split === undefined ? undefined : this.splits.places.finish(),
    };
    const people = this.people.words;
    const without = (why: Excluded["why"], gone: readonly number[]): void => {
      if (gone.length === 0) return;
      excluded.push(...perPerson(why, gone, rows.participant, people));
      const set = new Set(gone);
      rows = rowsWhere(rows, columns, (row) => !set.has(row));
    };
    if (side.catch !== undefined) {
      const { words, places } = this.catches;
      const { keep, ...report } = catchReport({
        cells: Array.from(places.finish(), (place) => words[place]),
        answers:
          columns.answers.length === 1 ? Array.from(rows.answers, (place) => this.answers.words[place]) : [],
        ...{ participant: rows.participant, people, most: settings.catchErrors },
      });
      excluded.push(...report.excluded);
      notes.push(...report.notes);
      rows = rowsWhere(rows, columns, (row) => keep[row]);
    }
    if (settings.fastest > 0) {
      if (rows.times === undefined)
        throw badOption(
          "readComparisons",
          "fastest",
          `0 where ${optionName("time")} names no column`,
          settings.fastest,
        );
      without("fastest", fastestRows(rows.times, settings.fastest));
    }
    if (settings.leastAnswers > 1) {
      if (rows.participant === undefined) throw needsPeople("leastAnswers");
      without("few", fewRows(rows.participant, people.length, settings.leastAnswers));
    }
    if (rows.lines.length === 0) throw noComparisons("The filters leave no line.");
    return rows;
  }

  private held(split: Int32Array | undefined, rows: Int32Array): Uint8Array | undefined {
    const choice = splitChoice(this.settings.split);
    if (split === undefined || choice === undefined) return undefined;
    const used = [...new Set(split)];
    const marks = testMarks(
      choice.column,
      choice.value,
      used.map((place) => this.splits.words[place]),
    );
    const isTest = new Map(used.map((place, k) => [place, marks[k]]));
    return Uint8Array.from(rows, (row) => Number(isTest.get(split[row])));
  }

  /** The comparisons that do not compare what is the same, and the rows of the others. */
  private sound(
    quadruplets: Int32Array,
    rows: Int32Array,
    { lines }: Rows,
    names: readonly string[] | undefined,
  ): { readonly comparisons: Int32Array; readonly dropped: readonly number[] } {
    const comparisons = new IntegerStore();
    const dropped = new Set<number>();
    for (let q = 0; q < rows.length; q++) {
      if (!isDegenerate(quadruplets, q)) comparisons.append(q);
      else if (this.settings.degenerate === "error")
        throw degenerate(quadruplets.subarray(4 * q, 4 * q + 4), lines[rows[q]], names);
      else dropped.add(rows[q]);
    }
    if (comparisons.length === 0)
      throw noComparisons(
        rows.length > 0
          ? "All lines compare an object, or a pair, with itself."
          : "No line says which is nearer.",
      );
    return { comparisons: comparisons.finish(), dropped: [...dropped] };
  }
}

/** Lines from which on a column of two values is one of answers rather than of objects. */
const SEVERAL = 10;

/** A table without names whose fourth column is the answer to the three before: it repeats two of them, or is a code. */
function checkFourth(objects: Int32Array, words: readonly Word[]): void {
  const values = (column: number): ReadonlySet<number> => {
    const found = new Set<number>();
    for (let at = column; at < objects.length; at += 4) found.add(objects[at]);
    return found;
  };
  const found = values(3);
  const isMany = objects.length >= 4 * SEVERAL && [0, 1, 2].some((column) => values(column).size > 2);
  const isCode = found.size > 1 && areCoded([...found].map((word) => words[word].text));
  if ((isMany && found.size <= 2) || isCode) {
    const each = [...found].map((word) => shown(words[word].text)).join(" and ");
    throw fourth(`has ${found.size === 1 ? "one value" : "two values"} on all lines (${each})`);
  }
  for (let at = 0; at < objects.length; at += 4)
    if (objects[at + 3] !== objects[at + 1] && objects[at + 3] !== objects[at + 2]) return;
  throw fourth("repeats the second or the third on every line");
}

const fourth = (what: string): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `The fourth column ${what}. If it says which of the second and the third is nearer to the first, write ${optionName("roles", "anchor=0,near=1,far=2,answer=3")}; if i, j are nearer to each other than l, k, ${optionName("kind", "quadruplets")}.`,
    { path: "column 4", expected: columnsExpected },
  );

/** Files are one person's each only where none of their columns names people. */
const whosePeople = (name: string): CurvatureError =>
  new CurvatureError(
    "ERR_OPTION",
    `The files have a column ${shown(name)}, which is named like people. If it names them, write ${optionName("participant", name)}; if each file is one person's, ${optionName("ignore", name)}.`,
    { path: "participant", expected: "a column", received: name },
  );

/** A column that says which is farther by its name, and which is nearer by its role. */
function turnedDoubts({ kind, answers, areFarther, names }: ComparisonColumns): readonly string[] {
  const name = answers.length === 1 ? names?.[answers[0]] : undefined;
  if (name === undefined || areFarther || kind === "odd-one-out" || !namesFarther(name)) return [];
  return [
    `${shown(name)} is taken to say which is nearer, and is named as if it said which is farther. If it does, give it the role farther instead.`,
  ];
}

const needsPeople = (name: string): CurvatureError =>
  new CurvatureError(
    "ERR_OPTION",
    `${optionName(name)} judges people, and no column names them: ${optionName("participant")}.`,
    {
      path: name,
    },
  );

/** What fills up a trial that has fewer objects than the longest. */
const isPadding = (cell: string): boolean => cell.trim() === "" || cell.trim() === "-1";

const emptyCell = (line: number, column: number): CurvatureError => {
  const { code, message, path, expected, received } = badCell(
    `line ${line}, column ${column + 1}`,
    "",
    Number.NaN,
  );
  return new CurvatureError(
    code,
    `${message.replace(/Fill or remove such cells\.$/, "")}Fill such cells, or have their lines left out: ${optionName("missing", "drop")}.`,
    {
      ...{ path, expected, received },
    },
  );
};

function filled(cells: readonly string[], line: number, column: number): string {
  if (cells[column].trim() === "") throw emptyCell(line, column);
  return cells[column];
}

/** A word that is a number, and its place. */
function numberOf(cells: readonly string[], line: number, column: number): [word: string, place: string] {
  const content = filled(cells, line, column);
  const place = `line ${line}, column ${column + 1}`;
  if (Number.isNaN(numberIn(content))) throw badCell(place, content, Number.NaN);
  return [content, place];
}

/** How many of a trial's objects were chosen. */
function wholeOf(cells: readonly string[], line: number, column: number): number {
  const count = Number(numberOf(cells, line, column)[0]);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  const where = `line ${line}, column ${column + 1}`;
  throw new CurvatureError(
    "ERR_PARSE",
    `The number of chosen objects at ${where} is ${cells[column]}. It must be a whole number of at least 1.`,
    { path: where, expected: "a whole number of at least 1", received: count },
  );
}

function weightOf(content: string, line: number, column: number): [word: string, place: string] {
  const weight = numberIn(content);
  const where = `line ${line}, column ${column + 1}`;
  if (weight >= 0 && weight < Number.POSITIVE_INFINITY) return [content, where];
  if (!(weight < 0)) throw badCell(where, content, weight);
  throw new CurvatureError(
    "ERR_PARSE",
    `The weight at ${where} is ${content}. It must be a number of at least 0.`,
    { path: where, expected: "a number of at least 0", received: weight },
  );
}

function isDegenerate(quadruplets: Int32Array, q: number): boolean {
  const i = quadruplets[4 * q];
  const j = quadruplets[4 * q + 1];
  const l = quadruplets[4 * q + 2];
  const k = quadruplets[4 * q + 3];
  return i === j || l === k || (i === l && j === k) || (i === k && j === l);
}

function degenerate(
  [i, j, l, k]: Int32Array,
  line: number,
  names: readonly string[] | undefined,
): CurvatureError {
  const name = (object: number): string => (names === undefined ? String(object) : shown(names[object]));
  const what =
    i === j || l === k
      ? `compares the distance of ${name(i === j ? i : l)} to itself`
      : `compares the pair ${name(i)}, ${name(j)} with itself`;
  return new CurvatureError(
    "ERR_PARSE",
    `Line ${line} ${what}. Remove such lines, or have them left out: ${optionName("degenerate", "drop")}.`,
    { path: `line ${line}`, received: [i, j, l, k].join(", ") },
  );
}

function noComparisons(sentence: string): CurvatureError {
  return noData(sentence, "Give at least one comparison.");
}
