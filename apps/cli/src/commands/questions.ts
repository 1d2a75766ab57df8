/**
 * `curvature questions`: what to ask next, so that the answers teach most.
 */
import { writeCells } from "@curvature/datasets";
import { type DenseMatrix, either, optionTable } from "@curvature/linalg";
import { type QuestionOptions, questionOptions } from "@curvature/optim-svrg";
import type { Command } from "commander";
import { fileName } from "../arguments.js";
import { type Answers, answersOf, notesOn, readAnswers } from "../read/answers.js";
import { objectNames, readNames } from "../read/object-names.js";
import { usageError } from "../run/failure.js";
import type { RunCommand, Session } from "../run/session.js";
import { count, duration } from "../run/terminal.js";
import type { QuestionsTaskOutput } from "../tasks/questions.js";
import { type ObjectMap, readObjectMap } from "../write/object-map.js";
import { checkOutputs, concluded, removeTemporaries } from "../write/outputs.js";
import { addLogOptions, type LogFlags, seedHelp } from "./common-options.js";
import { addExplanations } from "./explanations.js";
import { type AnswerFlags, addAnswerOptions, answerFlags, answersHelp } from "./ordinal-flags.js";
import { type FlagsOf, TableFlags } from "./table-flags.js";

/** Where there is a map, its dimensions come before those of the table. */
const { dimensions, ...entries } = questionOptions.entries;
const mapQuestionOptions = optionTable({ ...entries, dimensions: either(dimensions) });
const questionFlags = new TableFlags(mapQuestionOptions);

interface QuestionFlags extends LogFlags, AnswerFlags, Omit<FlagsOf<typeof mapQuestionOptions>, "objects"> {
  readonly map?: string;
  readonly answers?: string;
  readonly out?: string;
}

export function addQuestionsCommand(program: Command, run: RunCommand): void {
  const flag = questionFlags.flag.bind(questionFlags);
  const command = program
    .command("questions")
    .summary("choose the questions whose answers teach an ordinal embedding most")
    .description(
      'Chooses questions "is i nearer to j or to k?" whose answers teach most, given the answers so far.\n' +
        "They go to standard output, as CSV with the columns i, j, k, gain and probability.",
    )
    .optionsGroup("Data:")
    .option("--map <file>", "the map of the answers so far, as curvature ordinal writes it", fileName)
    .option("--answers <file>", "the answers so far; - is standard input", fileName);
  addAnswerOptions(command)
    .optionsGroup("Questions:")
    .addOption(flag("count", "<n>", "how many (default: 10, or more for many objects or answers)"))
    .addOption(
      flag("dimensions", "<n>", "dimensions of the maps that judge (default: those of --map, or 2)", "--dim"),
    )
    .addOption(
      flag("randomFirst", "<n>", "answers before which questions are random (default: 2 per object)"),
    )
    .addOption(flag("repeat", undefined, "allow questions that were answered already"))
    .optionsGroup("Run:")
    .addOption(flag("seed", "<n>", seedHelp));
  addLogOptions(command)
    .optionsGroup("Output:")
    .option(
      "-o, --out <file>",
      "the questions: .csv, or another name for CSV (default: standard output)",
      fileName,
    );
  addExplanations(command, answersHelp, questionsHelp, examples).action(async (flags: QuestionFlags) => {
    const log = {
      json: flags.json === true,
      quiet: flags.quiet === true,
      title: "questions",
      limits: {},
    };
    await run(log, (session) => chooseQuestions(flags, session));
  });
}

const questionsHelp = `An answer is a line i, j, k with the nearer one as j: swap the two cells where it is k. gain is the information \
expected from the answer, in bits; probability that the answer is j. Both are empty for questions drawn at random.`;

const examples = {
  verbatim: `Examples:
  npx @curvature/cli questions --map map.csv --answers answers.csv --count 20
  npx @curvature/cli questions --names objects.txt --count 50 --out first.csv`,
};

async function chooseQuestions(flags: QuestionFlags, session: Session): Promise<number> {
  const { log } = session;
  const out = flags.out ?? "-";
  const inputs = [flags.map, flags.answers, flags.names].filter((path) => path !== undefined);
  if (inputs.length === 0) throw usageError("Name the objects: by --map, --answers or --names.");
  if (inputs.filter((path) => path === "-").length > 1) {
    throw usageError("Standard input (-) can be read once only; give the others as files.");
  }
  const target = { option: "--out", path: out };
  checkOutputs([target], inputs);
  session.onForcedExit(() => removeTemporaries([target]));
  log.phase("reading");
  const input = await readAll(flags, session);
  const output = await session.compute("questions", {
    answers: input.answers,
    options: optionsOf(flags, input),
  });
  const asked = output.questions.length;
  const how = output.strategy === "random" ? "drawn at random" : "chosen by the information they give";
  if (flags.count !== undefined && asked < flags.count) {
    log.warning(
      `${asked === 1 ? "There is only 1 question that was" : `There are only ${asked} questions that were`} not answered yet. --repeat allows the others, too.`,
    );
  }
  return concluded(log, {
    outputs: [{ path: out, content: () => writeCells(rowsOf(output, input)) }],
    lines: [`${count(asked)} questions, ${how}, in ${duration(output.seconds)}.`],
    record: { questions: asked, strategy: output.strategy },
  });
}

interface QuestionsInput {
  readonly answers: Answers;
  readonly names: readonly string[] | undefined;
  readonly map: DenseMatrix | undefined;
}

async function readAll(flags: QuestionFlags, { log, signal }: Session): Promise<QuestionsInput> {
  const map = flags.map === undefined ? undefined : await readObjectMap(flags.map, signal);
  const listed = flags.names === undefined ? undefined : await readNames(flags.names, signal);
  if (map !== undefined && listed !== undefined) checkNames(map, listed, flags);
  const known = map?.names ?? listed ?? map?.map.rows;
  if (flags.answers === undefined) {
    const objects = typeof known === "object" ? known.length : (known ?? 0);
    const answers = { objects, quadruplets: new Int32Array(0), weights: undefined };
    return { answers, names: map?.names ?? listed, map: map?.map };
  }
  const table = await readAnswers([flags.answers], { ...answerFlags.options(flags), known }, signal);
  const { warnings, notes } = notesOn([flags.answers], table);
  for (const warning of warnings) log.warning(warning);
  for (const note of notes) log.note(note);
  return { answers: answersOf(table), names: table.names ?? listed, map: map?.map };
}

function checkNames({ map, names }: ObjectMap, listed: readonly string[], flags: QuestionFlags): void {
  const same = listed.length === map.rows && (names?.every((name, n) => name === listed[n]) ?? true);
  if (same) return;
  throw usageError(
    `--names ${flags.names} and --map ${flags.map} name different objects; leave --names out.`,
  );
}

function optionsOf(flags: QuestionFlags, { answers, map }: QuestionsInput): QuestionOptions {
  const p = flags.dimensions ?? map?.columns;
  return {
    ...questionFlags.options(flags),
    objects: answers.objects,
    dimensions: p,
    embedding: map?.columns === p ? map : undefined,
  };
}

function* rowsOf(
  { questions }: QuestionsTaskOutput,
  { names, answers }: QuestionsInput,
): Generator<(string | number)[]> {
  const called = objectNames(names, answers.objects);
  yield ["i", "j", "k", "gain", "probability"];
  for (const { anchor, first, second, gain = Number.NaN, probability = Number.NaN } of questions) {
    yield [called[anchor], called[first], called[second], gain, probability];
  }
}
