/** What is mapped, and how. */
import { FieldControl, FieldControls } from "../../controls/declared.js";
import { Panel } from "../../controls/panel.js";
import { VisitorFileField } from "../../controls/visitor-file.js";
import type { FileActions } from "../../data/use-source.js";
import type { ViewProps } from "../../shell/view.js";
import { fields, fitFields, type OrdinalState } from "./options.js";
import { ReadAnswersOtherwise } from "./read-otherwise.js";
import type { Reading } from "./task.js";

export const CityControls = (view: ViewProps<OrdinalState>) => (
  <Panel title="Europe from “which is nearer?”">
    <p>
      No distance goes in: only answers such as “Rome is nearer to Milan than to Paris by road”. Grey lines
      lead to where the distances themselves would put each city.
    </p>
    <FieldControl fields={fields} name="count" {...view} />
  </Panel>
);

interface FileControlsProps extends ViewProps<OrdinalState> {
  readonly own: FileActions;
  readonly reading: Reading | undefined;
}

export const FileControls = ({ own, reading, ...view }: FileControlsProps) => (
  <Panel title="Answers of your own">
    <p>
      One answer a line: <code>i,j,k</code> says that i is more like j than like k, <code>i,j,l,k</code> that
      i and j are more alike than l and k. Names or numbers from 0; a column <code>weight</code> weighs. Or
      what an experiment has recorded: several files are one table, and those of “A study of your own” need no
      words.
    </p>
    <VisitorFileField
      label="Comparisons, one file or several: CSV, TSV, JSON, or .gz of these"
      accept=".csv,.tsv,.tab,.txt,.json,.jsonl,.gz"
      areSeveral
      {...own}
    />
    <ReadAnswersOtherwise reading={reading} {...view} />
  </Panel>
);

export const MoreControls = (view: ViewProps<OrdinalState>) => (
  <details class="panel">
    <summary>More</summary>
    <div class="stack">
      <FieldControls fields={fitFields} {...view} />
    </div>
  </details>
);
