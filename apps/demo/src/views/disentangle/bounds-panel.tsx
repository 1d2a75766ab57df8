/** How far the answer is from the best possible one: both bounds, in words and as curves. */
import { useMemo } from "preact/hooks";
import { Panel } from "../../controls/panel.js";
import { type Line, LineChart } from "../../plot/line-chart.js";
import { classColor } from "../../plot/palette.js";
import { useTheme } from "../../shell/theme.js";
import type { NomadRun } from "./nomad-run.js";
import type { BoundsPoint, Still } from "./task.js";

interface BoundsPanelProps {
  readonly run: NomadRun;
  readonly still: Still;
}

export function BoundsPanel({ run, still }: BoundsPanelProps) {
  const theme = useTheme();
  const { stage, clusters } = still;
  const first = stage === 0 ? run.spectralBound : clusters;
  const lines = useMemo(
    () =>
      linesOf(
        run.bounds.filter((point) => point.stage === stage),
        first,
        theme,
      ),
    [run, run.bounds.length, stage, first, theme],
  );
  const name = run.stills.some((each) => each.stage !== stage) ? `, layer with K = ${clusters}` : "";
  return (
    <Panel title={`The bounds of Q${name}`}>
      <p class="numbers bounds-words">
        <BoundsWords still={still} />
      </p>
      {new Set(lines[0].x).size < 2 && !run.isRunning ? (
        <p class="hint">There is no curve: this layer was solved in one iteration.</p>
      ) : (
        <>
          <LineChart
            label={`Lower and upper bound${name} against iterations; the sentence above has their numbers.`}
            lines={lines}
            xName="iterations"
            yName="Tr(D Q)"
            height={190}
          />
          <p class="hint">
            The lower bound is the value of the best Q so far, which satisfies all constraints. The upper one
            holds for every Q; it comes from the dual programme, and starts at{" "}
            {stage === 0
              ? "what the largest eigenvalues of D allow"
              : "K, which no layer after the first can exceed"}
            . It falls in steps, and late: every step is a certificate, by all eigenvalues of a matrix, which
            is computed only where an estimate says that it will do. Estimates prove nothing and are not
            drawn. Lower bounds of less than 80 % of the last are left out.
          </p>
        </>
      )}
    </Panel>
  );
}

/** What the gap means. */
function BoundsWords({ still: { lower, upper } }: { readonly still: Still }) {
  if (upper === Number.POSITIVE_INFINITY)
    return (
      <>
        {figure(lower)} ≤ best possible value. No certificate yet: how much better another Q could be is not
        known.
      </>
    );
  const share = Math.max(0, upper - lower) / Math.max(Math.abs(upper), Number.MIN_VALUE);
  return (
    <>
      {figure(lower)} ≤ best possible value ≤ {figure(upper)}.{" "}
      <strong>Certified gap {share < least ? `below ${percent(least)}` : percent(share)}</strong>: this Q
      provably has at least {atLeast(share)} of the best possible value.
    </>
  );
}

export const figure = (value: number): string => value.toPrecision(6);

/** Gaps below are rounding. */
const least = 1e-8;

export const percent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`;

/** 1 − share, with as many nines as there are, and rounded down. */
function atLeast(share: number): string {
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(Math.max(share, least))) - 1));
  const unit = 10 ** digits;
  return `${(Math.floor(100 * (1 - share) * unit) / unit).toFixed(digits)} %`;
}

const mostDrawn = 800;
/** Of the last lower bound: below, the curve says only that the run has just begun. */
const leastShare = 0.8;

function linesOf(all: readonly BoundsPoint[], first: number, theme: "light" | "dark"): readonly Line[] {
  const least = leastShare * (all.at(-1)?.lower ?? 0);
  const points = all.filter(({ lower }) => lower >= least);
  const stride = Math.max(1, Math.ceil(points.length / mostDrawn));
  const isStep = (k: number): boolean =>
    points[k].lower !== points[k - 1]?.lower || points[k].upper !== points[k - 1]?.upper;
  // Both ends of a step, so that it is drawn as one.
  const drawn = points.filter(
    (_, k) =>
      k % stride === 0 || k === points.length - 1 || isStep(k) || (k + 1 < points.length && isStep(k + 1)),
  );
  const x = drawn.map(({ iteration }) => iteration);
  return [
    {
      name: "upper",
      color: classColor(6, theme),
      dash: [8, 4],
      x,
      y: drawn.map(({ upper }) => Math.min(upper, first)),
    },
    { name: "lower", color: classColor(0, theme), x, y: drawn.map(({ lower }) => lower) },
  ];
}
