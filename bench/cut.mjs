// Measures the cost of a cut in one thread: the mesh alone, and all of world.cut (clusters, rows, skins).
import { World } from 'pliant';
import { cutMesh } from '../packages/pliant/dist/cut/cutMesh.js';
import { resolveKnife } from '../packages/pliant/dist/cut/knife.js';
import { cutMeshOf } from '../packages/pliant/dist/cut/skinMesh.js';
import { median, quantile, table } from './statistics.mjs';

const CUTS = 60;
/** The first cuts compile. */
const WARM = 20;

/** A ball of n × 2n quads around the y axis: 4 n (n − 1) triangles. */
function ball(n, radius) {
  const positions = [0, radius, 0, 0, -radius, 0];
  const indices = [];
  const vertex = (i, j) => 2 + (i - 1) * 2 * n + (j % (2 * n));
  for (let i = 1; i < n; i++)
    for (let j = 0; j < 2 * n; j++) {
      const [u, v] = [(Math.PI * i) / n, (Math.PI * j) / n];
      positions.push(radius * Math.sin(u) * Math.cos(v), radius * Math.cos(u), radius * Math.sin(u) * Math.sin(v));
    }
  for (let j = 0; j < 2 * n; j++) {
    indices.push(0, vertex(1, j + 1), vertex(1, j), 1, vertex(n - 1, j), vertex(n - 1, j + 1));
    for (let i = 1; i < n - 1; i++) {
      const [a, b, c, d] = [vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j)];
      indices.push(a, b, c, a, c, d);
    }
  }
  return { positions, indices };
}

/** Cuts of one body that moves: in two by a plane, or half through by a blade. */
async function times(mesh, spacing, blade) {
  const [list, alone] = [[], []];
  let size;
  for (let n = 0; n < WARM + CUTS; n++) {
    const world = await World.create({ threads: 1, gravity: [0, 0, 0] });
    const body = world.addBody({
      mesh,
      sampling: { method: 'grid', spacing },
      clustering: { count: 30 },
      angularVelocity: [1, 2, 3],
      stretch: [1.2, 0.9, 1],
    });
    body.getSkin().update();
    for (let k = 0; k < 5; k++) world.step();
    size ??= { particles: body.particleCount, triangles: body.getSkin().indices.length / 3 };
    const [c, s] = [Math.cos(n), Math.sin(n)];
    const at = (u, v) => [-s * u, c * u, v];
    const cut = blade
      ? { blade: [at(0.05, -1), at(1, -1), at(1, 1), at(0.05, 1)] }
      : { point: [0.02 * c, 0.02 * s, 0], normal: [c, s, 0.2] };
    const skin = body.getSkin();
    skin.update();
    const begin = performance.now();
    const { mesh: whole, now } = skin.asParted();
    cutMesh(cutMeshOf(whole, now), resolveKnife('cut', cut), { length: 1.25 * body.spacing });
    const start = performance.now();
    const { met } = world.cut(body, cut);
    list.push(performance.now() - start);
    alone.push(start - begin);
    if (!met) throw new Error('the cut met nothing');
    world.dispose();
  }
  return { ...size, list: list.slice(WARM), alone: alone.slice(WARM) };
}

export async function cut() {
  const rows = [];
  for (const [n, spacing] of [
    [16, 0.1],
    [36, 0.06],
    [71, 0.04],
  ])
    for (const blade of [false, true]) {
      const { particles, triangles, list, alone } = await times(ball(n, 0.5), spacing, blade);
      rows.push({
        cut: blade ? 'half through, by a blade' : 'in two, by a plane',
        triangles,
        particles,
        'mesh alone ms': median(alone).toFixed(1),
        'all of it ms': median(list).toFixed(1),
        'fastest ms': Math.min(...list).toFixed(1),
        '90 % ms': quantile(list, 0.9).toFixed(1),
      });
    }
  console.log('## Cuts\n');
  console.log(table(rows));
  return rows;
}
