/**
 * The work of `curvature questions`: what to ask next.
 */
import { type NextQuestion, type QuestionOptions, selectQuestions } from "@curvature/optim-svrg";
import type { Answers } from "../read/answers.js";
import type { Channel } from "./channel.js";

export interface QuestionsTaskInput {
  readonly answers: Answers;
  /** Plain data only: no signal. */
  readonly options: QuestionOptions;
}

export interface QuestionsTaskOutput {
  readonly questions: readonly NextQuestion[];
  readonly strategy: "random" | "information-gain";
  readonly seconds: number;
}

export async function questionsTask(
  { answers, options }: QuestionsTaskInput,
  channel: Channel,
): Promise<QuestionsTaskOutput> {
  channel.phase("judging questions");
  const started = performance.now();
  const { questions, strategy } = await selectQuestions(answers, {
    ...options,
    signal: channel.signal,
    onMap: (map, maps) => channel.phase(`fitting map ${map} of ${maps}`),
  });
  return { questions, strategy, seconds: (performance.now() - started) / 1000 };
}
