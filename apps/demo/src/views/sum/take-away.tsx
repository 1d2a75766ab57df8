/** What one takes home: the point, the curves, the problem, a picture, code. */
import { writeCsv } from "@curvature/datasets";
import { useState } from "preact/hooks";
import { CodeBlock } from "../../export/code-block.js";
import { type Picture, type PictureLine, pngOf, svgOf } from "../../export/picture.js";
import { saveFile } from "../../export/save.js";
import { restColor } from "../../plot/palette.js";
import { type Theme, useTheme } from "../../shell/theme.js";
import { startJob } from "../../worker/job.js";
import { commandOf, problemFile, typescriptOf } from "./code.js";
import { solverColor, solverDash } from "./looks.js";
import {
  countOf,
  isPlanar,
  mostInk,
  type PlanarName,
  type SolverName,
  type SumState,
  solverNames,
} from "./options.js";
import { edge, middle, planarSum } from "./planar.js";
import type { Runner } from "./use-race.js";

interface TakeAwayProps {
  readonly state: SumState;
  readonly chosen: SolverName;
  readonly runners: ReadonlyMap<SolverName, Runner>;
}

export function TakeAway({ state, chosen, runners }: TakeAwayProps) {
  const theme = useTheme();
  const [problem, setProblem] = useState("");
  const { objective } = state;
  const best = runners.get(chosen)?.best;
  const saveProblem = (): void => {
    if (isPlanar(objective)) {
      const { module } = planarSum(objective, countOf(state), state.seed);
      saveFile(problemFile(state), module, "text/javascript");
    } else saveDigits().catch((error: unknown) => setProblem(String(error)));
  };
  const savePicture = (name: PlanarName, kind: "svg" | "png"): void => {
    pictureOf(name, state, runners, theme)
      .then(async (picture) => {
        if (kind === "svg") saveFile(`${name}.svg`, svgOf(picture), "image/svg+xml");
        else saveFile(`${name}.png`, await pngOf(picture), "image/png");
      })
      .catch((error: unknown) => setProblem(String(error)));
  };
  return (
    <section class="panel stack" aria-labelledby="sum-take">
      <h2 id="sum-take">Take it away: {solverNames[chosen]}</h2>
      <div class="row">
        <button
          type="button"
          class="quiet"
          disabled={best === undefined}
          onClick={() =>
            best !== undefined &&
            saveFile(`${objective}-${chosen}.csv`, `${[...best.x].join("\n")}\n`, "text/csv")
          }
        >
          Point (CSV)
        </button>
        <button
          type="button"
          class="quiet"
          disabled={runners.size === 0}
          onClick={() => saveFile("curves.csv", curvesCsv(runners), "text/csv")}
        >
          Curves (CSV)
        </button>
        <button type="button" class="quiet" onClick={saveProblem}>
          {isPlanar(objective) ? "Problem (module)" : "Data (CSV)"}
        </button>
        {isPlanar(objective) && (
          <>
            <button type="button" class="quiet" onClick={() => savePicture(objective, "svg")}>
              Picture (SVG)
            </button>
            <button type="button" class="quiet" onClick={() => savePicture(objective, "png")}>
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
      <CodeBlock
        title={isPlanar(objective) ? "TypeScript, with the problem saved as above" : "TypeScript"}
        code={typescriptOf(state, chosen)}
      />
      <CodeBlock
        title={`Command line, with ${isPlanar(objective) ? "the problem" : "the data"} saved as above`}
        code={commandOf(state)}
      />
    </section>
  );
}

async function saveDigits(): Promise<void> {
  const ending = await startJob("load", { kind: "digits" }).ending;
  if (ending.kind !== "done") throw new Error("The digits could not be loaded.");
  const { points, columns, labels = [] } = ending.result;
  const shares = { ...points, data: points.data.map((grey) => grey / mostInk) };
  saveFile("digits.csv", [...writeCsv(shares, { columns, labels, labelsName: "digit" })], "text/csv");
}

function curvesCsv(runners: ReadonlyMap<SolverName, Runner>): string {
  const rows = [...runners].flatMap(([solver, { curve }]) =>
    curve.map(({ passes, value }) => `${solver},${passes},${value}`),
  );
  return `${["solver,passes,F", ...rows].join("\n")}\n`;
}

/** Contours and whole ways. */
async function pictureOf(
  objective: PlanarName,
  state: SumState,
  runners: ReadonlyMap<SolverName, Runner>,
  theme: Theme,
): Promise<Picture> {
  const [x, y] = middle[objective];
  const ending = await startJob("sumField", { objective, count: countOf(state), seed: state.seed }).ending;
  const contours = ending.kind === "done" ? ending.result : [];
  const ground = contours.flatMap(({ segments }) =>
    Array.from(
      { length: segments.length / 4 },
      (_, k): PictureLine => ({
        name: "",
        color: restColor(theme),
        points: segments.subarray(4 * k, 4 * k + 4),
      }),
    ),
  );
  const ways = [...runners].map(([solver, { path }]): PictureLine => {
    const dash = solverDash[solver];
    return {
      name: solverNames[solver],
      color: solverColor(solver, theme),
      points: path.flatMap((place) => [place.x, place.y]),
      ...(dash === undefined ? {} : { dash }),
    };
  });
  return {
    title: `Sum of ${countOf(state)} functions: ${objective}`,
    positions: [],
    coloring: { kind: "plain" },
    theme,
    lines: [...ground, ...ways],
    bounds: { left: x - edge, right: x + edge, bottom: y - edge, top: y + edge },
  };
}
