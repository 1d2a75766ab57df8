/**
 * What a thread runs: `worker.ts` with all that it imports, as one script, so that no bundler has to know of another file.
 * The build and the tests put it in this file's place (`thread-programs.config.ts`); without them threads do nothing.
 */
export const program = "";
