/**
 * Garbage is collected by the threads that make it, in commands that give every core a run of its own.
 *
 * V8 marks on helper threads beside each run. That spares a run alone some milliseconds, and takes more of another core than
 * it spares: where every core has its run, all of them end sooner without. V8 takes this flag when it starts only, so the
 * process replaces itself by one that has it: the same number, streams and words.
 */
export const singleThreadedGc = "--single-threaded-gc";
const COMMANDS: readonly string[] = ["sweep", "worker"];

/** The arguments of the process to be; undefined where this one is right. */
export function restartArguments(
  words: readonly string[],
  { argv, execArgv }: Pick<NodeJS.Process, "argv" | "execArgv"> = process,
): readonly string[] | undefined {
  if (!COMMANDS.includes(words[0]) || execArgv.includes(singleThreadedGc)) return undefined;
  return [argv[0], singleThreadedGc, ...execArgv, ...argv.slice(1)];
}

/**
 * Does not return where it succeeds. Where a process cannot be replaced (Windows, Node 20) or has a channel to the one that
 * forked it, which would be lost, this one goes on.
 */
export function restart(args: readonly string[]): void {
  if (process.execve === undefined || process.connected) return;
  try {
    process.execve(process.execPath, args, process.env);
  } catch {
    // Node's permissions forbid it: the work is the same without
  }
}
