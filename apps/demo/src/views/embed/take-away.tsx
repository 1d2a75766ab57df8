/** What one takes home: coordinates, picture, data, code. */
import { writeCsv } from "@curvature/datasets";
import { useState } from "preact/hooks";
import { SelectField } from "../../controls/fields.js";
import type { Dataset } from "../../data/dataset.js";
import { pictureSvg } from "../../export/picture.js";
import { saving, savingPicture } from "../../export/save.js";
import { TakeAwayPanel } from "../../export/take-away-panel.js";
import type { Coloring } from "../../plot/coloring.js";
import { useTheme } from "../../shell/theme.js";
import { commandOf, commandTitle, dataFile, typescriptOf } from "./code.js";
import { type EmbedState, paneOptions, paneTitle } from "./options.js";
import type { PaneRun } from "./pane-run.js";

interface TakeAwayProps {
  readonly state: EmbedState;
  readonly dataset: Dataset;
  readonly coloring: Coloring;
  readonly runs: readonly (PaneRun | undefined)[];
}

export function TakeAway({ state, dataset, coloring, runs }: TakeAwayProps) {
  const theme = useTheme();
  const [chosen, setChosen] = useState("0");
  const index = Math.min(Number(chosen), state.panes.length - 1);
  const pane = state.panes[index];
  const best = runs[index]?.best;
  // Of the map that is there, whatever the controls have come to since.
  const options = runs[index]?.options ?? paneOptions(pane, state);
  const name = `${dataset.name}-${pane.method}-${pane.solver}`;
  const labelled = { labels: dataset.labels, labelsName: dataset.labelName };

  const { points, columns } = dataset;
  const csv = (data: Float64Array): Iterable<string> =>
    writeCsv({ rows: data.length / 2, columns: 2, data }, { columns: ["x", "y"], ...labelled });
  const title = `${dataset.name}: ${paneTitle(pane)}`;
  return (
    <TakeAwayPanel
      title="Take it away"
      saves={[
        saving("Coordinates (CSV)", `${name}.csv`, best && (() => [...csv(best)])),
        ...savingPicture(
          "Picture",
          name,
          best && (() => pictureSvg({ title, positions: best, coloring, theme })),
        ),
        saving("Data (CSV)", dataFile(dataset.name), () => [...writeCsv(points, { columns, ...labelled })]),
      ]}
      codes={[
        { title: "TypeScript", code: typescriptOf(state, dataset, options) },
        { title: commandTitle(state, dataset), code: commandOf(state, dataset, options) },
      ]}
    >
      <SelectField
        label="Map"
        value={String(index)}
        options={state.panes.map((each, k) => ({ value: String(k), name: `${k + 1}. ${paneTitle(each)}` }))}
        onChange={setChosen}
      />
    </TakeAwayPanel>
  );
}
