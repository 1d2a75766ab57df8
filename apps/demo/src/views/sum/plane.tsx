import { useEffect, useState } from "preact/hooks";
import { CheckField } from "../../controls/fields.js";
import { lineLooks } from "../../plot/solver-looks.js";
import { surfaceOf, useSquareCanvas } from "../../plot/use-square-canvas.js";
import { useTheme } from "../../shell/theme.js";
import { startJob } from "../../worker/job.js";
import type { Contour } from "./field-task.js";
import { solvers as looks, type SolverName } from "./options.js";
import { middle } from "./planar.js";
import { paintPlane } from "./plane-painter.js";
import type { PlanarName } from "./problem-request.js";
import type { SolverRun } from "./use-race.js";

interface PlaneProps {
  readonly objective: PlanarName;
  readonly count: number;
  readonly seed: number;
  readonly solvers: readonly SolverName[];
  readonly runs: ReadonlyMap<SolverName, SolverRun>;
  /** The pass that is shown. */
  readonly position: number;
}

/** The contours of F, the paths over them, and SFO's models. */
export function Plane({ objective, count, seed, solvers, runs, position }: PlaneProps) {
  const square = useSquareCanvas();
  const { canvas, width } = square;
  const theme = useTheme();
  const [hasModels, setHasModels] = useState(true);
  const contours = useContours(objective, count, seed);
  useEffect(() => {
    const surface = surfaceOf(square);
    if (surface === undefined) return;
    const { element, context, density } = surface;
    const { borderTopColor: grid } = getComputedStyle(element);
    const paths = solvers.map((solver) => ({
      ...lineLooks(looks[solver], theme),
      places: (runs.get(solver)?.path ?? []).filter(({ passes }) => passes <= position + nearly),
    }));
    const place = paths[solvers.indexOf("sfo")]?.places.at(-1);
    const latest = runs.get("sfo")?.models.findLast(({ passes }) => passes <= position + nearly);
    paintPlane(context, {
      size: { width, height: width },
      density,
      middle: middle[objective],
      contours,
      paths,
      models:
        hasModels && latest !== undefined && place !== undefined
          ? { list: latest.models, count, place, color: lineLooks(looks.sfo, theme).color }
          : undefined,
      grid,
    });
  });
  const names = solvers.map((solver) => looks[solver].name).join(", ");
  return (
    <>
      <canvas
        ref={canvas}
        class="plane"
        role="img"
        aria-label={`Contours of the sum, and the paths of ${names} after ${position.toFixed(1)} passes. The table has the figures.`}
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
    void job.ending.then(({ answer = [] }) => isCurrent && setContours(answer));
    return () => {
      isCurrent = false;
      setContours([]);
      job.cancel();
    };
  }, [objective, count, seed]);
  return contours;
}
