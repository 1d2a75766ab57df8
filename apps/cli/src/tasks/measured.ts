/** A figure that cannot be computed costs a warning, not the result. */
import { failureOf, showStack } from "../run/failure.js";

/**
 * @param what - is measured, as a sentence begins
 * @param warn - takes the sentence: those of a task's output reach its report, too
 */
export function measured<T>(
  what: string,
  measure: () => T,
  warn: (sentence: string) => unknown,
): T | undefined {
  try {
    return measure();
  } catch (error) {
    const { message, stack } = failureOf(error);
    warn(`${what} cannot be measured: ${message}`);
    showStack(stack);
    return undefined;
  }
}
