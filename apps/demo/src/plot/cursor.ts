/** The cursor of who draws by keys. */
const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** To the right and upwards; undefined for another key. */
export const arrowOf = (key: string): readonly [number, number] | undefined => arrows[key];

/** A cross of two lines through a place on the screen. */
export function strokeCross(
  context: CanvasRenderingContext2D,
  [x, y]: readonly [number, number],
  half: number,
): void {
  context.beginPath();
  context.moveTo(x - half, y);
  context.lineTo(x + half, y);
  context.moveTo(x, y - half);
  context.lineTo(x, y + half);
  context.stroke();
}
