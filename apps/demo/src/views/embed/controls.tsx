/** What is mapped, and how: the column beside the maps. */
import { ControlPanel, Folded, type Running } from "../../controls/control-panel.js";
import { FieldControl, FieldControls } from "../../controls/declared.js";
import { ReadOtherwise } from "../../controls/read-otherwise.js";
import { VisitorFileField } from "../../controls/visitor-file.js";
import { pointFiles } from "../../data/dataset.js";
import type { Source } from "../../data/use-source.js";
import type { ViewProps } from "../../shell/view.js";
import { type EmbedState, fields, mapFields, moreFields, mostPanes, type PaneChoice } from "./options.js";

interface ControlsProps extends ViewProps<EmbedState> {
  readonly running: Running;
  readonly source: Source;
}

export function Controls({ running, source, ...view }: ControlsProps) {
  const { panes } = view.state;
  const add = (
    <button
      type="button"
      class="quiet"
      disabled={panes.length >= mostPanes}
      onClick={() => view.update({ panes: [...panes, nextPane(panes)] })}
    >
      Add a map
    </button>
  );
  return (
    <ControlPanel {...running} beside={add} title="Data and options">
      <DataControls {...view} source={source} />
      <fieldset>
        <legend>For all maps</legend>
        <FieldControls fields={mapFields} {...view} />
        <Folded>
          <FieldControls fields={moreFields} {...view} />
        </Folded>
      </fieldset>
    </ControlPanel>
  );
}

function DataControls({ source, ...view }: Omit<ControlsProps, "running">) {
  const { state } = view;
  const isFile = state.data === "file";
  const isNoisy = !["digits", "file", "blobs", "curves"].includes(state.data);
  return (
    <fieldset>
      <legend>Data</legend>
      <FieldControl fields={fields} name="data" {...view} />
      {isFile && (
        <FieldControl
          fields={fields}
          name="points"
          label="Rows at most"
          hint="Of a longer file, a random sample."
          {...view}
        />
      )}
      {!isFile && state.data !== "digits" && <FieldControl fields={fields} name="points" {...view} />}
      {isNoisy && <FieldControl fields={fields} name="noise" {...view} />}
      <VisitorFileField {...pointFiles} {...source.actions} file={isFile ? source.actions.file : undefined} />
      {isFile && <ReadOtherwise {...view} reading={source.reading} />}
    </fieldset>
  );
}

/** A map that is not there yet. */
function nextPane(panes: readonly PaneChoice[]): PaneChoice {
  const offers: readonly PaneChoice[] = [
    { method: "tsne", solver: "auto", homotopy: false },
    { method: "ee", solver: "auto", homotopy: false },
    { method: "laplacian", solver: "auto", homotopy: false },
    { method: "ssne", solver: "auto", homotopy: false },
    { method: "tsne", solver: "sd", homotopy: true },
  ];
  return (
    offers.find(
      (offer) => !panes.some(({ method, solver }) => method === offer.method && solver === offer.solver),
    ) ?? offers[0]
  );
}
