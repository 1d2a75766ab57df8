/**
 * Text of data for a screen, a page or a picture: control characters (escape sequences, line breaks) and bidirectional overrides
 * become blanks, so that nothing in it steers what shows it.
 *
 * @example
 * printable("one\ntwo"); // "one two"
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ");
}
