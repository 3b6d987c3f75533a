import { Hash } from './hash.js';
import { PlainWriter, type TypedArray, typeOf } from './plain.js';
import type { Snapshot } from './snapshot.js';

/** Hashes of arrays in snapshots. They stay valid, as nothing in a snapshot is written to. */
const known = new WeakMap<ArrayBufferView, string>();

/** The hash of an array's type, length and bits. */
export function hashArray(array: TypedArray): string {
  const hash = new Hash();
  hash.word(typeOf(array));
  hash.bytes(array);
  return hash.toString();
}

/** The same, cached. */
export function knownHash(array: TypedArray): string {
  let hash = known.get(array);
  if (hash === undefined) known.set(array, (hash = hashArray(array)));
  return hash;
}

/** The content of a snapshot without its sizes, which depend on objects in memory. */
export function contentOf({
  byteLength: _,
  addedByteLength: __,
  ...content
}: Snapshot): Omit<Snapshot, 'byteLength' | 'addedByteLength'> {
  return content;
}

/**
 * The hash of the content of a snapshot, whatever objects it shares with others. `hashOf` hashes arrays: `knownHash`
 * for arrays that are known to be unchanged, `hashArray` to find out.
 */
export function hashSnapshot(snapshot: Snapshot, hashOf: (array: TypedArray) => string): string {
  const names: string[] = [];
  const writer = new PlainWriter((array) => {
    const name = hashOf(array);
    names.push(name);
    return name;
  });
  writer.write('snapshot', contentOf(snapshot));
  const hash = new Hash();
  hash.bytes(writer.bytes);
  for (const name of names) hash.text(name);
  return hash.toString();
}
