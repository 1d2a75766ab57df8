/** What a command's help says behind its options, in lines as long as those that commander makes. */
import type { Command } from "commander";
import { wrapped } from "../run/terminal.js";

/** Command lines and code, which are pasted: they stay as they are. */
interface Verbatim {
  readonly verbatim: string;
}

/** @param parts - of each text a line is a paragraph: "  term   meaning", which goes on below its meaning, or plain words */
export function addExplanations(command: Command, ...parts: readonly (string | Verbatim)[]): Command {
  const width = (): number => command.configureOutput().getOutHelpWidth?.() ?? 80;
  const lines = (part: string | Verbatim): string =>
    typeof part === "string"
      ? part
          .split("\n")
          .map((line) => wrapped(line, width(), /^ +\S.*? {2,}(?=\S)/.exec(line)?.[0].length ?? 0))
          .join("\n")
      : part.verbatim;
  return command.addHelpText("after", () => parts.map((part) => `\n${lines(part)}`).join("\n"));
}
