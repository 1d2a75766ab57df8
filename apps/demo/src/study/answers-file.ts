/** A participant's answers as a file, under the header that the reader of answers knows (`study-header.ts` of datasets). */
import { writeCells } from "@curvature/datasets";
import type { Trial } from "./plan.js";
import type { Study } from "./study.js";

/** Which choice, from the left, and after how many milliseconds. */
export type Given = readonly [choice: number, milliseconds: number];

export const sides = { triplets: ["left", "right"], "odd-one-out": ["left", "middle", "right"] } as const;

/** What is answered so far. */
export function answersFile(
  { kind, names }: Study,
  trials: readonly Trial[],
  participant: string,
  given: readonly Given[],
): string {
  const words = sides[kind];
  const [anchors, answer] = kind === "triplets" ? [["anchor"], "answer"] : [[], "odd"];
  const rows = given.map(([choice, milliseconds], k) => {
    const { anchor, choices, right } = trials[k];
    const shown = anchor === undefined ? choices : [anchor, ...choices];
    return [
      ...[participant, k + 1, ...shown.map((stimulus) => names[stimulus]), words[choice]],
      ...[right === undefined ? "" : words[right], milliseconds],
    ];
  });
  const header = ["participant", "trial", ...anchors, ...words, answer, "catch", "time"];
  return [...writeCells([header, ...rows])].join("");
}
