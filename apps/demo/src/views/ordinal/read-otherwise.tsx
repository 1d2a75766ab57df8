/** What went wrong in reading the visitor's answers, and the columns and words that put it right. */
import { withOptionNames } from "@curvature/linalg";
import { useRef } from "preact/hooks";
import { Folded } from "../../controls/control-panel.js";
import { FieldControl, wordsOf } from "../../controls/declared.js";
import { Fault } from "../../controls/notice.js";
import { Sentences } from "../../controls/panel.js";
import type { ViewProps } from "../../shell/view.js";
import { type OrdinalState, readingFields } from "./options.js";
import type { Reading } from "./task.js";

interface ReadOtherwiseProps extends ViewProps<OrdinalState> {
  readonly reading: Reading | undefined;
}

const isField = (name: string): name is keyof typeof readingFields => Object.hasOwn(readingFields, name);

/** What the reader asks for is shown at once, the rest to who wants it. */
export function ReadAnswersOtherwise({ reading: latest, state, update }: ReadOtherwiseProps) {
  // What was said stays until there is something new to say: a sentence that goes would move what is about to be pressed.
  const last = useRef(latest);
  last.current = latest ?? last.current;
  const reading = last.current;
  const asked = new Set<string>();
  const sentence = withOptionNames(reading?.refusal ?? "", (option, value) => {
    if (!isField(option)) return undefined;
    asked.add(option);
    return `“${readingFields[option].words.label}”${value === undefined ? "" : ` (${value})`}`;
  });
  const names = wordsOf(readingFields);
  const isShown = (name: keyof typeof readingFields): boolean =>
    asked.has(name) || state[name] !== readingFields[name].fallback;
  const control = (name: keyof typeof readingFields) => (
    <FieldControl key={name} fields={readingFields} name={name} state={state} update={update} />
  );
  return (
    <>
      <Fault sentence={sentence} />
      <Sentences of={reading?.notes ?? []} />
      {names.filter(isShown).map(control)}
      <Folded title="Read it otherwise">{names.filter((name) => !isShown(name)).map(control)}</Folded>
    </>
  );
}
