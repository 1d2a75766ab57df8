/**
 * Flags of the options of a package. Value, default and validation are those of the option's table; a command adds the sentence
 * of its help, and another name where people type one that is shorter.
 */
import type { OptionEntries, OptionTable, SettingsOf } from "@curvature/linalg";
import { Option } from "commander";
import { by, fileName } from "../arguments.js";

/** What a command has in common with others, or what is no text. */
type Elsewhere =
  | "signal"
  | "onIteration"
  | "onPhase"
  | "yieldEvery"
  | "checkpoint"
  | "resume"
  | "history"
  | "weights"
  | "initialization"
  | "device";

/** The parsed flags of a table. */
export type FlagsOf<T extends { readonly entries: OptionEntries }> = Omit<SettingsOf<T>, Elsewhere>;

/** The flags of one command that stand for options of one table. */
export class TableFlags<E extends OptionEntries> {
  private readonly flags = new Map<string, Option>();

  constructor(private readonly table: OptionTable<E>) {}

  knows(name: string): name is keyof E & string {
    return Object.hasOwn(this.table.entries, name);
  }

  /**
   * @param value - its placeholder in the help: "<n>"; undefined for a flag without a value
   * @param help - one sentence; the words that the option knows are added
   * @param as - the flag, where it is not the option's name
   */
  flag(name: keyof E & string, value: string | undefined, help: string, as = longFlag(name)): Option {
    const entry = this.table.entries[name];
    const words =
      value !== undefined && entry.words.length > 1
        ? `${help}: ${entry.words.map(legible).join(", ")}`
        : help;
    const flag = named(new Option(value === undefined ? as : `${as} ${value}`, words), name);
    this.flags.set(name, flag);
    if (value === undefined) return flag;
    if (entry.hasDefault && !Array.isArray(entry.fallback))
      flag.default(entry.fallback, entry.fallback === Number.POSITIVE_INFINITY ? "none" : undefined);
    return flag.argParser(by(entry));
  }

  /** As people type it. */
  called(name: string): string {
    return this.flags.get(name)?.long ?? longFlag(name);
  }

  /** The options as the flags say them, the others as the table has them by default. */
  options(flags: object): SettingsOf<OptionTable<E>> {
    const given = [...this.flags.keys()].map((name) => [name, Reflect.get(flags, name)]);
    return this.table.resolve("the command line", Object.fromEntries(given));
  }
}

/** Where a map starts: by a word of the option, or by a file. */
export const startFlag = ({
  initialization: { words, fallback },
}: {
  readonly initialization: OptionEntries[string] & { readonly fallback: unknown };
}): Option =>
  named(
    new Option("--init <start>", `initial embedding: ${words.join(", ")}, or a file with one`),
    "initialization",
  )
    .default(fallback)
    .argParser(fileName);

/** A mark in a list of words is quoted. */
const legible = (word: string): string => (/\w/.test(word) ? word : JSON.stringify(word));

/** maxIterations → --max-iterations */
const longFlag = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Under the option's name among the parsed flags, and in what packages say of it. */
function named(flag: Option, name: string): Option {
  flag.attributeName = () => name;
  return flag;
}
