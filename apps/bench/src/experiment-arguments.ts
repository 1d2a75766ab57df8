/** An experiment's own arguments; those that it does not know end it with a sentence and the exit code for such commands. */
import { type ParseArgsConfig, parseArgs } from "node:util";

export function experimentArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [sentence] = error.message.split(". ");
    process.stderr.write(`${sentence.replace(/\.$/, "")}; the head of the experiment's file lists them.\n`);
    process.exit(64);
  }
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  error.code.startsWith("ERR_PARSE_ARGS_");
