/**
 * Flags of the options of a façade. Value, default and validation are those of the option's table; a command adds the sentence
 * of its help, and another name where people type one that is shorter.
 */
import type { OptionEntries, OptionsOf } from "@curvature/linalg";
import { InvalidArgumentError, Option } from "commander";

/** The flags of one command that stand for options of one table. */
export class TableFlags<E extends OptionEntries> {
  private readonly names = new Set<keyof E & string>();

  constructor(private readonly table: { readonly entries: E }) {}

  /**
   * @param value - its placeholder in the help: "<n>"; undefined for a flag without a value
   * @param help - one sentence; the words that the option knows are added
   * @param as - the flag, where it is not the option's name
   */
  flag(name: keyof E & string, value: string | undefined, help: string, as = longFlag(name)): Option {
    const entry = this.table.entries[name];
    this.names.add(name);
    if (value === undefined) return named(new Option(as, help), name);
    const words = entry.words.length > 0 ? `${help}: ${entry.words.join(", ")}` : help;
    const flag = named(new Option(`${as} ${value}`, words), name);
    if (entry.hasDefault) flag.default(entry.fallback);
    return flag.argParser((text) => {
      const read = entry.read(text.trim());
      if (!entry.accepts(read)) throw new InvalidArgumentError(`It must be ${entry.expected}.`);
      return read;
    });
  }

  /** The options among the parsed flags. */
  options(flags: object): OptionsOf<{ readonly entries: E }> {
    const { entries } = this.table;
    const given = [...this.names].map((name): [string, unknown] => [name, Reflect.get(flags, name)]);
    const options = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    const isOptions = (picked: object): picked is OptionsOf<{ readonly entries: E }> =>
      Object.entries(picked).every(([name, value]) => entries[name].accepts(value));
    return isOptions(options) ? options : {};
  }
}

/** maxIterations → --max-iterations */
const longFlag = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Under the option's name among the parsed flags. */
function named(flag: Option, name: string): Option {
  flag.attributeName = () => name;
  return flag;
}
