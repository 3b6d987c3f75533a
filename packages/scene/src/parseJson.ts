import { type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { PliantError } from 'pliant';

/** Expected syntax by error code, in plain words; other codes of jsonc-parser are shown by their names. */
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

/** Largest depth of nested brackets: scenes have ten or twenty. Readers of the value may recurse as deep. */
export const DEEPEST = 200;

/**
 * Largest number of numbers, texts, lists and objects of a file together. In memory one takes up to a hundred bytes, in
 * the file three.
 */
export const MOST_VALUES = 1 << 24;

/**
 * Reads JSON with comments and trailing commas, whatever the file is called: people write scenes by hand, and the
 * research scenes have comments. Of a name given twice the last one counts, as in JSON.parse and in the research code.
 * @throws PliantError with file, line, column and what was expected.
 */
export function parseJson(bytes: Uint8Array, file: string): unknown {
  const text = new TextDecoder().decode(bytes);
  const builder = new Builder(text, file);
  visit(text, builder, { allowTrailingComma: true });
  return builder.value;
}

/**
 * Builds the value from the events of jsonc-parser. Its own `parse` takes a name __proto__ as the prototype of the
 * object, and collects every error of a file, of which there may be millions.
 */
class Builder implements JSONVisitor {
  value: unknown;
  private count = 0;
  /** The open lists and objects, and for each object the name of the next value. */
  private readonly open: { parent: unknown[] | object; name: string }[] = [];

  constructor(
    private readonly text: string,
    private readonly file: string,
  ) {}

  onObjectBegin = () => this.begin({});
  onArrayBegin = () => this.begin([]);
  onObjectEnd = () => void this.open.pop();
  onArrayEnd = () => void this.open.pop();
  onLiteralValue = (value: unknown) => this.put(value);

  onObjectProperty = (name: string) => {
    this.open[this.open.length - 1].name = name;
  };

  onError = (code: ParseErrorCode, offset: number): never => {
    let [line, lineStart] = [1, 0];
    for (const end of this.text.slice(0, offset).matchAll(/\r\n|\r|\n/g))
      [line, lineStart] = [line + 1, end.index + end[0].length];
    const found =
      offset < this.text.trimEnd().length
        ? JSON.stringify(this.text.slice(offset, offset + 12).split(/[\r\n]/)[0])
        : 'the end';
    const expected = EXPECTED.get(printParseErrorCode(code)) ?? 'JSON';
    throw new PliantError(
      this.file,
      `${this.file}, line ${line}, column ${offset - lineStart + 1}: found ${found}; expected ${expected}.`,
    );
  };

  private begin(value: unknown[] | object): void {
    this.put(value);
    if (this.open.length === DEEPEST)
      throw new PliantError(
        this.file,
        `${this.file}: the brackets are nested too deeply; expected at most ${DEEPEST} within one another.`,
      );
    this.open.push({ parent: value, name: '' });
  }

  private put(value: unknown): void {
    if (++this.count > MOST_VALUES)
      throw new PliantError(this.file, `${this.file}: there are more than ${MOST_VALUES} values; expected fewer.`);
    const top = this.open[this.open.length - 1];
    if (top === undefined) this.value = value;
    else if (Array.isArray(top.parent)) top.parent.push(value);
    else if (top.name === '__proto__')
      Object.defineProperty(top.parent, top.name, { value, enumerable: true, writable: true, configurable: true });
    else (top.parent as Record<string, unknown>)[top.name] = value;
  }
}
