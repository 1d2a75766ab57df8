/** What models of digits look like: their weights, pixel by pixel, and the digits that one of them gets wrong. */
import { classColor } from "../../plot/palette.js";
import { inkPixels, PixelPicture } from "../../plot/pixel-picture.js";
import { useTheme } from "../../shell/theme.js";
import type { LabeledSet } from "./digits.js";
import { otherName } from "./digits.js";
import { frameAt } from "./lines.js";
import { solvers as looks, type SolverName } from "./options.js";
import type { Frame } from "./task.js";
import type { Training } from "./training.js";
import { side, weightPixels } from "./weights-picture.js";

/** The grey value of full ink. */
const mostInk = 16;
const mostWrong = 24;
const square = { class: "square-picture", columns: side, rows: side };

interface WeightsProps {
  readonly training: Training | undefined;
  readonly solvers: readonly SolverName[];
  readonly epoch: number;
  readonly digit: string;
}

export function Weights({ training, solvers, epoch, digit }: WeightsProps) {
  const theme = useTheme();
  return (
    <>
      <p class="hint">
        Ink on these pixels speaks <span class="legend-mark" style={{ background: classColor(0, theme) }} />
        for {digit}, <span class="legend-mark" style={{ background: classColor(1, theme) }} />
        against it.
      </p>
      <div class="weights">
        {solvers.map((solver) => {
          const frame = frameAt(training?.frames.get(solver) ?? [], epoch);
          return (
            <figure key={solver}>
              <PixelPicture
                {...square}
                label={`Weights of ${looks[solver].name}: pixels that speak for ${digit}, and against`}
                pixels={frame === undefined ? undefined : weightPixels(frame, theme)}
              />
              <figcaption>
                <span class="legend-mark" style={{ background: classColor(looks[solver].color, theme) }} />
                {looks[solver].name}
              </figcaption>
            </figure>
          );
        })}
      </div>
    </>
  );
}

interface MistakesProps {
  readonly frame: Frame | undefined;
  readonly test: LabeledSet;
}

/** The digits held out that a model gets wrong. */
export function Mistakes({ frame, test }: MistakesProps) {
  if (frame === undefined) return null;
  const { rows } = test;
  const wrong = mistakesOf(frame, test);
  return (
    <div class="stack">
      <p class="hint">
        {wrong.length} of the {test.labels.length} digits held out are read wrong
        {wrong.length > mostWrong ? `; the first ${mostWrong}` : ""}, and what they are:
      </p>
      <ul class="mistakes">
        {wrong.slice(0, mostWrong).map((row) => (
          <li key={row}>
            <PixelPicture
              {...square}
              label={test.labels[row] === otherName ? "one of the others" : `a ${test.labels[row]}`}
              pixels={inkPixels(rows.data.subarray(row * rows.columns, (row + 1) * rows.columns), mostInk)}
            />
            <span>{test.labels[row]}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function mistakesOf({ parameters }: Frame, { rows, labels }: LabeledSet): readonly number[] {
  const { columns, data } = rows;
  const wrong: number[] = [];
  for (let i = 0; i < rows.rows; i++) {
    let score = parameters[columns];
    for (let j = 0; j < columns; j++) score += parameters[j] * data[i * columns + j];
    if (score > 0 !== (labels[i] === otherName)) wrong.push(i);
  }
  return wrong;
}
