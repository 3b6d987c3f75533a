/** What a terminal obeys instead of showing it: control characters (escape sequences begin with one), and marks that turn the direction of text. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A text as it may reach a terminal: lines, and nothing that moves the cursor, colours, renames or hides. */
export const printable = (text: string): string => text.replace(OBEYED, (c) => (c === '\n' ? c : ''));

/** A name, a title or a message on one line. */
export const oneLine = (text: string): string => printable(text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ')).trim();
