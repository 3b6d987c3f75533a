import { describe, expect, it } from 'vitest';
import { boundBodies, gridCloud, perturb, randomCloud } from '../contact/testing/clouds.js';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { withoutKernels } from '../spatial/wasm/workspace.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { type ClusterTree, growTree } from './tree.js';

function randomBoxes(next: () => number, count: number): Float64Array {
  const boxes = new Float64Array(6 * count);
  for (let c = 0; c < count; c++)
    for (let a = 0; a < 3; a++) {
      boxes[6 * c + a] = 4 * next();
      boxes[6 * c + 3 + a] = boxes[6 * c + a] + 0.5 * next();
    }
  return boxes;
}

/** The clusters in the leaves under every node, by number of the node; checks numbering and depth on the way. */
function leavesUnder({ branch }: ClusterTree, count: number): number[][] {
  const under: number[][] = [];
  let next = 0;
  const visit = (node: number, depth: number): number[] => {
    // Depth first, the left child next.
    expect(node).toBe(next++);
    expect(depth).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
    const right = branch[2 * node];
    under[node] = [];
    if (right === 0) under[node].push(branch[2 * node + 1]);
    else under[node].push(...visit(node + 1, depth + 1), ...visit(right, depth + 1));
    return under[node];
  };
  visit(0, 0);
  return under;
}

/** Lowest and highest x y z of some boxes. */
function hull(boxes: Float64Array, list: number[]): number[] {
  const out = [0, 1, 2, 3, 4, 5].map((a) => boxes[6 * list[0] + a]);
  for (const c of list)
    for (let a = 0; a < 3; a++) {
      out[a] = Math.min(out[a], boxes[6 * c + a]);
      out[3 + a] = Math.max(out[3 + a], boxes[6 * c + 3 + a]);
    }
  return out;
}

describe.each([1, 2, 3, 7, 100, 1000])('a tree over %i clusters', (count) => {
  const next = random(testSeed(`tree ${count}`));
  const boxes = randomBoxes(next, count);
  const tree = growTree(boxes);

  it('has each of them in one leaf, no deeper than halving needs, and its nodes numbered depth first', () => {
    const under = leavesUnder(tree, count);
    expect(under.length).toBe(2 * count - 1);
    expect(tree.branch.length).toBe(2 * under.length);
    expect([...under[0]].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, c) => c));
  });

  it('has in every node the box around those of its clusters', () => {
    leavesUnder(tree, count).forEach((list, node) => {
      expect(Array.from(tree.boxes.slice(6 * node, 6 * node + 6))).toEqual(hull(boxes, list));
    });
  });
});

it('has the same nodes without the kernels of building', () => {
  for (const count of [1, 2, 5, 64, 777]) {
    const boxes = randomBoxes(random(testSeed(`tree alike ${count}`)), count);
    // Equal middles are told apart by their numbers.
    for (let k = 0; k < boxes.length; k++) boxes[k] = Math.round(8 * boxes[k]) / 8;
    expect(growTree(boxes)).toEqual(withoutKernels(() => growTree(boxes)));
  }
});

it('splits clusters that are all in the same place, or lie in a row', () => {
  expect(leavesUnder(growTree(new Float64Array(60)), 10).length).toBe(19);
  // Neighbours in a row stay together.
  const place = (c: number) => (c * 5) % 8;
  const row = new Float64Array(48);
  for (let c = 0; c < 8; c++) row[6 * c + 1] = row[6 * c + 4] = place(c);
  const tree = growTree(row);
  const under = leavesUnder(tree, 8);
  expect(under[1].map(place).sort()).toEqual([0, 1, 2, 3]);
  expect(under[tree.branch[0]].map(place).sort()).toEqual([4, 5, 6, 7]);
});

describe.each(BACKENDS)('boundClusters (%s)', (backend) => {
  it.each<[string, number]>([
    ['clouds of a few clusters of any size', 0],
    ['1 cluster', 2],
    ['120 clusters', 10],
    ['1000 clusters', 20],
  ])('leaves in the trees of %s the bounds of the step', async (_, size) => {
    const next = random(testSeed(`boundClusters ${size}`));
    const world = await World.create({ backend });
    const cloud = () =>
      size > 0 ? gridCloud(size, size, size < 20 ? Math.ceil(0.8 * size) : size, 2) : randomCloud(next, 150, 12);
    world.addBody({ ...gridCloud(2, 2, 4, 1), contact: { margin: 0.013 } });
    const body = world.addBody({ ...cloud(), contact: { margin: 0.02 } });
    world.addBody(randomCloud(next, 60, 5));
    const { treeNode, treeBox, firstMemberNow, memberStart, memberParticle, x, xOld } = world.state.views;
    const { clusterStart, clusterEnd } = body.rows;
    const root = 2 * clusterStart;
    const tree = { branch: treeNode.slice(2 * root, 4 * clusterEnd - 2), boxes: new Float64Array() };
    const under = leavesUnder(tree, clusterEnd - clusterStart);
    for (let step = 0; step < 3; step++) {
      perturb(world, next, 0.5);
      boundBodies(world);
      // Particles of a cluster, where they were and where they are.
      const bounds = new Float64Array(6 * body.clusterCount);
      for (let c = 0; c < body.clusterCount; c++) {
        const row = clusterStart + c;
        const members = memberParticle.subarray(memberStart[row], memberStart[row + 1]);
        for (let a = 0; a < 3; a++) {
          const places = Array.from(members, (i) => [x[4 * i + a], xOld[4 * i + a]]).flat();
          // One rounding of f32: the pad is f32 itself, and f64 in between changes nothing.
          bounds[6 * c + a] = Math.fround(Math.min(...places) - body.core.contact.pad);
          bounds[6 * c + 3 + a] = Math.fround(Math.max(...places) + body.core.contact.pad);
          expect(firstMemberNow[4 * row + a]).toBe(x[4 * members[0] + a]);
        }
      }
      under.forEach((list, node) => {
        const o = 8 * (root + node);
        const [low, high] = [treeBox.slice(o, o + 4), treeBox.slice(o + 4, o + 8)];
        expect([low[3], high[3]]).toEqual([0, 0]);
        expect([...low.slice(0, 3), ...high.slice(0, 3)]).toEqual(hull(bounds, list));
      });
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])(
    'leaves a body with a particle at %f no box that meets others',
    async (odd) => {
      const next = random(testSeed('odd boxes'));
      const world = await World.create({ backend });
      for (let k = 0; k < 2; k++) world.addBody(gridCloud(4, 4, 4, 2));
      for (const name of ['x', 'xOld'] as const)
        for (let i = 0; i < world.bodies[0].particleCount; i++) {
          perturb(world, next, 0.01);
          boundBodies(world);
          world.core.sweep.find(world);
          expect(world.core.sweep.count).toBe(1);
          const kept = world.state.views[name][4 * i + 1];
          world.state.views[name][4 * i + 1] = odd;
          boundBodies(world);
          world.core.sweep.find(world);
          expect(world.core.sweep.count).toBe(0);
          world.state.views[name][4 * i + 1] = kept;
        }
    },
  );

  it('leaves those of other bodies alone', async () => {
    const next = random(testSeed('other boxes'));
    const world = await World.create({ backend });
    for (let k = 0; k < 3; k++) world.addBody(randomCloud(next, 60, 8));
    boundBodies(world);
    perturb(world, next, 0.5);
    const before = world.state.views.treeBox.slice();
    boundBodies(world, [world.bodies[1]]);
    const { clusterStart, clusterEnd } = world.bodies[1].rows;
    const after = world.state.views.treeBox.slice();
    expect(after.slice(16 * clusterStart, 16 * clusterEnd - 8)).not.toEqual(
      before.slice(16 * clusterStart, 16 * clusterEnd - 8),
    );
    after.set(before.subarray(16 * clusterStart, 16 * clusterEnd), 16 * clusterStart);
    expect(after).toEqual(before);
  });
});
