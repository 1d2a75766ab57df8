/** What a task has made is kept where a figure of it is not to be had: a warning says why. */
import { failureOf } from "../failure.js";
import type { Channel } from "./channel.js";

/** @param what - is measured, as a sentence begins */
export function measured<T>(
  what: string,
  measure: () => T,
  { warning }: Pick<Channel, "warning">,
): T | undefined {
  try {
    return measure();
  } catch (error) {
    warning(`${what} cannot be measured: ${failureOf(error).message}`);
    return undefined;
  }
}
