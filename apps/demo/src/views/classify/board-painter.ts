/** Draws the board: the points, the borders of all models, and both sides of the chosen one. */
import { type Camera, fitted, type Size, toScreen } from "../../plot/camera.js";
import { strokeCross } from "../../plot/cursor.js";
import { channelsOf } from "../../plot/palette.js";
import { levelLine, type Score } from "./lines.js";
import { edge } from "./options.js";

export interface Border {
  readonly score: Score;
  readonly color: string;
  readonly dash: readonly number[] | undefined;
  readonly isChosen: boolean;
}

export interface BoardPicture {
  readonly size: Size;
  readonly density: number;
  /** The points, as large as the board. */
  readonly points: HTMLCanvasElement;
  readonly borders: readonly Border[];
  /** Of the sides where the score is below and above 0. */
  readonly sides: readonly [string, string];
  readonly ink: string;
  readonly grid: string;
  /** Where keys would set a point. */
  readonly cursor: readonly [number, number] | undefined;
}

const sideShade = 0.09;

export const boardCamera = (size: Size): Camera =>
  fitted({ left: -edge, right: edge, bottom: -edge, top: edge }, size);

export function paintBoard(context: CanvasRenderingContext2D, picture: BoardPicture): void {
  const { size, density, points, borders, cursor, ink } = picture;
  const camera = boardCamera(size);
  const at = (x: number, y: number): readonly [number, number] => toScreen(camera, size, x, y);
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  const chosen = borders.find(({ isChosen }) => isChosen);
  if (chosen !== undefined) paintSides(context, chosen.score, picture, at);
  paintGrid(context, picture, at);
  context.drawImage(points, 0, 0, size.width, size.height);
  for (const border of [...borders].sort((p, q) => Number(p.isChosen) - Number(q.isChosen))) {
    if (border.isChosen) {
      for (const margin of [-1, 1]) stroke(context, border, margin, 1, [3, 5], at);
    }
    stroke(context, border, 0, border.isChosen ? 3.5 : 2, border.dash ?? [], at);
  }
  if (cursor === undefined) return;
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  strokeCross(context, at(...cursor), 10);
}

type Place = (x: number, y: number) => readonly [number, number];

function stroke(
  context: CanvasRenderingContext2D,
  { score, color }: Border,
  level: number,
  width: number,
  dash: readonly number[],
  at: Place,
): void {
  const line = levelLine(score, level);
  if (line === undefined) return;
  context.beginPath();
  context.moveTo(...at(line[0], line[1]));
  context.lineTo(...at(line[2], line[3]));
  context.lineWidth = width;
  context.strokeStyle = color;
  context.setLineDash([...dash]);
  context.stroke();
  context.setLineDash([]);
}

function paintSides(
  context: CanvasRenderingContext2D,
  score: Score,
  { sides, size }: BoardPicture,
  at: Place,
): void {
  const shade = (side: 0 | 1): string => {
    const [red, green, blue] = channelsOf(sides[side]);
    return `rgba(${red},${green},${blue},${sideShade})`;
  };
  const line = levelLine(score, 0);
  if (line === undefined) {
    context.fillStyle = shade(score.c > 0 ? 1 : 0);
    context.fillRect(0, 0, size.width, size.height);
    return;
  }
  const length = Math.sqrt(score.a * score.a + score.b * score.b);
  for (const side of [0, 1] as const) {
    const far = ((side === 1 ? 1 : -1) * 8 * edge) / length;
    context.beginPath();
    context.moveTo(...at(line[0], line[1]));
    context.lineTo(...at(line[2], line[3]));
    context.lineTo(...at(line[2] + far * score.a, line[3] + far * score.b));
    context.lineTo(...at(line[0] + far * score.a, line[1] + far * score.b));
    context.fillStyle = shade(side);
    context.fill();
  }
}

function paintGrid(context: CanvasRenderingContext2D, { grid }: BoardPicture, at: Place): void {
  context.beginPath();
  for (let k = -edge; k <= edge; k++) {
    context.moveTo(...at(k, -edge));
    context.lineTo(...at(k, edge));
    context.moveTo(...at(-edge, k));
    context.lineTo(...at(edge, k));
  }
  context.strokeStyle = grid;
  context.lineWidth = 1;
  context.stroke();
}
