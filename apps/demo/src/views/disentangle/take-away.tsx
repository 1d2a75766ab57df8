/** What one takes home: clusters, Q, pictures, points, code. */
import { writeCsv, writeNpy } from "@curvature/datasets";
import { type Picture, pngOf, svgOf } from "../../export/picture.js";
import { saveFile } from "../../export/save.js";
import { TakeAwayPanel } from "../../export/take-away-panel.js";
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
  const { dataset } = set;
  const { name } = dataset;
  const last = run?.stills.at(-1);
  const embedding: Picture | undefined = last && {
    title: `${name}: NOMAD, K ${last.clusters}`,
    positions: last.embedding,
    coloring: coloringOf(Array.from(last.componentOf, String)),
    theme,
  };
  const { points, columns, labels, labelName: labelsName } = dataset;
  const saveData = (): void =>
    saveFile(dataFile(name), [...writeCsv(points, { columns, labels, labelsName })], "text/csv");
  const Q = matrixOf(run);
  return (
    <TakeAwayPanel
      title="Take it away"
      saves={[
        { name: "Clusters (CSV)", save: run && Q && (() => saveClusters(name, run)) },
        {
          name: "Q (NPY)",
          save: Q && (() => saveFile(`${name}-q.npy`, writeNpy(Q), "application/octet-stream")),
        },
        { name: "Q (CSV)", save: Q && (() => saveFile(`${name}-q.csv`, [...writeCsv(Q)], "text/csv")) },
        {
          name: "Q (PNG)",
          save:
            run &&
            last &&
            (async () =>
              saveFile(`${name}-q.png`, await cellsPng(last.levels, orderOf(run, last)), "image/png")),
        },
        {
          name: "Embedding (SVG)",
          save: embedding && (() => saveFile(`${name}-nomad.svg`, svgOf(embedding), "image/svg+xml")),
        },
        {
          name: "Embedding (PNG)",
          save: embedding && (async () => saveFile(`${name}-nomad.png`, await pngOf(embedding), "image/png")),
        },
        { name: "Points (CSV)", save: points.rows === 0 ? undefined : saveData },
      ]}
      codes={[
        { title: "TypeScript", code: typescriptOf(state, options) },
        {
          title: `Command line, with the points saved as ${dataFile(name)}`,
          code: commandOf(name, dataset.labelName, options),
        },
      ]}
    />
  );
}

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
