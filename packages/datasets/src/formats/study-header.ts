/**
 * The header of the answers that the study page of our site saves: where a table begins with it, its columns need not be
 * named by options.
 */
import type { ComparisonSettings } from "./comparison-options.js";

const headers = {
  triplets: ["participant", "trial", "anchor", "left", "right", "answer", "catch", "time"],
  "odd-one-out": ["participant", "trial", "left", "middle", "right", "odd", "catch", "time"],
} as const;

const oddRoles = { object: ["left", "middle", "right"], odd: "odd" };

/** What the options say beside such a header, for all that they do not state; the same settings above any other line. */
export function besideStudyHeader(
  cells: readonly string[],
  settings: ComparisonSettings,
): ComparisonSettings {
  const is = (header: readonly string[]): boolean =>
    header.length === cells.length && header.every((name, column) => name === cells[column]);
  const isOdd = is(headers["odd-one-out"]);
  if ((!isOdd && !is(headers.triplets)) || settings.header === false) return settings;
  const { kind, roles, participant, trial, time, response, objects } = settings;
  return {
    ...settings,
    participant: participant ?? "participant",
    trial: trial ?? "trial",
    time: time ?? "time",
    catch: settings.catch ?? "catch",
    // answers are sides, and stimuli may have any names: left, 1, A beside a
    response: response === "auto" ? "side" : response,
    objects: objects === "auto" ? "names" : objects,
    kind: isOdd && kind === "auto" ? "odd-one-out" : kind,
    roles: isOdd && roles === undefined && kind === "auto" ? oddRoles : roles,
  };
}
