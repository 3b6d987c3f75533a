import { encodeDataUri } from '@pliant/scene';

/**
 * A .gltf file with its buffers embedded. Buffers in other files must be dropped together with it. Images are not used
 * and are left out.
 */
export async function selfContained(
  bytes: Uint8Array,
  file: string,
  get: (name: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  let json: { buffers?: { uri?: string }[]; images?: unknown; textures?: unknown };
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
  const { images: _, textures: __, ...rest } = json;
  return new TextEncoder().encode(JSON.stringify({ ...rest, buffers }));
}

async function beside(name: string, file: string, get: (name: string) => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await get(name);
  } catch {
    throw new Error(`${file} keeps its vertices in ${name}: drop both files together.`);
  }
}
