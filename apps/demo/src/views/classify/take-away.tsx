/** What one takes home: the model, its data, the curves, a picture, code. */
import { writeCsv } from "@curvature/datasets";
import { type Picture, pngOf, svgOf } from "../../export/picture.js";
import { saveFile } from "../../export/save.js";
import { type Save, TakeAwayPanel } from "../../export/take-away-panel.js";
import type { Coloring } from "../../plot/coloring.js";
import { type Theme, useTheme } from "../../shell/theme.js";
import { commandOf, dataFiles, labelColumn, typescriptOf } from "./code.js";
import { levelLine, scoreOf, solverColor, solverDash } from "./lines.js";
import { type ClassifyState, edge, modelOptions, solverNames } from "./options.js";
import type { Plane } from "./plane.js";
import type { ClassifyJob, Frame, LabeledSet } from "./task.js";
import type { Training } from "./use-training.js";
import { weightsPng, weightsSvg } from "./weights-picture.js";

interface TakeAwayProps {
  readonly state: ClassifyState;
  /** Of the data, for headings and files. */
  readonly name: string;
  /** The data as they are now. */
  readonly job: ClassifyJob;
  readonly plane: Plane | undefined;
  /** What is shown, which may be of the data before. */
  readonly training: Training | undefined;
}

export function TakeAway({ state, name, job, plane, training: shown }: TakeAwayProps) {
  const training = shown?.job === job ? shown : undefined;
  const theme = useTheme();
  const solver = state.model;
  const options = modelOptions(solver, state);
  const trained = training?.trained.get(solver);
  const files = dataFiles(name, job.test !== undefined);
  const csv = ({ rows, labels }: LabeledSet): string[] => [
    ...writeCsv(rows, { columns: job.columns, labels, labelsName: labelColumn }),
  ];
  const { test } = job;
  return (
    <TakeAwayPanel
      title={`Take it away: ${solverNames[solver]}`}
      saves={[
        {
          name: "Model (JSON)",
          save:
            trained &&
            (() => saveFile(`${name}-${solver}.json`, Uint8Array.from(trained.file), "application/json")),
        },
        {
          name: "Curves (CSV)",
          save: training && (() => saveFile("curves.csv", curvesCsv(training), "text/csv")),
        },
        { name: "Data (CSV)", save: () => saveFile(files.training, csv(job.training), "text/csv") },
        ...(test === undefined || files.test === undefined
          ? []
          : [{ name: "Data held out (CSV)", save: () => saveFile(files.test ?? "", csv(test), "text/csv") }]),
        ...(plane === undefined
          ? weightSaves(state, training?.frames.get(solver)?.at(-1), theme)
          : planeSaves(name, () => pictureOf(name, plane, training, theme))),
      ]}
      codes={[
        { title: "TypeScript", code: typescriptOf(state, files, options) },
        { title: "Command line, with the data saved as above", code: commandOf(files, options) },
      ]}
    />
  );
}

function weightSaves(
  { model: solver, digit }: ClassifyState,
  weights: Frame | undefined,
  theme: Theme,
): readonly Save[] {
  const title = `Weights of ${solverNames[solver]}: is it ${digit}?`;
  const file = `weights-${solver}`;
  return [
    {
      name: "Weights (SVG)",
      save: weights && (() => saveFile(`${file}.svg`, weightsSvg(weights, title, theme), "image/svg+xml")),
    },
    {
      name: "Weights (PNG)",
      save: weights && (async () => saveFile(`${file}.png`, await weightsPng(weights, theme), "image/png")),
    },
  ];
}

const planeSaves = (name: string, picture: () => Picture): readonly Save[] => [
  { name: "Picture (SVG)", save: () => saveFile(`${name}.svg`, svgOf(picture()), "image/svg+xml") },
  { name: "Picture (PNG)", save: async () => saveFile(`${name}.png`, await pngOf(picture()), "image/png") },
];

/** The board with the last border of every model. */
function pictureOf(
  name: string,
  { places, labels, classes, scale }: Plane,
  training: Training | undefined,
  theme: Theme,
): Picture {
  const lines = [...(training?.frames ?? [])].flatMap(([solver, frames]) => {
    const frame = frames.at(-1);
    const points = frame === undefined ? undefined : levelLine(scoreOf(frame, scale), 0);
    const dash = solverDash[solver];
    const line = { name: solverNames[solver], color: solverColor(solver, theme) };
    return points === undefined ? [] : [{ ...line, points, ...(dash === undefined ? {} : { dash }) }];
  });
  const classOf = Int32Array.from(labels, (label) => classes.indexOf(label));
  const counted = classes.map((each, k) => ({
    name: each,
    count: classOf.reduce((count, place) => count + Number(place === k), 0),
  }));
  const coloring: Coloring = { kind: "classes", classes: counted, classOf, rest: undefined };
  return {
    title: `Borders between two classes: ${name}`,
    positions: places,
    coloring,
    theme,
    lines,
    bounds: { left: -edge, right: edge, bottom: -edge, top: edge },
  };
}

function curvesCsv({ frames, job }: Training): string {
  const rows = [...frames].flatMap(([solver, list]) =>
    list.map(({ epoch, cost, trainingError, testError }) =>
      [solver, epoch, cost, trainingError, ...(job.test === undefined ? [] : [testError])].join(","),
    ),
  );
  const head = `solver,epoch,cost,training error${job.test === undefined ? "" : ",test error"}`;
  return `${[head, ...rows].join("\n")}\n`;
}
