/** What one takes home: the model, its data, the curves, a picture, code. */
import { writeCsv } from "@curvature/datasets";
import { useState } from "preact/hooks";
import { CodeBlock } from "../../export/code-block.js";
import { type Picture, pngOf, svgOf } from "../../export/picture.js";
import { saveFile } from "../../export/save.js";
import type { Coloring } from "../../plot/coloring.js";
import { type Theme, useTheme } from "../../shell/theme.js";
import { commandOf, dataFiles, labelColumn, typescriptOf } from "./code.js";
import { levelLine, scoreOf, solverColor, solverDash } from "./lines.js";
import { type ClassifyState, edge, modelOptions, solverNames } from "./options.js";
import type { Plane } from "./plane.js";
import type { ClassifyJob, LabeledSet } from "./task.js";
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
  const [problem, setProblem] = useState("");
  const solver = state.model;
  const options = modelOptions(solver, state);
  const trained = training?.trained.get(solver);
  const files = dataFiles(name, job.test !== undefined);
  const saveTable = (file: string, { rows, labels }: LabeledSet): void => {
    const { columns } = job;
    saveFile(file, [...writeCsv(rows, { columns, labels, labelsName: labelColumn })], "text/csv");
  };
  const weights = training?.frames.get(solver)?.at(-1);
  const saveWeights = (kind: "svg" | "png"): void => {
    if (weights === undefined) return;
    const title = `Weights of ${solverNames[solver]}: is it ${state.digit}?`;
    const file = `weights-${solver}.${kind}`;
    if (kind === "svg") saveFile(file, weightsSvg(weights, title, theme), "image/svg+xml");
    else
      weightsPng(weights, theme).then(
        (blob) => saveFile(file, blob, "image/png"),
        (error: unknown) => setProblem(String(error)),
      );
  };
  const savePng = (picture: Picture): void => {
    pngOf(picture).then(
      (blob) => saveFile(`${name}.png`, blob, "image/png"),
      (error: unknown) => setProblem(String(error)),
    );
  };
  return (
    <section class="panel stack" aria-labelledby="classify-take">
      <h2 id="classify-take">Take it away: {solverNames[solver]}</h2>
      <div class="row">
        <button
          type="button"
          class="quiet"
          disabled={trained === undefined}
          onClick={() =>
            trained !== undefined &&
            saveFile(`${name}-${solver}.json`, Uint8Array.from(trained.file), "application/json")
          }
        >
          Model (JSON)
        </button>
        <button
          type="button"
          class="quiet"
          disabled={training === undefined}
          onClick={() => training !== undefined && saveFile("curves.csv", curvesCsv(training), "text/csv")}
        >
          Curves (CSV)
        </button>
        <button
          type="button"
          class="quiet"
          disabled={job.training.labels.length === 0}
          onClick={() => saveTable(files.training, job.training)}
        >
          Data (CSV)
        </button>
        {job.test !== undefined && files.test !== undefined && (
          <button
            type="button"
            class="quiet"
            onClick={() => job.test !== undefined && saveTable(files.test ?? "", job.test)}
          >
            Data held out (CSV)
          </button>
        )}
        {state.data === "digits" && (
          <>
            <button
              type="button"
              class="quiet"
              disabled={weights === undefined}
              onClick={() => saveWeights("svg")}
            >
              Weights (SVG)
            </button>
            <button
              type="button"
              class="quiet"
              disabled={weights === undefined}
              onClick={() => saveWeights("png")}
            >
              Weights (PNG)
            </button>
          </>
        )}
        {plane !== undefined && (
          <>
            <button
              type="button"
              class="quiet"
              onClick={() =>
                saveFile(`${name}.svg`, svgOf(pictureOf(name, plane, training, theme)), "image/svg+xml")
              }
            >
              Picture (SVG)
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() => savePng(pictureOf(name, plane, training, theme))}
            >
              Picture (PNG)
            </button>
          </>
        )}
      </div>
      {problem !== "" && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      <CodeBlock title="TypeScript" code={typescriptOf(state, files, options)} />
      <CodeBlock title="Command line, with the data saved as above" code={commandOf(files, options)} />
    </section>
  );
}

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
