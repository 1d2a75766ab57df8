/** What models of digits look like: their weights, pixel by pixel, and the digits that one of them gets wrong. */
import { useEffect, useRef } from "preact/hooks";
import { classColor } from "../../plot/palette.js";
import { useTheme } from "../../shell/theme.js";
import { otherName } from "./digits.js";
import { frameAt } from "./lines.js";
import { solvers as looks, type SolverName } from "./options.js";
import type { Frame, LabeledSet } from "./task.js";
import type { Training } from "./training.js";
import { side, weightPixels } from "./weights-picture.js";

/** The grey value of full ink. */
const mostInk = 16;
const mostWrong = 24;

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
              <SquarePicture
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
            <SquarePicture
              label={test.labels[row] === otherName ? "one of the others" : `a ${test.labels[row]}`}
              pixels={inkPixels(test, row)}
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

function inkPixels({ rows }: LabeledSet, row: number): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * rows.columns);
  for (let j = 0; j < rows.columns; j++) {
    const grey = 255 - (255 * rows.data[row * rows.columns + j]) / mostInk;
    pixels.set([grey, grey, grey, 255], 4 * j);
  }
  return pixels;
}

interface SquarePictureProps {
  readonly label: string;
  readonly pixels: Uint8ClampedArray<ArrayBuffer> | undefined;
}

function SquarePicture({ label, pixels }: SquarePictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (pixels !== undefined) context?.putImageData(new ImageData(pixels, side, side), 0, 0);
  }, [pixels]);
  return (
    <canvas ref={canvas} class="square-picture" width={side} height={side} role="img" aria-label={label} />
  );
}
