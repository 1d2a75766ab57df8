/** What one takes home: the point, the curves, the problem, a picture, code. */
import { writeCsv } from "@curvature/datasets";
import { type PictureLine, pictureSvg } from "../../export/picture.js";
import { saving, savingPicture } from "../../export/save.js";
import { TakeAwayPanel } from "../../export/take-away-panel.js";
import { restColor } from "../../plot/palette.js";
import { lineLooks } from "../../plot/solver-looks.js";
import { type Theme, useTheme } from "../../shell/theme.js";
import { startJob } from "../../worker/job.js";
import { commandOf, problemFile, typescriptOf } from "./code.js";
import { countOf, type SolverName, type SumState, solvers } from "./options.js";
import { edge, middle, planarSum } from "./planar.js";
import { isPlanar, mostInk, type PlanarName } from "./problem-request.js";
import type { SolverRun } from "./use-race.js";

interface TakeAwayProps {
  readonly state: SumState;
  readonly chosen: SolverName;
  readonly runs: ReadonlyMap<SolverName, SolverRun>;
}

export function TakeAway({ state, chosen, runs }: TakeAwayProps) {
  const theme = useTheme();
  const { objective, seed } = state;
  const best = runs.get(chosen)?.best;
  const isPlane = isPlanar(objective);
  const file = problemFile(state);
  return (
    <TakeAwayPanel
      title={`Take it away: ${solvers[chosen].name}`}
      saves={[
        saving("Point (CSV)", `${objective}-${chosen}.csv`, best && (() => `${[...best.x].join("\n")}\n`)),
        saving("Curves (CSV)", "curves.csv", runs.size === 0 ? undefined : () => curvesCsv(runs)),
        isPlane
          ? saving("Problem (module)", file, () => planarSum(objective, countOf(state), seed).module)
          : saving("Data (CSV)", file, digitsCsv),
        ...(isPlane
          ? savingPicture("Picture", objective, () => planeSvg(objective, state, runs, theme))
          : []),
      ]}
      codes={[
        {
          title: isPlane ? "TypeScript, with the problem saved as above" : "TypeScript",
          code: typescriptOf(state, chosen),
        },
        {
          title: `Command line, with ${isPlane ? "the problem" : "the data"} saved as above`,
          code: commandOf(state),
        },
      ]}
    />
  );
}

async function digitsCsv(): Promise<readonly string[]> {
  const { answer } = await startJob("load", { kind: "digits" }).ending;
  if (answer?.dataset === undefined) throw new Error("The digits could not be loaded.");
  const { points, columns, labels } = answer.dataset;
  const shares = { ...points, data: points.data.map((grey) => grey / mostInk) };
  return [...writeCsv(shares, { columns, labels, labelsName: "digit" })];
}

function curvesCsv(runs: ReadonlyMap<SolverName, SolverRun>): string {
  const rows = [...runs].flatMap(([solver, { curve }]) =>
    curve.map(({ passes, value }) => `${solver},${passes},${value}`),
  );
  return `${["solver,passes,F", ...rows].join("\n")}\n`;
}

/** Contours and whole paths. */
async function planeSvg(
  objective: PlanarName,
  state: SumState,
  runs: ReadonlyMap<SolverName, SolverRun>,
  theme: Theme,
): Promise<string> {
  const [x, y] = middle[objective];
  const { answer: contours = [] } = await startJob("sumField", {
    objective,
    count: countOf(state),
    seed: state.seed,
  }).ending;
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
  const paths = [...runs].map(
    ([solver, { path }]): PictureLine => ({
      ...lineLooks(solvers[solver], theme),
      points: path.flatMap((place) => [place.x, place.y]),
    }),
  );
  return pictureSvg({
    title: `Sum of ${countOf(state)} functions: ${objective}`,
    positions: [],
    coloring: { kind: "plain" },
    theme,
    lines: [...ground, ...paths],
    bounds: { left: x - edge, right: x + edge, bottom: y - edge, top: y + edge },
  });
}
