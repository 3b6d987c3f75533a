import { writePly } from '@pliant/scene';
import type { ExportedBody } from '../protocol.js';

/** All bodies' surfaces in one mesh; every vertex has the number of its body. */
export function writeSurfaces(bodies: readonly ExportedBody[]): Uint8Array {
  const { positions, colours, body } = merge(bodies, ({ positions }) => positions);
  const indices = new Uint32Array(bodies.reduce((sum, { indices }) => sum + indices.length, 0));
  let [at, first] = [0, 0];
  for (const { indices: own, positions } of bodies) {
    for (const index of own) indices[at++] = first + index;
    first += positions.length / 3;
  }
  return writePly({ positions, colours, indices, extra: [{ name: 'body', values: body }] });
}

/** All bodies' particles as a cloud of points. */
export function writeParticles(bodies: readonly ExportedBody[]): Uint8Array {
  const { positions, colours, body } = merge(bodies, ({ particles }) => particles);
  return writePly({ positions, colours, extra: [{ name: 'body', values: body }] });
}

function merge(bodies: readonly ExportedBody[], of: (body: ExportedBody) => Float32Array) {
  const count = bodies.reduce((sum, one) => sum + of(one).length / 3, 0);
  const positions = new Float32Array(3 * count);
  const colours = new Uint8Array(3 * count);
  const body = new Float32Array(count);
  let at = 0;
  for (const [k, one] of bodies.entries()) {
    positions.set(of(one), 3 * at);
    const end = at + of(one).length / 3;
    body.fill(k, at, end);
    for (; at < end; at++) colours.set(one.colour, 3 * at);
  }
  return { positions, colours, body };
}
