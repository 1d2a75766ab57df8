/**
 * The quote in front of text that a spreadsheet would run as a formula: set by our writers, taken away by our readers of
 * delimited text, so that names which begin with `=`, `+`, `-`, `@`, tab or CR come back as they were.
 */
const plainNumber = /^[+-]?\d{1,400}(\.\d{0,400})?(e[+-]?\d{1,4})?$/i;
/** A lone sign is none: it may well be the name of a class. */
const formulaStart = /^(?:[=@\t\r]|[+-](?!$))/;
/** What begins as guarded text does is guarded, too, so that both are known from each other. */
const guardedStart = /^'+[=+\-@\t\r]/;

/** As it is written. */
export const guarded = (text: string): string =>
  guardedStart.test(text) || (formulaStart.test(text) && !plainNumber.test(text)) ? `'${text}` : text;

/** As it is read. */
export const unguarded = (text: string): string =>
  text.charCodeAt(0) === 39 && guardedStart.test(text) ? text.slice(1) : text;
