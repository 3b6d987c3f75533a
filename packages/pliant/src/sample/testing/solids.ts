import { icosphere } from '../../mesh/testing/meshes.js';
import { meshSolid } from '../meshSolid.js';
import { type ShapeOptions, shapeSolid } from '../shape.js';
import { shell } from '../shell.js';
import type { Solid } from '../solid.js';

export const shape = (options: ShapeOptions) => shapeSolid(options);
export const solids: [string, Solid, number][] = [
  ['box', shape({ type: 'box', size: [1, 1, 1] }), 0.06],
  ['sphere', shape({ type: 'sphere', radius: 1 }), 0.1],
  ['ellipsoid', shape({ type: 'ellipsoid', radii: [1, 0.5, 0.7] }), 0.08],
  ['thin torus', shape({ type: 'torus', radius: 1, tube: 0.15 }), 0.05],
  ['hollow sphere', shell(shape({ type: 'sphere', radius: 1 }), 0.3), 0.09],
  ['implicit sphere', shape({ type: 'implicit', distance: (x, y, z) => x * x + y * y + z * z - 1, min: [-1, -1, -1], max: [1, 1, 1] }), 0.1],
  ['mesh', meshSolid(icosphere(3)), 0.11],
]; // biome-ignore format: one solid per line
