/** How a file of answers is read: what the visitor says of it, and what was found. */
import { type ComparisonsOptions, comparisonsOptions, readComparisonFiles } from "@curvature/datasets";
import { CurvatureError, type DefaultedOption, type Option, withOptionNames } from "@curvature/linalg";
import type { GroupedAnswers } from "./answers.js";
import { type AnswerReading, readingFields } from "./options.js";

export interface ReadAnswers {
  readonly names: readonly string[] | undefined;
  readonly comparisons: GroupedAnswers;
  /** What was decided, and who was left out. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** @returns why the files are not read, with the options in it marked: see `withOptionNames` */
export async function readAnswers(
  files: readonly File[],
  reading: AnswerReading,
  maxBytes: number,
): Promise<ReadAnswers | string> {
  try {
    const sources = files.map((file) => ({ name: file.name, source: file.stream() }));
    const table = await readComparisonFiles(sources, { ...optionsOf(reading), maxBytes });
    const { names, trial, participant, participants, notes, warnings, ignored } = table;
    const isGrouped = trial !== undefined || participant !== undefined;
    const comparisons = isGrouped
      ? { ...table.comparisons, groups: { trial, participant } }
      : table.comparisons;
    const said = [
      ...(files.length > 1 ? [`${files.length} files are read as one table.`] : []),
      ...(participants === undefined ? [] : [`Answers of ${counted(participants)}.`]),
      ...notes,
      ...(ignored.length === 0 ? [] : [`Columns not used: ${ignored.slice(0, 10).join(", ")}.`]),
    ];
    return { comparisons, names, notes: said.map((sentence) => withOptionNames(sentence)), warnings };
  } catch (error) {
    if (error instanceof CurvatureError) return error.sentence;
    throw error;
  }
}

const counted = ({ length }: readonly string[]): string => (length === 1 ? "one person" : `${length} people`);

/** Those that are not left to the reader. */
function optionsOf(reading: AnswerReading): ComparisonsOptions {
  const options: Record<string, unknown> = {};
  const entries: Readonly<Record<string, Option<unknown> | DefaultedOption<unknown>>> =
    comparisonsOptions.entries;
  for (const [name, word] of Object.entries(reading))
    if (word !== "" && word !== Reflect.get(readingFields, name).fallback)
      options[name] = entries[name].read(word);
  return options;
}
