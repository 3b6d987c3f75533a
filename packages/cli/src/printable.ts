import { shorten } from '@pliant/scene';

/** What a terminal obeys instead of showing it: control characters (escape sequences begin with one), and marks that turn the direction of text. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A text as it may reach a terminal: lines, and nothing that moves the cursor, colours, renames or hides. */
export const printable = (text: string): string => text.replace(OBEYED, (c) => (c === '\n' ? c : ''));

/** A name, a title or a message on one line. */
export const oneLine = (text: string): string =>
  text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => printable(line).trim())
    .filter((line) => line !== '')
    .join(' ');

/** The same for a person to read: nobody needs all of a title of a megabyte. */
export const caption = (text: string, most = 300): string => shorten(oneLine(text), most);

/** Warnings that are told; the rest is counted. */
const MOST_WARNINGS = 50;

/** Lines about what is odd in a scene, each once. */
export function warningLines(warnings: readonly string[]): string {
  const different = [...new Set(warnings)];
  const lines = different.slice(0, MOST_WARNINGS).map((line) => `warning: ${caption(line, 1000)}\n`);
  const more = different.length - lines.length;
  return lines.join('') + (more > 0 ? `warning: and ${more} more.\n` : '');
}
