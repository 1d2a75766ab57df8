/** What pictures share: axes with round ticks, numbers as short as they may be, and words. */

export interface Axis {
  readonly ticks: readonly number[];
  place(value: number): number;
}

export function linearAxis(low: number, high: number, from: number, to: number): Axis {
  const span = high - low || 1;
  const step = [1, 2, 5, 10]
    .map((m) => m * 10 ** Math.floor(Math.log10(span / 5)))
    .find((s) => span / s <= 6);
  const width = step ?? span;
  const start = Math.floor(low / width + 1e-9);
  const end = Math.ceil(high / width - 1e-9);
  const ticks = Array.from({ length: end - start + 1 }, (_, k) =>
    Number(((start + k) * width).toPrecision(12)),
  );
  const [first, last] = [ticks[0], ticks[ticks.length - 1]];
  return { ticks, place: (value) => from + ((value - first) / (last - first || 1)) * (to - from) };
}

export function logarithmicAxis(low: number, high: number, from: number, to: number): Axis {
  const first = Math.floor(Math.log10(low));
  const last = Math.max(first + 1, Math.ceil(Math.log10(high)));
  const ticks = Array.from({ length: last - first + 1 }, (_, k) => Number(`1e${first + k}`));
  return {
    ticks,
    place: (value) => from + ((Math.log10(value) - first) / (last - first)) * (to - from),
  };
}

export const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
export const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);

export const tickText = (value: number): string =>
  value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5) ? value.toExponential(0) : String(value);

export const short = (value: number): string => String(Math.round(value * 10) / 10);

export function text(x: number, y: number, words: string, attributes: string): string {
  const escaped = words.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<text x="${short(x)}" y="${short(y)}" ${attributes}>${escaped}</text>`;
}

/** A picture of this size in pixels: its title and what is below it. */
export function drawing(
  [width, height]: readonly [number, number],
  [x, title]: readonly [number, string],
  body: readonly string[],
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="'DejaVu Sans', Verdana, sans-serif" font-size="12" fill="#23272f">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    text(x, 26, title, `font-size="16" font-weight="bold"`),
    ...body,
    "</svg>\n",
  ].join("\n");
}
