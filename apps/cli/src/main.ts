/**
 * The command `curvature`.
 */
import { nearestName } from "@curvature/linalg";
import { Command, CommanderError } from "commander";
import { exitCode } from "./run/exit-codes.js";
import { failureOf, showStack, usageError } from "./run/failure.js";
import { callOptionsAs, flagNames } from "./run/flag-names.js";
import { restart, restartArguments } from "./run/garbage-collection.js";
import { logTo } from "./run/log.js";
import { inSession, type RunCommand } from "./run/session.js";
import { programVersion } from "./version.js";

/** Loaded when they are called, with the packages that have their options; all of them for a list. */
const commands: readonly (readonly [string, () => Promise<(program: Command, run: RunCommand) => void>])[] = [
  ["look", async () => (await import("./commands/look.js")).addLookCommand],
  ["embed", async () => (await import("./commands/embed.js")).addEmbedCommand],
  ["transform", async () => (await import("./commands/transform.js")).addTransformCommand],
  ["extend", async () => (await import("./commands/extend.js")).addExtendCommand],
  ["disentangle", async () => (await import("./commands/disentangle.js")).addDisentangleCommand],
  ["assign", async () => (await import("./commands/assign.js")).addAssignCommand],
  ["ordinal", async () => (await import("./commands/ordinal.js")).addOrdinalCommand],
  ["questions", async () => (await import("./commands/questions.js")).addQuestionsCommand],
  ["train", async () => (await import("./commands/train.js")).addTrainCommand],
  ["predict", async () => (await import("./commands/predict.js")).addPredictCommand],
  ["evaluate", async () => (await import("./commands/evaluate.js")).addEvaluateCommand],
  ["inspect", async () => (await import("./commands/inspect.js")).addInspectCommand],
  ["fit", async () => (await import("./commands/fit.js")).addFitCommand],
  ["sweep", async () => (await import("./commands/sweep.js")).addSweepCommand],
  ["worker", async () => (await import("./commands/worker.js")).addWorkerCommand],
];

async function main(words: readonly string[]): Promise<number> {
  let code: number = exitCode.success;
  const end = words.indexOf("--");
  const flagWords = end < 0 ? words : words.slice(0, end);
  const program = new Command("curvature")
    .description("Second-order optimisation on the command line.")
    .version(programVersion(), "-V, --version", "the version of this program")
    .helpOption("-h, --help", "this help")
    .helpCommand("help [command]", "the help of a command")
    .configureHelp({ minWidthToWrap: 20 })
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => undefined })
    .hook("preAction", (_, command) => {
      checkOnce(command, flagWords);
      callOptionsAs(flagNames(command));
    });
  const run: RunCommand = async (options, body) => {
    code = await inSession(options, body);
  };
  const [first] = words.filter((word) => !word.startsWith("-"));
  const named = commands.filter(([name]) => name === first);
  for (const [, load] of named.length > 0 ? named : commands) (await load())(program, run);
  try {
    await program.parseAsync(words, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCode.success;
    const failure = failureOf(error instanceof CommanderError ? plainUsageError(error, program) : error);
    logTo(process.stderr, {
      json: flagWords.includes("--json"),
      quiet: false,
      title: "",
      limits: {},
    }).failure(failure);
    showStack(failure.stack);
    return failure.exitCode;
  }
}

/** Of a flag that is given twice nobody knows which is meant. @throws CurvatureError */
function checkOnce({ options }: Command, words: readonly string[]): void {
  for (const { long, short, defaultValue } of options) {
    if (Array.isArray(defaultValue)) continue; // given again, it is longer
    const flag = long ?? short ?? "";
    const isIt = (word: string): boolean =>
      word.split("=", 1)[0] === long || (short !== undefined && word.startsWith(short)); // -k8 is -k 8
    if (words.filter(isIt).length > 1)
      throw usageError(`${flag} is given twice; give it once.`, flag.replace(/^--/, ""));
  }
}

/** Commander's message as one sentence; an unknown word comes with the nearest known one. */
function plainUsageError(error: CommanderError, program: Command): Error {
  if (error.code === "commander.help")
    return usageError("Name a command; npx @curvature/cli --help lists them.");
  const sentence = error.message.replace(/^error: /, "").replaceAll("\n", " ");
  const message = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.?!]$/.test(sentence) ? "" : "."}`;
  const unknown = /^unknown (option|command) '(.+)'$/s.exec(sentence);
  if (unknown === null) return usageError(message);
  const [, kind, word] = unknown;
  const [command, path] = named(program);
  const known =
    kind === "command"
      ? command.commands.map((child) => child.name())
      : [command, ...below(command)].flatMap((child) => child.options.map((option) => option.long ?? ""));
  if (kind === "option" && known.includes(word)) {
    return usageError(`${word} belongs to a command; put it behind the command's name.`);
  }
  const nearest = nearestWord(word, known);
  return usageError(
    `${message} ${nearest === undefined ? `See ${path} --help.` : `Did you mean ${nearest}?`}`,
  );
}

/** The command that the words name, the innermost one, and its names. */
function named(program: Command): readonly [Command, string] {
  let [command, path] = [program, "npx @curvature/cli"];
  for (const word of program.args) {
    const child = command.commands.find((candidate) => candidate.name() === word);
    if (child === undefined) break;
    [command, path] = [child, `${path} ${word}`];
  }
  return [command, path];
}

/** All commands below this one. */
const below = (command: Command): readonly Command[] =>
  command.commands.flatMap((child) => [child, ...below(child)]);

/** The known word that this one begins; the nearest by slips of the hand; one that it begins with or is a part of. */
function nearestWord(word: string, known: readonly string[]): string | undefined {
  const name = word.replace(/^-+/, "");
  if (name.length < 2) return nearestName(word, known);
  return (
    known.find((candidate) => candidate.startsWith(word)) ??
    nearestName(word, known) ??
    known.find((candidate) => word.startsWith(candidate) || candidate.includes(name))
  );
}

/** Standard streams may be closed by their readers at any time; whoever writes there handles the error. */
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

const words = process.argv.slice(2);
const again = restartArguments(words);
if (again !== undefined) restart(again);
process.exitCode = await main(words);
