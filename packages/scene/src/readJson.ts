/** Longest file (bytes) that is tried as plain JSON: it holds fewer values than MOST_VALUES of parseJson.ts. */
const PLAIN = 1 << 20;
/** As DEEPEST of parseJson.ts, which is not loaded for plain files. */
const DEEP = 200;

/**
 * Reads JSON like `parseJson`. Plain JSON, as the gallery's scenes are, is read by the host. Only for comments, errors and large files `parseJson` is
 * loaded, with the parser that it needs: pages that show a scene are smaller without it.
 * @throws PliantError with file, line, column and what was expected.
 */
export async function readJson(bytes: Uint8Array, file: string): Promise<unknown> {
  if (bytes.length <= PLAIN)
    try {
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      if (isAtMost(DEEP, value)) return value;
    } catch {
      // It has comments, or parseJson tells what is wrong with it.
    }
  const { parseJson } = await import('./parseJson.js');
  return parseJson(bytes, file);
}

/** Whether lists and objects are nested at most so deeply. */
const isAtMost = (depth: number, value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((one) => isAtMost(depth - 1, one)));
