/** What is mapped, and how. */
import { SelectField, SliderField } from "../../controls/fields.js";
import { SeedField } from "../../controls/seed-field.js";
import { type FileActions, VisitorFileField } from "../../controls/visitor-file.js";
import type { ViewProps } from "../../shell/view.js";
import {
  leastCount,
  losses,
  lossNames,
  mostCount,
  type OrdinalState,
  type SetKind,
  setKinds,
  setNames,
} from "./options.js";

interface SetProps extends Pick<ViewProps<OrdinalState>, "state"> {
  readonly onSet: (set: SetKind) => void;
}

/** Which set: one press away, above everything. */
export function SetButtons({ state, onSet }: SetProps) {
  return (
    <fieldset class="row ordinal-sets">
      <legend class="visually-hidden">What is compared</legend>
      {setKinds.map((set) => (
        <button
          key={set}
          type="button"
          class="quiet"
          aria-pressed={state.set === set}
          onClick={() => onSet(set)}
        >
          {setNames[set]}
        </button>
      ))}
    </fieldset>
  );
}

export function CityControls({ state, update }: ViewProps<OrdinalState>) {
  return (
    <section class="panel stack" aria-labelledby="cities-title">
      <h2 id="cities-title">Europe from “which is nearer?”</h2>
      <p>
        No distance goes in: only answers such as “Rome is nearer to Milan than to Paris by road”. Grey lines
        lead to where the distances themselves would put each city.
      </p>
      <SliderField
        label="Answers"
        hint="Drawn at random of 3,990; a fifth is kept back."
        value={state.count}
        low={leastCount}
        high={mostCount}
        step={20}
        words={String(state.count)}
        onChange={(count) => update({ count })}
      />
    </section>
  );
}

interface FileProps extends FileActions {
  readonly file: File | undefined;
}

export function FileControls(props: FileProps) {
  return (
    <section class="panel stack" aria-labelledby="file-title">
      <h2 id="file-title">Answers of your own</h2>
      <p>
        One answer a line: <code>i,j,k</code> says that i is more like j than like k, <code>i,j,l,k</code>{" "}
        that i and j are more alike than l and k. Names or numbers from 0; a column <code>weight</code>{" "}
        weighs.
      </p>
      <VisitorFileField
        label="Comparisons: CSV, TSV, or .gz of these"
        accept=".csv,.tsv,.tab,.txt,.gz"
        {...props}
      />
    </section>
  );
}

export function MoreControls({ state, update }: ViewProps<OrdinalState>) {
  return (
    <details class="panel">
      <summary>More</summary>
      <div class="stack">
        <SelectField
          label="Loss"
          hint="What a wrong answer costs."
          value={state.loss}
          options={losses.map((value) => ({ value, name: lossNames[value] }))}
          onChange={(loss) => update({ loss })}
        />
        <SeedField value={state.seed} onChange={(seed) => update({ seed })} />
      </div>
    </details>
  );
}
