/**
 * A run's settings as arguments of the command line. Both sides use this: the planner, to find errors before anything runs;
 * and the worker, since what arrives over the network is not trusted: only options that a run may have, and files only by
 * reference.
 */
import { CurvatureError } from "@curvature/linalg";
import { Command } from "commander";
import { longName, optionsOf, type Sweepable, sweepable } from "./sweepable.js";

/** One option's value: its text, true for an option without one, or a file by its index in the unit's data. */
export type Setting = string | true | { readonly data: number };

/** Of the file that the command is for, beside its options. */
export const fileSetting = "<file>";

/** @throws CurvatureError ERR_OPTION for what is no command for a sweep */
export function sweepableCommand(name: string): Sweepable {
  if (Object.hasOwn(sweepable, name)) return sweepable[name];
  throw new CurvatureError(
    "ERR_OPTION",
    `A sweep runs ${Object.keys(sweepable).join(", ")}, not ${JSON.stringify(name)}.`,
    { path: "command" },
  );
}

/**
 * @param files - the unit's data on this machine, in order
 * @throws CurvatureError ERR_OPTION for settings that a run may not have
 */
export function argumentsOf(
  command: string,
  settings: Readonly<Record<string, unknown>>,
  files: readonly string[],
): string[] {
  const kind = sweepableCommand(command);
  const known = new Map(optionsOf(kind).map((option) => [longName(option), option]));
  const words: string[] = [];
  for (const [name, value] of Object.entries(settings)) {
    const file = fileIn(value, files);
    if (name === fileSetting) {
      if (file === undefined) throw refused(command, "its file must be one of the data");
      words.unshift(file);
      continue;
    }
    const option = known.get(name);
    if (option === undefined) throw refused(command, `there is no option --${name} for it`);
    const mayBeFile = Object.hasOwn(kind.files, name) ? kind.files[name] : undefined;
    if (file !== undefined && mayBeFile !== undefined) words.push(`--${name}=${file}`);
    else if (value === true && !option.required) words.push(`--${name}`);
    else if (typeof value === "string" && (option.required || option.optional)) {
      if (mayBeFile?.(value)) throw refused(command, `--${name} must name its file among the data`);
      words.push(`--${name}=${value}`);
    } else throw refused(command, `--${name} has a value that it cannot have`);
  }
  return words;
}

/** Reads the words as the command would, without running it. @throws CommanderError for words that it would not take */
export function tryWords(command: string, words: readonly string[]): void {
  const { addOptions, argument } = sweepableCommand(command);
  const silent = new Command(command)
    .exitOverride()
    .configureOutput({ outputError: () => undefined, writeErr: () => undefined })
    .argument(argument.words);
  addOptions(silent).action(() => undefined);
  silent.parse([...words], { from: "user" });
}

function fileIn(value: unknown, files: readonly string[]): string | undefined {
  if (typeof value !== "object" || value === null || !("data" in value)) return undefined;
  return typeof value.data === "number" ? files[value.data] : undefined;
}

const refused = (command: string, sentence: string): CurvatureError =>
  new CurvatureError("ERR_OPTION", `A run of ${command} in a sweep: ${sentence}.`, { path: "settings" });
