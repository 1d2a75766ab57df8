/** What is disentangled, and how: the column beside the pictures. */
import { useState } from "preact/hooks";
import { ControlPanel, Folded, type Running } from "../../controls/control-panel.js";
import { FieldControl, FieldControls } from "../../controls/declared.js";
import { Labelled, SliderField } from "../../controls/fields.js";
import type { ViewProps } from "../../shell/view.js";
import { clustersOf, type DisentangleState, fields, layersIn, moreFields, mostClusters } from "./options.js";

interface ControlsProps extends ViewProps<DisentangleState> {
  readonly running: Running;
  /** How many points there are. */
  readonly count: number;
}

export function Controls({ running, count, ...view }: ControlsProps) {
  const { state, update } = view;
  const { data, layering, target, counting } = state;
  const isGenerated = data !== "drawn" && data !== "digits";
  const hasLayers = target === "matrix";
  const hasK = hasLayers ? layering === "one" || layering === "halves" : counting === "given";
  const K = clustersOf(state, count);
  return (
    <ControlPanel {...running}>
      <FieldControl fields={fields} name="data" {...view} />
      {data === "digits" && <FieldControl fields={fields} name="digit" {...view} />}
      <FieldControl fields={fields} name="target" {...view} />
      {!hasLayers && <FieldControl fields={fields} name="counting" {...view} />}
      <SliderField
        label="K, clusters"
        hint={hasK ? undefined : hasLayers ? "The layers have their own." : "It is chosen."}
        value={K}
        low={2}
        high={Math.max(2, Math.min(mostClusters, count))}
        step={1}
        words={`${K}`}
        disabled={!hasK}
        onChange={(clusters) => update({ clusters })}
      />
      {hasLayers && <FieldControl fields={fields} name="layering" {...view} />}
      {hasLayers && layering === "list" && <LayersField {...view} />}
      <Folded>
        {data === "digits" && (
          <FieldControl fields={fields} name="points" label="Pictures at most" {...view} />
        )}
        {isGenerated && <FieldControl fields={fields} name="points" {...view} />}
        {isGenerated && <FieldControl fields={fields} name="noise" {...view} />}
        <FieldControls fields={moreFields} {...view} />
      </Folded>
    </ControlPanel>
  );
}

const rule = "Whole numbers, none larger than the one before it: 16, 8, 2.";

function LayersField({ state, update }: ViewProps<DisentangleState>) {
  const [draft, setDraft] = useState<string | undefined>();
  const read = (text: string) =>
    layersIn(
      text
        .trim()
        .split(/[\s,;]+/)
        .join("~"),
    );
  const change = (text: string): void => {
    setDraft(text);
    const layers = read(text);
    if (layers !== undefined) update({ layers });
  };
  return (
    <Labelled
      label="K of each layer"
      hint={rule}
      problem={draft === undefined || read(draft) !== undefined ? undefined : rule}
    >
      {(input) => (
        <input
          {...input}
          type="text"
          inputMode="decimal"
          value={draft ?? state.layers.join(", ")}
          onInput={(event) => change(event.currentTarget.value)}
          onBlur={() => setDraft(undefined)}
        />
      )}
    </Labelled>
  );
}
