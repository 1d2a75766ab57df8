/**
 * Trials as comparisons. A trial of several objects says more than one comparison, and all of them keep the trial's line:
 *
 *   triplet         i is nearer to j than to k                              (i, j | i, k)
 *   quadruplet      i, j are nearer than l, k                               (i, j | l, k)
 *   odd one out     any two of the others are nearer than either and o      (p, q | p, o), (q, p | q, o)
 *   rank            of the anchor a, each ranked one before all behind it   (a, x | a, y)
 *   choices         of the anchor a, each chosen one before each other      (a, x | a, y)
 *   tie             half an answer each way
 */
import { CurvatureError, optionName, shown } from "@curvature/linalg";
import { decodedAnswers, FIRST, SECOND, TIE } from "./answer-codes.js";
import { placesOf } from "./answer-places.js";
import type { ComparisonColumns } from "./comparison-roles.js";
import { IntegerStore } from "./integer-store.js";
import { listIn } from "./listed-objects.js";
import { NumberStore } from "./table.js";

/** The lines of a table of answers, their objects as places of words. */
export interface TrialRows {
  readonly columns: ComparisonColumns;
  readonly words: readonly { readonly text: string }[];
  /** The objects of each line; −1 where there is none. */
  readonly objects: Int32Array;
  /** The words of the answers' columns, and of each line their places. */
  readonly answerWords: readonly string[];
  readonly answers: Int32Array;
  readonly lines: Int32Array;
  readonly weights: Float64Array | undefined;
  /** How many were chosen or ranked on each line. */
  readonly choose: Int32Array | undefined;
  /** The value of each rating. */
  readonly ratings: Float64Array | undefined;
  /** Whose rating it is. */
  readonly participant: Int32Array | undefined;
}

interface ExpansionSettings {
  readonly choose: number | undefined;
  readonly first: string | undefined;
  readonly response: "auto" | "object" | "side";
  readonly tie: string | undefined;
  readonly ties: "half" | "drop" | "error";
  readonly degenerate: "error" | "drop";
}

export interface Expanded {
  /** Places of words, four for each comparison. */
  readonly quadruplets: Int32Array;
  /** The row of each comparison. */
  readonly rows: Int32Array;
  readonly weights: Float64Array | undefined;
  /** Answers that said "equally near". */
  readonly ties: number;
  /** Of ratings the trial of each comparison: all that share a person and an anchor. */
  readonly trial: Int32Array | undefined;
  /** Rows that name an object twice, where a trial has several objects. */
  readonly dropped: readonly number[];
  readonly notes: readonly string[];
}

/** @throws CurvatureError ERR_PARSE with the line */
export function expanded(rows: TrialRows, settings: ExpansionSettings): Expanded {
  return rows.columns.kind === "ratings" ? fromRatings(rows) : new Expansion(rows, settings).run();
}

const nothing = -1;
const listsSay = ", or, where one cell lists them, name its column alone as option or object";

/** A whole number as its digits. */
const numberIn = (word: string): string | undefined =>
  /^\s*\+?\d{1,15}(\.0*)?\s*$/.test(word) ? String(Number(word)) : undefined;

function namesOf(words: readonly { readonly text: string }[]): Map<string, number> {
  const places = new Map(words.map(({ text }, place) => [text, place]));
  for (const [place, { text }] of words.entries()) {
    const digits = numberIn(text);
    if (digits !== undefined && !places.has(digits)) places.set(digits, place);
  }
  return places;
}

class Expansion {
  private readonly quadruplets = new IntegerStore();
  private readonly rowOf = new IntegerStore();
  private readonly weights = new NumberStore();
  private readonly dropped: number[] = [];
  private readonly notes: string[] = [];
  private readonly width: number;
  private ties = 0;

  constructor(
    private readonly rows: TrialRows,
    private readonly settings: ExpansionSettings,
  ) {
    this.width = rows.columns.objects.length;
  }

  run(): Expanded {
    const { kind } = this.rows.columns;
    if (kind === "triplets" || kind === "quadruplets") this.pairs(kind === "triplets" ? 3 : 4);
    else if (kind === "odd-one-out") this.odd();
    else this.chosen(kind === "rank");
    const isWeighed = this.rows.weights !== undefined || this.ties > 0;
    return {
      quadruplets: this.quadruplets.finish(),
      rows: this.rowOf.finish(),
      weights: isWeighed ? this.weights.finish() : undefined,
      ties: this.ties,
      trial: undefined,
      dropped: this.dropped,
      notes: this.notes,
    };
  }

  /** p, q are nearer to each other than r, s. */
  private add(row: number, [p, q, r, s]: readonly number[], share = 1): void {
    for (const object of [p, q, r, s]) this.quadruplets.append(object);
    this.rowOf.append(row);
    this.weights.append((this.rows.weights?.[row] ?? 1) * share);
  }

  private pairs(width: 3 | 4): void {
    const { objects, answers, lines, columns } = this.rows;
    const decoded = columns.answers.length === 0 ? undefined : this.decoded(width);
    for (let q = 0; q < lines.length; q++) {
      const i = objects[width * q];
      const j = objects[width * q + 1];
      const l = width === 3 ? i : objects[width * q + 2];
      const k = objects[width * q + width - 1];
      const side = decoded?.[q] ?? FIRST;
      if (side === TIE) {
        this.ties++;
        if (this.settings.ties === "error") throw this.tied(q, this.rows.answerWords[answers[q]]);
        if (this.settings.ties === "drop") continue;
        this.add(q, [i, j, l, k], 0.5);
        this.add(q, [l, k, i, j], 0.5);
      } else this.add(q, (side === SECOND) === columns.areFarther ? [i, j, l, k] : [l, k, i, j]);
    }
  }

  private decoded(width: 3 | 4): Uint8Array {
    const { columns, objects, answers, answerWords, lines } = this.rows;
    const nameOf = (column: number): string => columns.names?.[column] ?? `column ${column}`;
    const objectOf = this.objectsOfAnswers();
    const { sides, note } = decodedAnswers({
      name: nameOf(columns.answers[0]),
      words: answerWords,
      ...{ answers, lines },
      candidates: width === 3 ? [nameOf(columns.objects[1]), nameOf(columns.objects[2])] : undefined,
      named:
        width === 4
          ? undefined
          : (q) => {
              const object = objectOf[answers[q]];
              return object === nothing
                ? -1
                : objects[3 * q + 1] === object
                  ? 0
                  : objects[3 * q + 2] === object
                    ? 1
                    : -1;
            },
      ...{ areSorted: columns.areSorted && !columns.areFarther, areButtons: columns.areButtons },
      meant: columns.areFarther ? "farther" : "nearer",
      ...{ first: this.settings.first, tie: this.settings.tie, response: this.settings.response },
    });
    this.notes.push(note);
    return sides;
  }

  /** Of each word of an answer the object that it names, or −1. */
  private objectsOfAnswers(): Int32Array {
    return Int32Array.from(this.rows.answerWords, (word) => this.objectNamed(word));
  }

  private odd(): void {
    const { columns, lines } = this.rows;
    const placed = columns.answers.length === 0 ? undefined : this.placed(columns.objects, "object");
    for (let q = 0; q < lines.length; q++) {
      const trial = this.objectsOf(q);
      const place = placed === undefined ? trial.length - 1 : placed(q)[0];
      if (trial.length < 3) throw this.bad(q, "has fewer than three objects", `Correct it${listsSay}`);
      const odd = trial[place];
      if (!this.areDistinct(q, trial)) continue;
      const others = trial.filter((object) => object !== odd);
      for (const [a, p] of others.entries())
        for (const r of others.slice(a + 1)) {
          this.add(q, [p, r, p, odd]);
          this.add(q, [r, p, r, odd]);
        }
    }
  }

  /** Of each line the places among these columns' objects that its answers name. */
  private placed(among: readonly number[], what: "object" | "option"): (line: number) => readonly number[] {
    const { columns, lines, answers, answerWords } = this.rows;
    const several = columns.answers.length;
    const skipped = columns.objects.length - among.length;
    const listed = several === 1 && what === "option" ? this.lists() : undefined;
    const wordsOf = (q: number): readonly string[] =>
      listed?.[answers[q]] ??
      Array.from(answers.subarray(several * q, several * (q + 1)), (word) => answerWords[word]);
    const nameOf = (column: number): string => columns.names?.[column] ?? `column ${column}`;
    const name = nameOf(columns.answers[0]);
    const { place, are } = placesOf({
      name,
      lines: lines.length,
      wordsOf,
      objectsOf: (q) => this.objectsOf(q).slice(skipped),
      objectNamed: (word) => this.objectNamed(word),
      titles: among.map(nameOf),
      areButtons: columns.areButtons,
      response: this.settings.response,
      first: this.settings.first,
    });
    this.notes.push(`${shown(name)} holds ${are}${columns.areFarther ? ", of what is farther" : ""}.`);
    return (q) =>
      wordsOf(q).map((word) => {
        const at = place(q, word);
        if (at >= 0 && at < this.objectsOf(q).length - skipped) return at;
        throw this.bad(
          q,
          `has ${shown(word)} as ${what === "object" ? "the odd one" : "chosen"}, which is none of its ${what}s`,
          `Give the ${what}'s name, its column's name, or its place from 1`,
        );
      });
  }

  private chosen(isRanked: boolean): void {
    const { columns, lines, choose } = this.rows;
    const placed = columns.answers.length === 0 ? undefined : this.placed(columns.objects.slice(1), "option");
    for (let q = 0; q < lines.length; q++) {
      const [anchor, ...options] = this.objectsOf(q);
      if (options.length < 2)
        throw this.bad(q, "has fewer than two objects to choose from", `Give two and more${listsSay}`);
      if (!this.areDistinct(q, [anchor, ...options])) continue;
      const stated = choose?.[q] ?? this.settings.choose;
      if (placed === undefined) {
        const count = stated ?? options.length - 1;
        if (count < 1 || count > options.length || (!isRanked && count === options.length))
          throw this.bad(
            q,
            `has ${options.length} options, of which ${count} cannot be chosen`,
            `Correct ${optionName("choose")}`,
          );
        for (const [place, x] of options.slice(0, count).entries())
          for (const y of options.slice(isRanked ? place + 1 : count)) this.add(q, [anchor, x, anchor, y]);
        continue;
      }
      const picked = placed(q).map((place) => options[place]);
      const wanted = stated ?? picked.length;
      if (
        picked.length !== wanted ||
        new Set(picked).size !== picked.length ||
        picked.length === 0 ||
        picked.length >= options.length
      )
        throw this.bad(
          q,
          `has ${new Set(picked).size} chosen of ${options.length}${stated === undefined ? "" : `, and ${stated} were to be chosen`}`,
          `Correct the line, leave it out by ${optionName("where")}, or correct ${optionName("choose")}`,
        );
      const rest = options.filter((x) => !picked.includes(x));
      for (const [place, x] of picked.entries())
        for (const y of isRanked ? [...picked.slice(place + 1), ...rest] : rest)
          this.add(q, columns.areFarther ? [anchor, y, anchor, x] : [anchor, x, anchor, y]);
    }
  }

  /** Cells that list several objects; of each word its parts. */
  private lists(): readonly (readonly string[])[] {
    const { columns, answerWords } = this.rows;
    const name = columns.names?.[columns.answers[0]] ?? `column ${columns.answers[0]}`;
    return answerWords.map((word) =>
      this.objectNamed(word) !== nothing ? [word] : (listIn(word, `of ${shown(name)}`) ?? [word]),
    );
  }

  private named: Map<string, number> | undefined;

  /** The object of a word, or −1; a number is the object that has it, however it is written: 34.0 is 34. */
  private objectNamed(text: string): number {
    this.named ??= namesOf(this.rows.words);
    return this.named.get(text) ?? this.named.get(numberIn(text) ?? "") ?? nothing;
  }

  private objectsOf(row: number): number[] {
    const { width } = this;
    return [...this.rows.objects.subarray(width * row, width * (row + 1))].filter(
      (object) => object !== nothing,
    );
  }

  /** @throws CurvatureError for an object that stands twice, where that is an error */
  private areDistinct(row: number, objects: readonly number[]): boolean {
    const twice = objects.find((object, at) => objects.indexOf(object) !== at);
    if (twice === undefined) return true;
    if (this.settings.degenerate === "error")
      throw this.bad(
        row,
        `names ${shown(this.rows.words[twice].text)} twice`,
        `Remove such lines, or have them left out: ${optionName("degenerate", "drop")}`,
      );
    this.dropped.push(row);
    return false;
  }

  private tied(row: number, word: string): CurvatureError {
    return this.bad(
      row,
      `answers ${shown(word)}, a tie`,
      `Leave ties out, or count them half each way: ${optionName("ties", "half")}`,
    );
  }

  private bad(row: number, what: string, remedy: string): CurvatureError {
    const line = this.rows.lines[row];
    return new CurvatureError("ERR_PARSE", `Line ${line} ${what}. ${remedy}.`, { path: `line ${line}` });
  }
}

/** Of each person the mean rating of each pair; of two pairs that share an object, the one that is rated nearer. */
function fromRatings({ columns, objects, lines, ratings, participant, words }: TrialRows): Expanded {
  const isSimilarity = columns.rating?.isSimilarity === true;
  const n = words.length;
  const of = new Map<number, Map<number, { sum: number; count: number; row: number }>>();
  const dropped: number[] = [];
  for (let q = 0; q < lines.length; q++) {
    const [i, j] = [objects[2 * q], objects[2 * q + 1]];
    if (i === j) {
      dropped.push(q);
      continue;
    }
    const who = participant?.[q] ?? 0;
    const pairs = of.get(who) ?? new Map<number, { sum: number; count: number; row: number }>();
    of.set(who, pairs);
    const key = Math.min(i, j) * n + Math.max(i, j);
    const pair = pairs.get(key) ?? { sum: 0, count: 0, row: q };
    pair.sum += ratings?.[q] ?? 0;
    pair.count++;
    pairs.set(key, pair);
  }
  const quadruplets = new IntegerStore();
  const rows = new IntegerStore();
  const trial = new IntegerStore();
  let ties = 0;
  let trials = 0;
  for (const pairs of of.values()) {
    const around: { other: number; value: number; row: number }[][] = Array.from({ length: n }, () => []);
    for (const [key, { sum, count, row }] of pairs) {
      const [i, j] = [Math.floor(key / n), key % n];
      const value = (isSimilarity ? -sum : sum) / count;
      around[i].push({ other: j, value, row });
      around[j].push({ other: i, value, row });
    }
    for (const [anchor, rated] of around.entries()) {
      let isUsed = false;
      for (const [a, x] of rated.entries())
        for (const y of rated.slice(a + 1)) {
          if (x.value === y.value) {
            ties++;
            continue;
          }
          const [near, far] = x.value < y.value ? [x, y] : [y, x];
          for (const object of [anchor, near.other, anchor, far.other]) quadruplets.append(object);
          rows.append(near.row);
          trial.append(trials);
          isUsed = true;
        }
      if (isUsed) trials++;
    }
  }
  return {
    quadruplets: quadruplets.finish(),
    rows: rows.finish(),
    weights: undefined,
    ...{ ties, dropped, trial: trial.finish() },
    notes: [
      `${columns.names?.[columns.rating?.column ?? 0] ?? "the rating"}: a high one says ${isSimilarity ? "near" : "far"}.`,
    ],
  };
}
