/** What one takes home: the point, the curves, the problem, a picture, code. */
import { writeCsv } from "@curvature/datasets";
import { type Picture, type PictureLine, pngOf, svgOf } from "../../export/picture.js";
import { saveFile } from "../../export/save.js";
import { type Save, TakeAwayPanel } from "../../export/take-away-panel.js";
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
  const { objective } = state;
  const best = runners.get(chosen)?.best;
  const saveProblem = (): void | Promise<void> => {
    if (!isPlanar(objective)) return saveDigits();
    const { module } = planarSum(objective, countOf(state), state.seed);
    return saveFile(problemFile(state), module, "text/javascript");
  };
  const pictures: readonly Save[] = isPlanar(objective)
    ? [
        {
          name: "Picture (SVG)",
          save: async () =>
            saveFile(
              `${objective}.svg`,
              svgOf(await pictureOf(objective, state, runners, theme)),
              "image/svg+xml",
            ),
        },
        {
          name: "Picture (PNG)",
          save: async () =>
            saveFile(
              `${objective}.png`,
              await pngOf(await pictureOf(objective, state, runners, theme)),
              "image/png",
            ),
        },
      ]
    : [];
  return (
    <TakeAwayPanel
      title={`Take it away: ${solverNames[chosen]}`}
      saves={[
        {
          name: "Point (CSV)",
          save:
            best && (() => saveFile(`${objective}-${chosen}.csv`, `${[...best.x].join("\n")}\n`, "text/csv")),
        },
        {
          name: "Curves (CSV)",
          save: runners.size === 0 ? undefined : () => saveFile("curves.csv", curvesCsv(runners), "text/csv"),
        },
        { name: isPlanar(objective) ? "Problem (module)" : "Data (CSV)", save: saveProblem },
        ...pictures,
      ]}
      codes={[
        {
          title: isPlanar(objective) ? "TypeScript, with the problem saved as above" : "TypeScript",
          code: typescriptOf(state, chosen),
        },
        {
          title: `Command line, with ${isPlanar(objective) ? "the problem" : "the data"} saved as above`,
          code: commandOf(state),
        },
      ]}
    />
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
