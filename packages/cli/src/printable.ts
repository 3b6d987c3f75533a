import { shorten } from '@pliant/scene';

/**
 * Characters that control a terminal: control characters (escape sequences begin with one), and marks that change the
 * direction of text.
 */
const OBEYED = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A text that is safe for a terminal: lines without control of cursor, colour, title or visibility. */
export const printable = (text: string): string => text.replace(OBEYED, (c) => (c === '\n' ? c : ''));

/** A name, a title or a message on one line. */
export const oneLine = (text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => printable(line).trim())
    .filter((line) => line !== '')
    .join(' ');

/** The same, shortened for display. */
export const caption = (text: string, most = 300): string => shorten(oneLine(text), most);

/** Largest number of warnings printed; the rest is counted. */
const MOST_WARNINGS = 50;

/** Lines for the warnings of a scene, each once. */
export function warningLines(warnings: readonly string[]): string {
  const different = [...new Set(warnings)];
  const lines = different.slice(0, MOST_WARNINGS).map((line) => `warning: ${caption(line, 1000)}\n`);
  const more = different.length - lines.length;
  return lines.join('') + (more > 0 ? `warning: and ${more} more.\n` : '');
}
