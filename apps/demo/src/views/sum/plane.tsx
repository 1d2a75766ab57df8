import { useEffect, useState } from "preact/hooks";
import { CheckField } from "../../controls/fields.js";
import { surfaceOf, useSquareCanvas } from "../../plot/use-square-canvas.js";
import { useTheme } from "../../shell/theme.js";
import { startJob } from "../../worker/job.js";
import type { Contour } from "./field-task.js";
import { solverColor, solverDash } from "./looks.js";
import { type PlanarName, type SolverName, solverNames } from "./options.js";
import { middle } from "./planar.js";
import { paintPlane } from "./plane-painter.js";
import type { Runner } from "./use-race.js";

interface PlaneProps {
  readonly objective: PlanarName;
  readonly count: number;
  readonly seed: number;
  readonly solvers: readonly SolverName[];
  readonly runners: ReadonlyMap<SolverName, Runner>;
  /** The pass that is shown. */
  readonly position: number;
}

/** The landscape, the ways over it, and SFO's models. */
export function Plane({ objective, count, seed, solvers, runners, position }: PlaneProps) {
  const square = useSquareCanvas();
  const { canvas, width } = square;
  const theme = useTheme();
  const [hasModels, setHasModels] = useState(true);
  const contours = useContours(objective, count, seed);
  useEffect(() => {
    const surface = surfaceOf(square);
    if (surface === undefined) return;
    const { element, context, density } = surface;
    const { color: ink, borderTopColor: grid } = getComputedStyle(element);
    const ways = solvers.map((solver) => ({
      color: solverColor(solver, theme),
      dash: solverDash[solver],
      places: (runners.get(solver)?.path ?? []).filter(({ passes }) => passes <= position + nearly),
    }));
    const place = ways[solvers.indexOf("sfo")]?.places.at(-1);
    const belief = runners.get("sfo")?.beliefs.findLast(({ passes }) => passes <= position + nearly);
    paintPlane(context, {
      size: { width, height: width },
      density,
      middle: middle[objective],
      contours,
      ways,
      belief:
        hasModels && belief !== undefined && place !== undefined
          ? { models: belief.models, count, place, color: solverColor("sfo", theme) }
          : undefined,
      ink,
      grid,
    });
  });
  const names = solvers.map((solver) => solverNames[solver]).join(", ");
  return (
    <>
      <canvas
        ref={canvas}
        class="plane"
        role="img"
        aria-label={`Contours of the sum, and the ways of ${names} after ${position.toFixed(1)} passes. The table has the figures.`}
      />
      {solvers.includes("sfo") && (
        <CheckField label="SFO's quadratic models" value={hasModels} onChange={setHasModels} />
      )}
    </>
  );
}

/** Passes are sums of parts. */
const nearly = 1e-9;

function useContours(objective: PlanarName, count: number, seed: number): readonly Contour[] {
  const [contours, setContours] = useState<readonly Contour[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const job = startJob("sumField", { objective, count, seed });
    void job.ending.then((ending) => {
      if (isCurrent && ending.kind === "done") setContours(ending.result);
    });
    return () => {
      isCurrent = false;
      setContours([]);
      job.cancel();
    };
  }, [objective, count, seed]);
  return contours;
}
