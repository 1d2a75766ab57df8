/** Sentences that reports share. */

/**
 * Whether a claim holds, by its parts: "The claim holds.", "The claim does **not** hold here.", "The claim holds for passes, and
 * does **not** hold for time."
 */
export function verdict(parts: Readonly<Record<string, boolean>>): string {
  if (Object.keys(parts).length === 0) throw new RangeError("A claim without parts cannot be judged.");
  const names = (isWanted: boolean): string[] =>
    Object.keys(parts).filter((name) => parts[name] === isWanted);
  const [held, failed] = [names(true), names(false)];
  if (failed.length === 0) return "The claim holds.";
  if (held.length === 0) return "The claim does **not** hold here.";
  return `The claim holds for ${list(held)}, and does **not** hold here for ${list(failed)}.`;
}

const list = (names: readonly string[]): string => new Intl.ListFormat("en-GB").format(names);

/** "Medians of 3 runs of each (seeds 0 to 2), in brackets the least and the most" */
export const mediansOf = (repeats: number, one = "run of each", many = "runs of each"): string =>
  repeats === 1
    ? `One ${one} (seed 0)`
    : `Medians of ${repeats} ${many} (seeds 0 to ${repeats - 1}), in brackets the least and the most`;
