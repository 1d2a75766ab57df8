/**
 * The header of the answers that the study page of our site saves: where a table begins with it, its columns need not be
 * named by options.
 */
import { plain } from "./beside-columns.js";
import type { ComparisonSettings } from "./comparison-options.js";

const headers = {
  triplets: ["participant", "trial", "anchor", "left", "right", "answer", "catch", "time"],
  "odd-one-out": ["participant", "trial", "left", "middle", "right", "odd", "catch", "time"],
} as const;

/**
 * What the options say beside such a header, in any order, with other columns too; the same settings above any other line.
 * Nothing that is stated is overruled.
 */
export function besideStudyHeader(
  cells: readonly string[],
  settings: ComparisonSettings,
): ComparisonSettings {
  const names = new Map(cells.map((cell) => [plain(cell), cell.trim()]));
  const is = (header: readonly string[]): boolean => header.every((name) => names.has(name));
  const isOdd = is(headers["odd-one-out"]);
  if ((!isOdd && !is(headers.triplets)) || settings.header === false) return settings;
  const { kind, roles, participant, trial, time, response, objects, ignore } = settings;
  const own = (name: string): string => names.get(name) ?? name;
  const free = (name: string): string | undefined => (ignore.includes(own(name)) ? undefined : own(name));
  const oddRoles = { object: ["left", "middle", "right"].map(own), odd: own("odd") };
  return {
    ...settings,
    participant: participant ?? free("participant"),
    trial: trial ?? free("trial"),
    time: time ?? free("time"),
    catch: settings.catch ?? free("catch"),
    // answers are sides, and stimuli may have any names: left, 1, A beside a
    response: response === "auto" ? "side" : response,
    objects: objects === "auto" ? "names" : objects,
    kind: isOdd && kind === "auto" ? "odd-one-out" : kind,
    roles: isOdd && roles === undefined && kind === "auto" ? oddRoles : roles,
  };
}
