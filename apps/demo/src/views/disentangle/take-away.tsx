/** What one takes home: clusters, Q, pictures, points, code. */
import { writeCsv, writeNpy } from "@curvature/datasets";
import { pictureSvg } from "../../export/picture.js";
import { saving, savingPicture } from "../../export/save.js";
import { drawnPng } from "../../export/svg.js";
import { TakeAwayPanel } from "../../export/take-away-panel.js";
import { coloringOf } from "../../plot/coloring.js";
import { useTheme } from "../../shell/theme.js";
import { commandOf, dataFile, typescriptOf } from "./code.js";
import { byComponent, paintCells } from "./heat-map-painter.js";
import type { NomadRun } from "./nomad-run.js";
import type { DisentangleState, PlainNomadOptions } from "./options.js";
import type { PointSet } from "./points.js";
import type { Still } from "./task.js";

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
  const Q = matrixOf(run);
  const { points, columns, labels, labelName: labelsName } = dataset;
  const embeddingSvg = (still: Still): string =>
    pictureSvg({
      title: `${name}: NOMAD, K ${still.clusters}`,
      positions: still.embedding,
      coloring: coloringOf(Array.from(still.componentOf, String)),
      theme,
    });
  const data = (): readonly string[] => [...writeCsv(points, { columns, labels, labelsName })];
  return (
    <TakeAwayPanel
      title="Take it away"
      saves={[
        saving("Clusters (CSV)", `${name}-clusters.csv`, run && Q && (() => clustersCsv(run))),
        saving("Q (NPY)", `${name}-q.npy`, Q && (() => writeNpy(Q))),
        saving("Q (CSV)", `${name}-q.csv`, Q && (() => [...writeCsv(Q)])),
        saving("Q (PNG)", `${name}-q.png`, run && last && (() => cellsPng(run, last))),
        ...savingPicture("Embedding", `${name}-nomad`, last && (() => embeddingSvg(last))),
        saving("Points (CSV)", dataFile(name), points.rows === 0 ? undefined : data),
      ]}
      codes={[
        { title: "TypeScript", code: typescriptOf(state, options) },
        {
          title: `Command line, with the points saved as ${dataFile(name)}`,
          code: commandOf(name, dataset.labelName, options, state.target),
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
function clustersCsv({ answer, stills }: NomadRun): readonly string[] {
  const componentOf = stills.at(-1)?.componentOf ?? new Int32Array(0);
  const table = Array.from(componentOf, (component, i) =>
    answer === undefined ? [component] : [answer.labels[i], answer.membership[i], component],
  );
  const columns = answer === undefined ? ["component"] : ["cluster", "membership", "component"];
  const matrix = { rows: table.length, columns: columns.length, data: Float64Array.from(table.flat()) };
  return [...writeCsv(matrix, { columns })];
}

function cellsPng({ answer }: NomadRun, { levels, componentOf }: Still): Promise<Blob> {
  const cells = document.createElement("canvas");
  const order = answer?.order ?? byComponent(componentOf);
  paintCells(cells, levels, order);
  const side = order.length * Math.max(1, Math.round(pictureSide / order.length));
  return drawnPng(side, side, (context) => {
    context.imageSmoothingEnabled = false;
    context.drawImage(cells, 0, 0, side, side);
  });
}
