/** What one takes home: coordinates, picture, data, code. */
import { writeCsv } from "@curvature/datasets";
import { useState } from "preact/hooks";
import { SelectField } from "../../controls/fields.js";
import type { Dataset } from "../../data/dataset.js";
import { CodeBlock } from "../../export/code-block.js";
import { pngOf, svgOf } from "../../export/picture.js";
import { saveFile } from "../../export/save.js";
import type { Coloring } from "../../plot/coloring.js";
import { useTheme } from "../../shell/theme.js";
import { commandOf, dataFile, typescriptOf } from "./code.js";
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
  const [problem, setProblem] = useState("");
  const index = Math.min(Number(chosen), state.panes.length - 1);
  const pane = state.panes[index];
  const best = runs[index]?.best;
  // Of the map that is there, whatever the controls have come to since.
  const options = runs[index]?.options ?? paneOptions(pane, state);
  const name = `${dataset.name}-${pane.method}-${pane.solver}`;
  const labelled =
    dataset.labels === undefined ? {} : { labels: dataset.labels, labelsName: dataset.labelName ?? "label" };

  const saveMap = (): void => {
    if (best === undefined) return;
    const map = { rows: best.length / 2, columns: 2, data: best };
    saveFile(`${name}.csv`, [...writeCsv(map, { columns: ["x", "y"], ...labelled })], "text/csv");
  };
  const saveData = (): void => {
    const { points, columns } = dataset;
    saveFile(dataFile(dataset.name), [...writeCsv(points, { columns, ...labelled })], "text/csv");
  };
  const picture = (positions: ArrayLike<number>) => ({
    title: `${dataset.name}: ${paneTitle(pane)}`,
    positions,
    coloring,
    theme,
  });
  const savePng = (): void => {
    if (best === undefined) return;
    pngOf(picture(best)).then(
      (blob) => saveFile(`${name}.png`, blob, "image/png"),
      (error: unknown) => setProblem(String(error)),
    );
  };
  return (
    <section class="panel stack" aria-labelledby="take-title">
      <h2 id="take-title">Take it away</h2>
      <SelectField
        label="Map"
        value={String(index)}
        options={state.panes.map((each, k) => ({ value: String(k), name: `${k + 1}. ${paneTitle(each)}` }))}
        onChange={setChosen}
      />
      <div class="row">
        <button type="button" class="quiet" disabled={best === undefined} onClick={saveMap}>
          Coordinates (CSV)
        </button>
        <button
          type="button"
          class="quiet"
          disabled={best === undefined}
          onClick={() => best !== undefined && saveFile(`${name}.svg`, svgOf(picture(best)), "image/svg+xml")}
        >
          Picture (SVG)
        </button>
        <button type="button" class="quiet" disabled={best === undefined} onClick={savePng}>
          Picture (PNG)
        </button>
        <button type="button" class="quiet" onClick={saveData}>
          Data (CSV)
        </button>
      </div>
      {problem !== "" && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      <CodeBlock title="TypeScript" code={typescriptOf(state, dataset, options)} />
      <CodeBlock
        title={`Command line, with the data saved as ${dataFile(dataset.name)}`}
        code={commandOf(state, dataset, options)}
      />
    </section>
  );
}
