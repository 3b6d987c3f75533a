import { type ParseError, ParseErrorCode, parse } from 'jsonc-parser';
import { PliantError } from 'pliant';

/** What was expected, in the words of a person; the rest of jsonc-parser's codes say it by their own name. */
const EXPECTED = new Map<ParseErrorCode, string>([
  [ParseErrorCode.InvalidSymbol, 'a value: a number, a "text", true, false, null, [ or {'],
  [ParseErrorCode.InvalidNumberFormat, 'a number'],
  [ParseErrorCode.PropertyNameExpected, 'a "name" in double quotes'],
  [ParseErrorCode.ValueExpected, 'a value'],
  [ParseErrorCode.ColonExpected, 'a colon after the name'],
  [ParseErrorCode.CommaExpected, 'a comma between two entries'],
  [ParseErrorCode.CloseBraceExpected, 'a closing }'],
  [ParseErrorCode.CloseBracketExpected, 'a closing ]'],
  [ParseErrorCode.EndOfFileExpected, 'the end of the file'],
  [ParseErrorCode.UnexpectedEndOfComment, 'the end of the comment, */'],
  [ParseErrorCode.UnexpectedEndOfString, 'the closing " of a text'],
  [ParseErrorCode.UnexpectedEndOfNumber, 'the digits of a number'],
  [ParseErrorCode.InvalidUnicode, 'four hexadecimal digits after \\u'],
  [ParseErrorCode.InvalidEscapeCharacter, 'one of " \\ / b f n r t u after a backslash'],
  [ParseErrorCode.InvalidCharacter, 'a text without control characters'],
]);

/**
 * Reads JSON with comments and trailing commas. Of a name given twice the last one counts, as in JSON.parse and in the
 * research code. @throws PliantError with file, line, column and what was expected.
 */
export function parseJson(bytes: Uint8Array, file: string): unknown {
  const text = new TextDecoder().decode(bytes);
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text, errors, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new PliantError(file, `${file}: the brackets are nested too deeply to be read.`);
  }
  if (errors.length > 0) {
    const { error, offset } = errors[0];
    const before = text.slice(0, offset).split(/\r\n|\r|\n/);
    const place = `line ${before.length}, column ${before[before.length - 1].length + 1}`;
    const found = offset < text.trimEnd().length ? JSON.stringify(text.slice(offset, offset + 12).split(/[\r\n]/)[0]) : 'the end';
    throw new PliantError(file, `${file}, ${place}: found ${found}; expected ${EXPECTED.get(error) ?? 'JSON'}.`);
  }
  return value;
}
