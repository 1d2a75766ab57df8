/** What a line of answers is. */
export const answerKinds = ["triplets", "quadruplets", "odd-one-out", "rank", "choices", "ratings"] as const;
export type AnswerKind = (typeof answerKinds)[number];
