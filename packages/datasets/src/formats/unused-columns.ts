/**
 * Columns that nobody uses, and that look as if they should be: of two values beside two candidates, which may say which of
 * them is nearer, and named like people.
 */
import { shown } from "@curvature/linalg";
import { areCoded, plainWord as plain, ties } from "./answer-words.js";
import { namesPerson, rolesOf } from "./beside-columns.js";
import type { ComparisonColumns } from "./comparison-roles.js";

interface Watched {
  readonly column: number;
  readonly name: string;
  /** Words other than the two that come first are of no code. */
  readonly words: Set<string>;
  /** Whether every cell has been the same as one of the two candidates. */
  isCandidate: boolean;
}

export class UnusedColumns {
  private watched: Watched[];
  private readonly people: Watched[];
  private readonly candidates: readonly [number, number] | undefined;

  constructor(private readonly columns: ComparisonColumns) {
    const { kind, objects, answers, names, ignored, side } = columns;
    const of = (name: string): Watched => ({
      column: names?.indexOf(name) ?? -1,
      name,
      words: new Set(),
      isCandidate: true,
    });
    // names that say which is nearer need no answer
    const isSaid = objects.some((k) => /near|close|win|lose|far/i.test(names?.[k] ?? ""));
    const isOfTwo = kind === "triplets" || kind === "quadruplets";
    const mayAnswer = isOfTwo && answers.length === 0 && names !== undefined && !isSaid;
    this.candidates = kind === "triplets" ? [objects[1], objects[2]] : undefined;
    this.watched = mayAnswer ? ignored.filter((name) => !namesPerson(name)).map(of) : [];
    this.people = side.participant === undefined ? ignored.filter(namesPerson).map(of) : [];
  }

  take(cells: readonly string[]): void {
    for (const { words, column } of this.people) if (words.size < 2) words.add(cells[column]);
    for (const each of this.watched) {
      const cell = cells[each.column];
      const word = plain(cell);
      if (each.words.size < 3 && !ties.has(word)) each.words.add(word);
      if (this.candidates?.every((k) => cell !== cells[k]) ?? true) each.isCandidate = false;
    }
    this.watched = this.watched.filter(({ words, isCandidate }) => words.size < 3 || isCandidate);
  }

  /** The name of a column that is named like people. */
  get person(): string | undefined {
    return this.people[0]?.name;
  }

  doubts(): readonly string[] {
    const { columns } = this;
    const answers = this.watched
      .filter(({ words, isCandidate }) => words.size > 1 && (isCandidate || areCoded(words)))
      .map(({ name, column, words, isCandidate }) => {
        const what = isCandidate
          ? "the name of one of the two candidates"
          : [...words].map(shown).join(" and ");
        const roles = rolesOf({ ...columns, answers: [column] }, columns.names ?? []);
        return `${shown(name)} is not used, and holds ${what} on every line. If it says which of the two${columns.kind === "triplets" ? "" : " pairs"} is nearer, the answers are read wrongly without it: give the roles ${roles}. If not, give it as the option ignore.`;
      });
    const people = this.people
      .filter(({ words }) => words.size > 1)
      .map(
        ({ name }) =>
          `${shown(name)} is named like people, and is not used. Answers of one person are alike, and errors and regions look surer than they are without it: give it as the option participant; if it names nobody, as the option ignore.`,
      );
    return [...answers, ...people];
  }
}
