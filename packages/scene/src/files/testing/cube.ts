import type { MeshFile } from '../meshFile.js';

// The unit cube from 0 to 1 in every format, wound outwards: its signed volume is 1.

export const CORNERS = Array.from({ length: 8 }, (_, k) => [k & 1, (k >> 1) & 1, k >> 2]);

export const QUADS = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];

export const TRIANGLES = QUADS.flatMap(([a, b, c, d]) => [
  [a, b, c],
  [a, c, d],
]);

export const bytesOf = (text: string) => new TextEncoder().encode(text);

export function signedVolume({ positions: x, indices }: MeshFile): number {
  let sum = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [indices[t] * 3, indices[t + 1] * 3, indices[t + 2] * 3];
    sum += x[a] * (x[b + 1] * x[c + 2] - x[b + 2] * x[c + 1]);
    sum += x[a + 1] * (x[b + 2] * x[c] - x[b] * x[c + 2]);
    sum += x[a + 2] * (x[b] * x[c + 1] - x[b + 1] * x[c]);
  }
  return sum / 6;
}

export function cubeObj(): Uint8Array {
  const v = CORNERS.map((c) => `v ${c.join(' ')}\n`).join('');
  const f = QUADS.map((q) => `f ${q.map((k) => k + 1).join(' ')}\n`).join('');
  return bytesOf(`# cube\no cube\n${v}${f}`);
}

export function plyHeader(format: string, vertices: number, faces: number): string {
  const xyz = ['x', 'y', 'z'].map((axis) => `property float ${axis}\n`).join('');
  const list = 'property list uchar int vertex_indices\n';
  return `ply\nformat ${format} 1.0\nelement vertex ${vertices}\n${xyz}element face ${faces}\n${list}end_header\n`;
}

export function cubePlyText(): Uint8Array {
  const lines = [...CORNERS.map((c) => c.join(' ')), ...QUADS.map((q) => `4 ${q.join(' ')}`)];
  return bytesOf(`${plyHeader('ascii', 8, 6)}${lines.join('\n')}\n`);
}

export function cubePlyBinary(little: boolean): Uint8Array {
  const header = bytesOf(plyHeader(little ? 'binary_little_endian' : 'binary_big_endian', 8, 6));
  const bytes = new Uint8Array(header.length + 8 * 12 + 6 * 17);
  bytes.set(header);
  const view = new DataView(bytes.buffer);
  let at = header.length;
  for (const value of CORNERS.flat()) {
    view.setFloat32(at, value, little);
    at += 4;
  }
  for (const quad of QUADS) {
    bytes[at++] = 4;
    for (const corner of quad) {
      view.setInt32(at, corner, little);
      at += 4;
    }
  }
  return bytes;
}

export function cubeStlText(): Uint8Array {
  const facets = TRIANGLES.map((t) => {
    const vertices = t.map((k) => `      vertex ${CORNERS[k].map((v) => v.toExponential(6)).join(' ')}\n`).join('');
    return `  facet normal 0 0 0\n    outer loop\n${vertices}    endloop\n  endfacet\n`;
  });
  return bytesOf(`solid cube\n${facets.join('')}endsolid cube\n`);
}

export function cubeStlBinary(header = 'binary cube'): Uint8Array {
  const bytes = new Uint8Array(84 + TRIANGLES.length * 50);
  bytes.set(bytesOf(header));
  const view = new DataView(bytes.buffer);
  view.setUint32(80, TRIANGLES.length, true);
  TRIANGLES.forEach((t, f) => {
    t.flatMap((k) => CORNERS[k]).forEach((value, k) => {
      view.setFloat32(84 + f * 50 + 12 + k * 4, value, true);
    });
  });
  return bytes;
}

/** The cube's buffer for glTF: 96 bytes of positions, then 36 indices as uint16. */
export function cubeBuffer(): Uint8Array {
  const bytes = new Uint8Array(96 + 72);
  new Float32Array(bytes.buffer, 0, 24).set(CORNERS.flat());
  new Uint16Array(bytes.buffer, 96, 36).set(TRIANGLES.flat());
  return bytes;
}

/** The cube as glTF JSON without its buffer's uri; tests modify it before encoding. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into it freely, also to break it
export function cubeJson(): any {
  return {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
      { bufferView: 1, componentType: 5123, count: 36, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 96 },
      { buffer: 0, byteOffset: 96, byteLength: 72 },
    ],
    buffers: [{ byteLength: 168 }],
  };
}

export const dataUri = (bytes: Uint8Array) =>
  `data:application/octet-stream;base64,${btoa(String.fromCharCode(...bytes))}`;

/** JSON with the buffer in a data URI. */
export function gltf(json = cubeJson(), buffer = cubeBuffer()): Uint8Array {
  const buffers = [{ byteLength: buffer.length, uri: dataUri(buffer) }];
  return bytesOf(JSON.stringify({ ...json, buffers }));
}

/** JSON and buffer as GLB. */
export function glb(json = cubeJson(), buffer = cubeBuffer()): Uint8Array {
  let text = JSON.stringify(json);
  text += ' '.repeat((4 - (text.length % 4)) % 4);
  const bytes = new Uint8Array(12 + 8 + text.length + 8 + buffer.length);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, text.length, 0x4e4f534a].forEach((word, k) => {
    view.setUint32(k * 4, word, true);
  });
  bytes.set(bytesOf(text), 20);
  view.setUint32(20 + text.length, buffer.length, true);
  view.setUint32(24 + text.length, 0x004e4942, true);
  bytes.set(buffer, 28 + text.length);
  return bytes;
}
