/**
 * Text for a terminal: colours only where wanted, and nothing in it that the data could use to steer the screen.
 */
import { decimalBelow } from "@curvature/linalg";

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
}

/** Whether text that was written can be written over. */
export const isScreen = ({ isTTY }: { readonly isTTY?: boolean }, environment = process.env): boolean =>
  isTTY === true && environment["TERM"] !== "dumb";

/** Colours on a screen, unless NO_COLOR is set (https://no-color.org). */
export function styleFor(stream: { readonly isTTY?: boolean }, environment = process.env): Style {
  const coloured = isScreen(stream, environment) && !environment["NO_COLOR"];
  const paint = (on: number, off: number) => (text: string) =>
    coloured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { bold: paint(1, 22), dim: paint(2, 22), red: paint(31, 39) };
}

/** A line, broken at its blanks. @param indent - of the lines that follow */
export function wrapped(line: string, width: number, indent: number): string {
  if (line.length <= width) return line;
  const lines = [""];
  for (const word of line.split(/(?<=\S)(?= )/)) {
    const last = lines[lines.length - 1];
    if (last.trim() !== "" && last.length + word.length > width)
      lines.push(" ".repeat(indent) + word.trimStart());
    else lines[lines.length - 1] = last + word;
  }
  return lines.join("\n");
}

/** A number for people: four significant digits, no more. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  return isWritten(value) ? value.toPrecision(4) : value.toExponential(2);
}

/** The same of a lower bound, which must not be rounded up. */
export const shortNumberBelow = (value: number): string =>
  shortNumber(decimalBelow(value, isWritten(value) ? 4 : 3));

/** Whether a number is readable without a power of ten. */
const isWritten = (value: number): boolean => Math.abs(value) < 1e5 && Math.abs(value) >= 1e-3;

/** Seconds for people: "0.4 s", "12 s", "3 min 20 s", "2 h 5 min". */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "1,797" */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}
