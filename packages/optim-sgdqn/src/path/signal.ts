import type { Rule } from "@curvature/linalg";

export const signalRule: Rule = {
  expected: "an AbortSignal",
  accepts: (value) => value instanceof AbortSignal,
};
