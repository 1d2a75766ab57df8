/** What one takes home: the model, its data, the curves, a picture, code. */
import { writeCsv } from "@curvature/datasets";
import { pictureSvg } from "../../export/picture.js";
import { saving, savingPicture } from "../../export/save.js";
import { TakeAwayPanel } from "../../export/take-away-panel.js";
import type { Coloring } from "../../plot/coloring.js";
import { lineLooks } from "../../plot/solver-looks.js";
import { type Theme, useTheme } from "../../shell/theme.js";
import { commandOf, dataFiles, labelColumn, typescriptOf } from "./code.js";
import type { LabeledSet } from "./digits.js";
import { levelLine, scoreOf } from "./lines.js";
import { type ClassifyState, edge, modelOptions, solvers } from "./options.js";
import type { Plane } from "./plane.js";
import type { ClassifyJob } from "./task.js";
import type { Training } from "./training.js";
import { weightsSvg } from "./weights-picture.js";

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
  const { model: solver, digit } = state;
  const solverName = solvers[solver].name;
  const options = modelOptions(solver, state);
  const file = training?.files.get(solver);
  const weights = training?.frames.get(solver)?.at(-1);
  const { test } = job;
  const files = dataFiles(name, test !== undefined);
  const csv = ({ rows, labels }: LabeledSet): string[] => [
    ...writeCsv(rows, { columns: job.columns, labels, labelsName: labelColumn }),
  ];
  return (
    <TakeAwayPanel
      title={`Take it away: ${solverName}`}
      saves={[
        saving("Model (JSON)", `${name}-${solver}.json`, file && (() => file)),
        saving("Curves (CSV)", "curves.csv", training && (() => curvesCsv(training))),
        saving("Data (CSV)", files.training, () => csv(job.training)),
        ...(test === undefined || files.test === undefined
          ? []
          : [saving("Data held out (CSV)", files.test, () => csv(test))]),
        ...(plane === undefined
          ? savingPicture(
              "Weights",
              `weights-${solver}`,
              weights && (() => weightsSvg(weights, `Weights of ${solverName}: is it ${digit}?`, theme)),
            )
          : savingPicture("Picture", name, () => bordersSvg(name, plane, training, theme))),
      ]}
      codes={[
        { title: "TypeScript", code: typescriptOf(state, files, options) },
        { title: "Command line, with the data saved as above", code: commandOf(files, options) },
      ]}
    />
  );
}

/** The board with the last border of every model. */
function bordersSvg(
  name: string,
  { places, labels, classes, scale }: Plane,
  training: Training | undefined,
  theme: Theme,
): string {
  const lines = [...(training?.frames ?? [])].flatMap(([solver, frames]) => {
    const frame = frames.at(-1);
    const points = frame === undefined ? undefined : levelLine(scoreOf(frame, scale), 0);
    return points === undefined ? [] : [{ ...lineLooks(solvers[solver], theme), points }];
  });
  const classOf = Int32Array.from(labels, (label) => classes.indexOf(label));
  const counted = classes.map((each, k) => ({
    name: each,
    count: classOf.reduce((count, place) => count + Number(place === k), 0),
  }));
  const coloring: Coloring = { kind: "classes", classes: counted, classOf, rest: undefined };
  return pictureSvg({
    title: `Borders between two classes: ${name}`,
    positions: places,
    coloring,
    theme,
    lines,
    bounds: { left: -edge, right: edge, bottom: -edge, top: edge },
  });
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
