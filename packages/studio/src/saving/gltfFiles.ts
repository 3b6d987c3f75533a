import { encodeDataUri } from '@pliant/scene';

/**
 * A .gltf file with its buffers and images embedded. Buffers in other files must be dropped together with it. An image
 * that was not is left out.
 */
export async function selfContained(
  bytes: Uint8Array,
  file: string,
  get: (name: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  let json: { buffers?: { uri?: string }[]; images?: { uri?: string }[] };
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // A .glb with another ending, or no glTF at all: the reader reports the problem.
    return bytes;
  }
  if (!Array.isArray(json?.buffers)) return bytes;
  const buffers = [];
  for (const buffer of json.buffers) {
    const { uri } = buffer;
    const inOther = typeof uri === 'string' && !/^data:/i.test(uri);
    buffers.push(
      inOther ? { ...buffer, uri: encodeDataUri('', await beside(decodeURIComponent(uri), file, get)) } : buffer,
    );
  }
  if (!Array.isArray(json.images)) return new TextEncoder().encode(JSON.stringify({ ...json, buffers }));
  const images = await Promise.all(
    json.images.map(async (image) => {
      const { uri, ...others } = image ?? {};
      if (typeof uri !== 'string' || /^data:/i.test(uri)) return image;
      try {
        return { ...others, uri: encodeDataUri('', await get(decodeURIComponent(uri))) };
      } catch {
        return others;
      }
    }),
  );
  return new TextEncoder().encode(JSON.stringify({ ...json, buffers, images }));
}

async function beside(name: string, file: string, get: (name: string) => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await get(name);
  } catch {
    throw new Error(`${file} keeps its vertices in ${name}: drop both files together.`);
  }
}
