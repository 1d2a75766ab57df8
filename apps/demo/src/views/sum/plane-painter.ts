/** Draws the plane: contours of F, the solvers' paths up to a pass, and SFO's models there. */
import { type Camera, fitted, type Size, toScreen } from "../../plot/camera.js";
import { strokeCross } from "../../plot/cursor.js";
import type { Contour } from "./field-task.js";
import { levelEllipse, minimumOf, type Quadratic, sumOf, valueAt } from "./models.js";
import { edge } from "./planar.js";
import type { Place } from "./task.js";

interface Path {
  readonly color: string;
  readonly dash?: readonly number[] | undefined;
  /** Up to the pass that is shown. */
  readonly places: readonly Place[];
}

export interface PlanePicture {
  readonly size: Size;
  readonly density: number;
  readonly middle: readonly [number, number];
  readonly contours: readonly Contour[];
  readonly paths: readonly Path[];
  /** SFO's models of the active subfunctions, of `count` in all, and its place; undefined for none. */
  readonly models: Models | undefined;
  readonly grid: string;
}

interface Models {
  readonly list: readonly Quadratic[];
  readonly count: number;
  readonly place: Place;
  readonly color: string;
}

const planeCamera = (size: Size, [x, y]: readonly [number, number]): Camera =>
  fitted({ left: x - edge, right: x + edge, bottom: y - edge, top: y + edge }, size);

export function paintPlane(context: CanvasRenderingContext2D, picture: PlanePicture): void {
  const { size, density, contours, paths, models, grid, middle } = picture;
  const camera = planeCamera(size, middle);
  const at = (x: number, y: number): readonly [number, number] => toScreen(camera, size, x, y);
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.lineJoin = "round";
  context.strokeStyle = grid;
  context.lineWidth = 1.2;
  context.beginPath();
  for (const { segments } of contours) {
    for (let k = 0; k + 3 < segments.length; k += 4) {
      context.moveTo(...at(segments[k], segments[k + 1]));
      context.lineTo(...at(segments[k + 2], segments[k + 3]));
    }
  }
  context.stroke();
  if (models !== undefined) paintModels(context, models, contours, at);
  for (const path of paths) paintPath(context, path, at);
}

type At = (x: number, y: number) => readonly [number, number];

/** Thin: each model's line through the place. Strong: their sum, at the levels of the contours. */
function paintModels(
  context: CanvasRenderingContext2D,
  { list, count, place, color }: Models,
  contours: readonly Contour[],
  at: At,
): void {
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.globalAlpha = 0.35;
  for (const model of list) paintLine(context, levelEllipse(model, valueAt(model, place.x, place.y)), at);
  const sum = sumOf(list);
  context.globalAlpha = 0.9;
  context.lineWidth = 1.6;
  context.setLineDash([5, 4]);
  // Before all are active, their sum is a part of F.
  for (const { level } of contours) paintLine(context, levelEllipse(sum, (level * list.length) / count), at);
  context.setLineDash([]);
  const least = minimumOf(sum);
  if (least !== undefined) strokeCross(context, at(...least), 6);
  context.globalAlpha = 1;
}

function paintLine(context: CanvasRenderingContext2D, line: Float64Array | undefined, at: At): void {
  if (line === undefined) return;
  context.beginPath();
  for (let k = 0; k < line.length; k += 2) context.lineTo(...at(line[k], line[k + 1]));
  context.stroke();
}

function paintPath(context: CanvasRenderingContext2D, { color, dash = [], places }: Path, at: At): void {
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineWidth = 2;
  context.setLineDash([...dash]);
  context.beginPath();
  for (const { x, y } of places) context.lineTo(...at(x, y));
  context.stroke();
  context.setLineDash([]);
  const end = places.at(-1);
  if (end === undefined) return;
  context.beginPath();
  context.arc(...at(end.x, end.y), 5, 0, 2 * Math.PI);
  context.fill();
}
