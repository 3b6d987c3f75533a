import { type Node, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser';
import { PliantError } from 'pliant';

/** What was expected, in the words of a person; the rest of jsonc-parser's codes say it by their own name. */
const EXPECTED = new Map<string, string>([
  ['InvalidSymbol', 'a "text" or name in double quotes, a number, true, false, null, [ or {'],
  ['InvalidNumberFormat', 'a number'],
  ['PropertyNameExpected', 'a "name" in double quotes'],
  ['ValueExpected', 'a value'],
  ['ColonExpected', 'a colon after the name'],
  ['CommaExpected', 'a comma between two entries'],
  ['CloseBraceExpected', 'a closing }'],
  ['CloseBracketExpected', 'a closing ]'],
  ['EndOfFileExpected', 'the end of the file'],
  ['UnexpectedEndOfComment', 'the end of the comment, */'],
  ['UnexpectedEndOfString', 'the closing " of a text'],
  ['UnexpectedEndOfNumber', 'the digits of a number'],
  ['InvalidUnicode', 'four hexadecimal digits after \\u'],
  ['InvalidEscapeCharacter', 'one of " \\ / b f n r t u after a backslash'],
  ['InvalidCharacter', 'a text without control characters'],
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
    const options = { allowTrailingComma: true };
    // By `parse` a name __proto__ is lost, and its value becomes what the object inherits from.
    value = /proto__|\\u/.test(text) ? meaningOf(parseTree(text, errors, options)) : parse(text, errors, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new PliantError(file, `${file}: the brackets are nested too deeply to be read.`);
  }
  if (errors.length > 0) {
    const { error, offset } = errors[0];
    const before = text.slice(0, offset).split(/\r\n|\r|\n/);
    const place = `line ${before.length}, column ${before[before.length - 1].length + 1}`;
    const found =
      offset < text.trimEnd().length ? JSON.stringify(text.slice(offset, offset + 12).split(/[\r\n]/)[0]) : 'the end';
    throw new PliantError(
      file,
      `${file}, ${place}: found ${found}; expected ${EXPECTED.get(printParseErrorCode(error)) ?? 'JSON'}.`,
    );
  }
  return value;
}

/** What a node means, every name its own. */
function meaningOf(node: Node | undefined): unknown {
  if (node?.type === 'array') return node.children?.map(meaningOf) ?? [];
  if (node?.type !== 'object') return node?.value;
  const object = {};
  for (const { children } of node.children ?? [])
    if (children)
      Object.defineProperty(object, children[0].value, {
        value: meaningOf(children[1]),
        ...{ enumerable: true, writable: true, configurable: true },
      });
  return object;
}
