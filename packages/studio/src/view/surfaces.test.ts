import { expect, it } from 'vitest';
import type { SurfaceData } from '../protocol.js';
import { Surfaces } from './surfaces.js';

const triangle = (vertices: number): SurfaceData =>
  ({
    handle: 1,
    origin: 0,
    look: 'rubber',
    rest: new Float32Array(4 * vertices),
    indices: Uint32Array.from([0, 1, 2]),
    groups: [{ start: 0, count: 3, kind: 'outer', surface: 0 }],
  }) as unknown as SurfaceData;

const moment = (vertices: number) =>
  ({
    bodies: [{ handle: 1, vertices }],
    arrays: {
      positions: new Float32Array(3 * vertices),
      normals: new Float32Array(3 * vertices),
      vertexColours: new Uint8Array(4 * vertices),
    },
    jump: false,
  }) as unknown as Parameters<Surfaces['write']>[0];

it('shows a body as it was between its new triangles and the moment that belongs to them', () => {
  const surfaces = new Surfaces();
  surfaces.learn([triangle(3)]);
  surfaces.write(moment(3));
  const [before] = surfaces.group.children;
  expect(before).toBeDefined();
  surfaces.learn([triangle(4)]);
  expect(surfaces.group.children).toEqual([before]);
  surfaces.write(moment(4));
  expect(surfaces.group.children).toHaveLength(1);
  expect(surfaces.group.children[0]).not.toBe(before);
  // Also where the number of vertices is the same.
  const [middle] = surfaces.group.children;
  surfaces.learn([triangle(4)]);
  surfaces.write(moment(4));
  expect(surfaces.group.children[0]).not.toBe(middle);
  // And it is made anew only once.
  const [last] = surfaces.group.children;
  surfaces.write(moment(4));
  expect(surfaces.group.children).toEqual([last]);
});
