/** What one takes home: clusters, Q, pictures, points, code. */
import { writeCsv, writeNpy } from "@curvature/datasets";
import { useState } from "preact/hooks";
import { CodeBlock } from "../../export/code-block.js";
import { type Picture, pngOf, svgOf } from "../../export/picture.js";
import { saveFile } from "../../export/save.js";
import { coloringOf } from "../../plot/coloring.js";
import { useTheme } from "../../shell/theme.js";
import { commandOf, dataFile, typescriptOf } from "./code.js";
import { paintCells } from "./heat-map-painter.js";
import type { DisentangleState, PlainNomadOptions } from "./options.js";
import { orderOf } from "./order.js";
import type { PointSet } from "./points.js";
import type { NomadRun } from "./use-run.js";

interface TakeAwayProps {
  readonly state: DisentangleState;
  readonly set: PointSet;
  readonly options: PlainNomadOptions;
  readonly run: NomadRun | undefined;
}

/** Pixels of Q's picture, about. */
const pictureSide = 1200;

export function TakeAway({ state, set, options, run }: TakeAwayProps) {
  const theme = useTheme();
  const [problem, setProblem] = useState("");
  const { dataset } = set;
  const { name } = dataset;
  const last = run?.stills.at(-1);
  const saveBlob = (file: string, blob: Promise<Blob>): void => {
    blob.then(
      (content) => saveFile(file, content, "image/png"),
      (error: unknown) => setProblem(String(error)),
    );
  };
  const embedding = (): Picture | undefined =>
    last === undefined
      ? undefined
      : {
          title: `${name}: NOMAD, K ${last.clusters}`,
          positions: last.embedding,
          coloring: coloringOf(Array.from(last.componentOf, String)),
          theme,
        };
  const saveData = (): void => {
    const { points, columns, labels, labelName } = dataset;
    const labelled = labels === undefined ? {} : { labels, labelsName: labelName ?? "label" };
    saveFile(dataFile(name), [...writeCsv(points, { columns, ...labelled })], "text/csv");
  };
  const isEmpty = run?.Q === undefined || last === undefined;
  return (
    <section class="panel stack" aria-labelledby="disentangle-take">
      <h2 id="disentangle-take">Take it away</h2>
      <div class="row">
        <Save
          name="Clusters (CSV)"
          isDisabled={isEmpty}
          onSave={() => run !== undefined && saveClusters(name, run)}
        />
        <Save
          name="Q (NPY)"
          isDisabled={isEmpty}
          onSave={() => {
            const Q = matrixOf(run);
            if (Q !== undefined) saveFile(`${name}-q.npy`, writeNpy(Q), "application/octet-stream");
          }}
        />
        <Save
          name="Q (CSV)"
          isDisabled={isEmpty}
          onSave={() => {
            const Q = matrixOf(run);
            if (Q !== undefined) saveFile(`${name}-q.csv`, [...writeCsv(Q)], "text/csv");
          }}
        />
        <Save
          name="Q (PNG)"
          isDisabled={isEmpty}
          onSave={() =>
            run !== undefined &&
            last !== undefined &&
            saveBlob(`${name}-q.png`, cellsPng(last.levels, orderOf(run, last)))
          }
        />
        <Save
          name="Embedding (SVG)"
          isDisabled={isEmpty}
          onSave={() => {
            const picture = embedding();
            if (picture !== undefined) saveFile(`${name}-nomad.svg`, svgOf(picture), "image/svg+xml");
          }}
        />
        <Save
          name="Embedding (PNG)"
          isDisabled={isEmpty}
          onSave={() => {
            const picture = embedding();
            if (picture !== undefined) saveBlob(`${name}-nomad.png`, pngOf(picture));
          }}
        />
        <Save name="Points (CSV)" isDisabled={dataset.points.rows === 0} onSave={saveData} />
      </div>
      {problem !== "" && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      <CodeBlock title="TypeScript" code={typescriptOf(state, options)} />
      <CodeBlock
        title={`Command line, with the points saved as ${dataFile(name)}`}
        code={commandOf(name, dataset.labelName, options)}
      />
    </section>
  );
}

interface SaveProps {
  readonly name: string;
  readonly isDisabled: boolean;
  readonly onSave: () => void;
}

const Save = ({ name, isDisabled, onSave }: SaveProps) => (
  <button type="button" class="quiet" disabled={isDisabled} onClick={onSave}>
    {name}
  </button>
);

function matrixOf(run: NomadRun | undefined) {
  if (run?.Q === undefined) return undefined;
  const n = Math.round(Math.sqrt(run.Q.length));
  return { rows: n, columns: n, data: run.Q };
}

/** As the command line writes them; of a run that had to be ended the components alone. */
function saveClusters(name: string, { answer, stills }: NomadRun): void {
  const componentOf = stills.at(-1)?.componentOf ?? new Int32Array(0);
  const table = Array.from(componentOf, (component, i) =>
    answer === undefined ? [component] : [answer.labels[i], answer.membership[i], component],
  );
  const columns = answer === undefined ? ["component"] : ["cluster", "membership", "component"];
  const matrix = { rows: table.length, columns: columns.length, data: Float64Array.from(table.flat()) };
  saveFile(`${name}-clusters.csv`, [...writeCsv(matrix, { columns })], "text/csv");
}

function cellsPng(levels: Uint8Array, order: Int32Array): Promise<Blob> {
  const cells = document.createElement("canvas");
  paintCells(cells, levels, order);
  const canvas = document.createElement("canvas");
  const side = order.length * Math.max(1, Math.round(pictureSide / order.length));
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (context === null)
    return Promise.reject(new Error("This browser gives no canvas to draw the picture on."));
  context.imageSmoothingEnabled = false;
  context.drawImage(cells, 0, 0, side, side);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error("The picture could not be made.")) : resolve(blob),
    );
  });
}
