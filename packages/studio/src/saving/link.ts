/**
 * A scene as the end of an address: JSON, deflated, in characters that addresses allow. It is behind the #, so that no
 * server sees it.
 */

/** Length up to which messengers and browsers accept a link. */
export const LONGEST_LINK = 60_000;

/** Largest unpacked length: a few kilobytes may expand to gigabytes. No scene is this long. */
const LONGEST_TEXT = 50e6;

export async function packText(text: string): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  let binary = '';
  for (let k = 0; k < packed.length; k += 0x4000) binary += String.fromCharCode(...packed.subarray(k, k + 0x4000));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export async function unpackText(packed: string): Promise<string> {
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const text = await through(bytes, new DecompressionStream('deflate-raw'));
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    throw new Error('The link holds no scene: it may have been cut off on its way.');
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > LONGEST_TEXT) throw new Error('too long');
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The scene of an address: one of the gallery, or one embedded in it (and the name of its origin). */
export interface LinkedScene {
  name: string | undefined;
  text: string | undefined;
}

export async function readAddress(address: string): Promise<LinkedScene> {
  const { searchParams, hash } = new URL(address);
  const packed = /^#s=(.+)$/s.exec(hash)?.[1];
  return {
    name: searchParams.get('scene') ?? undefined,
    text: packed === undefined ? undefined : await unpackText(packed),
  };
}

/** The address of a scene, relative to the page. */
export async function writeAddress({ name, text }: LinkedScene, page: string): Promise<string> {
  const url = new URL(page);
  url.search = '';
  url.hash = '';
  if (name !== undefined) url.searchParams.set('scene', name);
  if (text !== undefined) url.hash = `s=${await packText(text)}`;
  return url.href;
}
