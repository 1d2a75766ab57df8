import type { SquaresProblem } from "./mgh.mjs";
export const problems: Readonly<Record<string, SquaresProblem>>;
