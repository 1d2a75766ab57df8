/** Processor time, the unit in which experiments tell seconds where contestants share a busy machine. */

/** Seconds of this process, all its threads, since it began. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** A line of progress, apart from what is written. */
export function note(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
