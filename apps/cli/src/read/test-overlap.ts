/** Whether answers of a test are of the fit as well: the error on these is none on new answers. */
import type { Answers } from "./answers.js";

/**
 * @param test - its objects and people numbered as those of the fit
 * @returns of how many answers of the test the fit has one to the same question, by the same person where both name people
 */
export function countInFit(fit: Answers, test: Answers): number {
  const arePeople = fit.groups?.participant !== undefined && test.groups?.participant !== undefined;
  const asked = new Set(questions(fit, arePeople));
  return questions(test, arePeople).filter((question) => asked.has(question)).length;
}

/** Of each answer its question, whichever way it was answered, and who answered. */
function questions({ quadruplets, groups }: Answers, arePeople: boolean): string[] {
  const pair = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`);
  return Array.from({ length: quadruplets.length / 4 }, (_, q) => {
    const [i, j, l, k] = quadruplets.subarray(4 * q, 4 * q + 4);
    const [one, other] = [pair(i, j), pair(l, k)];
    const question = one < other ? `${one}, ${other}` : `${other}, ${one}`;
    return arePeople ? `${question} by ${groups?.participant?.[q]}` : question;
  });
}
