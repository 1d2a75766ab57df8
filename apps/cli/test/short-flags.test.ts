/** What every command has: -o, -q, -V and the end of options, and a help that fits the terminal. */
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { addDisentangleCommand } from "../src/commands/disentangle.js";
import { addEmbedCommand } from "../src/commands/embed.js";
import { addEvaluateCommand } from "../src/commands/evaluate.js";
import { addFitCommand } from "../src/commands/fit.js";
import { addLookCommand } from "../src/commands/look.js";
import { addOrdinalCommand } from "../src/commands/ordinal.js";
import { addPredictCommand } from "../src/commands/predict.js";
import { addQuestionsCommand } from "../src/commands/questions.js";
import { addSweepCommand } from "../src/commands/sweep.js";
import { addTrainCommand } from "../src/commands/train.js";
import { addWorkerCommand } from "../src/commands/worker.js";
import { groupsCsv, workplace } from "./cli.js";

const place = workplace();

const adders = [
  ...[addLookCommand, addEmbedCommand, addDisentangleCommand, addOrdinalCommand, addQuestionsCommand],
  ...[
    addTrainCommand,
    addPredictCommand,
    addEvaluateCommand,
    addFitCommand,
    addSweepCommand,
    addWorkerCommand,
  ],
];

function helps(width: number): Map<string, string> {
  const program = new Command("curvature").configureHelp({ minWidthToWrap: 20 });
  let said = "";
  program.configureOutput({ getOutHelpWidth: () => width, writeOut: (text) => (said += text) });
  for (const add of adders) add(program, async () => undefined);
  const all = program.commands.flatMap((command) => [command, ...command.commands]);
  return new Map(
    all.map((command) => {
      said = "";
      command.outputHelp();
      return [`${command.parent?.name()} ${command.name()}`, said];
    }),
  );
}

test.each([60, 80, 120])(
  "at %d columns no line of a help is longer but those to paste, and none is broken early",
  (width) => {
    for (const [name, help] of helps(width)) {
      let isVerbatim = false;
      const lines = help.split("\n");
      for (const [k, line] of lines.entries()) {
        isVerbatim = /^(Examples?:|A problem of your own)/.test(line) || (isVerbatim && line !== "");
        if (isVerbatim || !line.trim().includes(" ")) continue; // a word is never broken
        expect(line.length, `${name}: ${line}`).toBeLessThanOrEqual(width);
        // Of a sentence that goes on: its next word had no room.
        const next = lines[k + 1] ?? "";
        const isWrapped =
          /^ *[a-z]\S*( |$)/.test(next) && /[a-z,]$/.test(line) && !/ {2,}\S/.test(next.trimStart());
        const indent = /^ */.exec(next)?.[0].length ?? 0;
        const [word] = next.trimStart().split(" ");
        if (isWrapped && indent > 20)
          expect(line.length + 1 + word.length, `${name}: ${line}`).toBeGreaterThan(width);
      }
    }
  },
);

describe.concurrent("-o, -q, -V and --", () => {
  const answers = "i,j,k\n0,1,2\n1,0,2\n2,1,0\n3,2,0\n3,1,0\n";

  test.each<[string, readonly string[], string]>([
    ["look", [], "look.txt"],
    ["embed", ["--labels", "group"], "embed.csv"],
    ["disentangle", ["--labels", "group", "-k3"], "disentangle.csv"],
    ["ordinal", [], "ordinal.csv"],
    ["train", ["--labels", "group"], "train.json"],
    ["fit", ["--labels", "group", "--objective", "softmax", "--max-passes", "2"], "fit.csv"],
  ])("%s", async (command, words, out) => {
    place().write(`-${command}.csv`, command === "ordinal" ? answers : groupsCsv(30));
    const ended = await place().run([command, ...words, "-q", "-o", out, "--", `-${command}.csv`]);
    expect(ended.stderr).toBe("");
    expect([0, 2]).toContain(ended.code);
    expect(ended.stdout).toBe("");
    expect(place().has(out)).toBe(true);
  });

  test("predict, evaluate, questions and sweep", async () => {
    place().write("-rows.csv", groupsCsv(30));
    place().write("names.txt", "a\nb\nc\nd\n");
    await place().run(["train", "-q", "-o", "-m.json", "--labels", "group", "--", "-rows.csv"]); // no name of a file
    expect(place().has("-m.json")).toBe(false);
    await place().run(["train", "-q", "-o", "./-m.json", "--labels", "group", "--", "-rows.csv"]);
    for (const words of [
      ["predict", "-q", "-o", "p.csv", "--", "-m.json", "-rows.csv"],
      ["evaluate", "-qo", "e.json", "--", "-m.json", "-rows.csv"],
      ["questions", "-q", "--names", "names.txt", "-o", "q.csv"],
      ["sweep", "embed", "-q", "--labels", "group", "--grid", "perplexity=3,4", "-o", "s", "--", "-rows.csv"],
    ]) {
      const { code, stderr } = await place().run(words);
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
    }
    for (const name of ["p.csv", "e.json", "q.csv", "s/summary.csv"]) expect(place().has(name)).toBe(true);
  });

  test("the version, wherever it is asked for", async () => {
    const { stdout: version } = await place().run(["--version"]);
    for (const name of ["look", "train", "predict", "worker", "sweep"]) {
      const { code, stdout } = await place().run([name, "-V"]);
      expect({ name, code, stdout }).toEqual({ name, code: 0, stdout: version });
    }
  });

  test("a short name and the long one are one flag", async () => {
    const twice = await place().run(["embed", "x.csv", "-o", "a.csv", "--out", "b.csv"]);
    expect(twice.stderr).toBe("curvature: --out is given twice; give it once.\n");
    expect((await place().run(["disentangle", "x.csv", "-k8", "-k", "9"])).stderr).toMatch(
      /--clusters is given twice/,
    );
  });
});
