/** What went wrong in reading the visitor's file, and the options that put it right. */
import { withOptionNames } from "@curvature/linalg";
import type { FileReading } from "../data/read-file.js";
import {
  controlWords,
  type Reading,
  readingFields,
  suggestedColumns,
  type TableState,
} from "../data/table-fields.js";
import type { ViewProps } from "../shell/view.js";
import { Folded } from "./control-panel.js";
import { FieldControl, wordsOf } from "./declared.js";
import { Fault } from "./notice.js";

interface ReadOtherwiseProps extends ViewProps<TableState> {
  readonly reading: FileReading | undefined;
}

/** What the reader asks for is shown at once, the rest to who wants it. */
export function ReadOtherwise({ reading, state, update }: ReadOtherwiseProps) {
  if (reading === undefined) return null;
  const asked = new Set<string>();
  const isRefused = reading.look === undefined;
  const sentence = withOptionNames(isRefused ? (reading.problem ?? "") : "", (option, value) => {
    asked.add(option);
    return controlWords(option, value);
  });
  const isShown = (name: keyof Reading): boolean =>
    asked.has(name) || (isRefused && state[name] !== readingFields[name].fallback);
  const control = (name: keyof Reading) => (
    <FieldControl
      key={name}
      fields={readingFields}
      name={name}
      state={state}
      update={(change: Partial<Reading>) => update({ ...change, ...suggestedColumns })}
    />
  );
  const names = wordsOf(readingFields);
  return (
    <>
      <Fault sentence={sentence} />
      {names.filter(isShown).map(control)}
      <Folded title="Read it otherwise">{names.filter((name) => !isShown(name)).map(control)}</Folded>
    </>
  );
}
