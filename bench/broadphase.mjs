// Three ways to find the pairs of clusters of different bodies whose boxes meet, all in plain JavaScript over the same boxes:
// a uniform grid, a sweep along one axis, and the bodies' trees refitted. The engine has the tree, and a sweep over whole bodies.

import { heap, slabs } from './contact.mjs';
import { hasReference, referenceWorld } from './reference.mjs';
import { median, table } from './statistics.mjs';

const ROUNDS = 15;

/** Boxes of all clusters, six numbers each, in the order of the clusters; which body each belongs to; the bodies' trees. */
function boxesOf(world) {
  const { treeNode, treeBox, bodyOfCluster } = world.state.views;
  const boxes = new Float32Array(6 * world.clusterCount);
  for (const { rows } of world.bodies)
    for (let node = 2 * rows.clusterStart; node < 2 * rows.clusterEnd - 1; node++) {
      if (treeNode[2 * node] !== 0) continue;
      const c = rows.clusterStart + treeNode[2 * node + 1];
      for (let a = 0; a < 3; a++) {
        boxes[6 * c + a] = treeBox[8 * node + a];
        boxes[6 * c + 3 + a] = treeBox[8 * node + 4 + a];
      }
    }
  return {
    boxes,
    bodyOfCluster: bodyOfCluster.slice(0, world.clusterCount),
    treeNode: treeNode.slice(),
    bodies: world.bodies.map((b) => b.rows),
  };
}

const meet = (p, i, q, j) =>
  p[i] <= q[j + 3] &&
  p[i + 1] <= q[j + 4] &&
  p[i + 2] <= q[j + 5] &&
  q[j] <= p[i + 3] &&
  q[j + 1] <= p[i + 4] &&
  q[j + 2] <= p[i + 5];

/** Every box into all cells it meets; pairs within a cell, each counted in the cell of the lower corner of what they share. */
function grid({ boxes, bodyOfCluster }) {
  const n = bodyOfCluster.length;
  let size = 0;
  for (let o = 0; o < boxes.length; o += 6)
    size += (boxes[o + 3] - boxes[o] + boxes[o + 4] - boxes[o + 1] + boxes[o + 5] - boxes[o + 2]) / 3;
  const perCell = n / size;
  const cell = (v) => Math.floor(v * perCell);
  const buckets = 1 << Math.ceil(Math.log2(2 * n));
  const hash = (i, j, k) => (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) & (buckets - 1);
  const start = new Uint32Array(buckets + 1);
  const each = (visit) => {
    for (let c = 0; c < n; c++) {
      const o = 6 * c;
      for (let k = cell(boxes[o + 2]); k <= cell(boxes[o + 5]); k++)
        for (let j = cell(boxes[o + 1]); j <= cell(boxes[o + 4]); j++)
          for (let i = cell(boxes[o]); i <= cell(boxes[o + 3]); i++) visit(c, hash(i, j, k));
    }
  };
  each((_, h) => start[h + 1]++);
  for (let h = 0; h < buckets; h++) start[h + 1] += start[h];
  const next = start.slice();
  const items = new Uint32Array(start[buckets]);
  each((c, h) => (items[next[h]++] = c));
  let pairs = 0;
  for (let h = 0; h < buckets; h++)
    for (let p = start[h]; p < start[h + 1]; p++)
      for (let q = p + 1; q < start[h + 1]; q++) {
        const [a, b] = [items[p], items[q]];
        if (bodyOfCluster[a] === bodyOfCluster[b] || !meet(boxes, 6 * a, boxes, 6 * b)) continue;
        const corner = [0, 1, 2].map((x) => cell(Math.max(boxes[6 * a + x], boxes[6 * b + x])));
        if (hash(...corner) === h) pairs++;
      }
  return pairs;
}

/** Boxes sorted by their lower end along the axis of the widest spread. */
function sweep({ boxes, bodyOfCluster }) {
  const order = Uint32Array.from(bodyOfCluster.keys());
  let [axis, most] = [0, -1];
  for (let a = 0; a < 3; a++) {
    let [low, high] = [Infinity, -Infinity];
    for (let o = a; o < boxes.length; o += 6) {
      low = Math.min(low, boxes[o]);
      high = Math.max(high, boxes[o]);
    }
    if (high - low > most) [axis, most] = [a, high - low];
  }
  order.sort((a, b) => boxes[6 * a + axis] - boxes[6 * b + axis]);
  let pairs = 0;
  for (let m = 0; m < order.length; m++) {
    const a = order[m];
    const end = boxes[6 * a + 3 + axis];
    for (let n = m + 1; n < order.length && boxes[6 * order[n] + axis] <= end; n++)
      if (bodyOfCluster[a] !== bodyOfCluster[order[n]] && meet(boxes, 6 * a, boxes, 6 * order[n])) pairs++;
  }
  return pairs;
}

/** Boxes taken up the branches, which were made once from the rest shape; then both trees of every two bodies whose roots meet. */
function trees({ boxes, treeNode, bodies }) {
  const nodes = new Float32Array(6 * (treeNode.length / 2));
  for (const { clusterStart, clusterEnd } of bodies)
    for (let node = 2 * clusterEnd - 2; node >= 2 * clusterStart; node--) {
      const right = treeNode[2 * node];
      const [l, r] = [6 * (node + 1), 6 * (2 * clusterStart + right)];
      const from = 6 * (clusterStart + treeNode[2 * node + 1]);
      for (let a = 0; a < 6; a++)
        nodes[6 * node + a] =
          right === 0
            ? boxes[from + a]
            : a < 3
              ? Math.min(nodes[l + a], nodes[r + a])
              : Math.max(nodes[l + a], nodes[r + a]);
    }
  let pairs = 0;
  const size = (n) =>
    nodes[6 * n + 3] - nodes[6 * n] + nodes[6 * n + 4] - nodes[6 * n + 1] + nodes[6 * n + 5] - nodes[6 * n + 2];
  const order = Uint32Array.from(bodies.keys()).sort(
    (a, b) => nodes[12 * bodies[a].clusterStart] - nodes[12 * bodies[b].clusterStart],
  );
  for (let m = 0; m < order.length; m++) {
    const a = 2 * bodies[order[m]].clusterStart;
    for (let n = m + 1; n < order.length; n++) {
      const b = 2 * bodies[order[n]].clusterStart;
      if (nodes[6 * b] > nodes[6 * a + 3]) break;
      const walk = (p, q) => {
        if (!meet(nodes, 6 * p, nodes, 6 * q)) return;
        const [right, other] = [treeNode[2 * p], treeNode[2 * q]];
        if (right === 0 && other === 0) pairs++;
        else if (other === 0 || (right !== 0 && size(p) >= size(q))) {
          walk(p + 1, q);
          walk(a + right, q);
        } else {
          walk(p, q + 1);
          walk(p, b + other);
        }
      };
      walk(a, b);
    }
  }
  return pairs;
}

export async function broadphase() {
  const worlds = {
    'two slabs': await slabs(10000),
    'heap of blocks': await heap(10000),
    ...(hasReference ? { bunniesCrash: await referenceWorld('bunniesCrash') } : {}),
  };
  const ways = { grid, sweep, tree: trees };
  const rows = [];
  for (const [name, world] of Object.entries(worlds)) {
    for (let k = 0; k < (name === 'bunniesCrash' ? 100 : 10); k++) world.step();
    const boxes = boxesOf(world);
    const times = { grid: [], sweep: [], tree: [] };
    const found = new Set();
    for (let round = 0; round < ROUNDS; round++)
      for (const [way, find] of Object.entries(ways)) {
        const start = performance.now();
        found.add(find(boxes));
        times[way].push(performance.now() - start);
      }
    if (found.size !== 1) throw new Error(`${name}: the ways find different pairs: ${[...found]}`);
    rows.push({
      world: name,
      clusters: world.clusterCount,
      bodies: world.bodies.length,
      pairs: [...found][0],
      ...Object.fromEntries(Object.entries(times).map(([way, ms]) => [`${way}, ms`, median(ms).toFixed(2)])),
    });
    world.dispose();
  }
  console.log('\nBroad phase: pairs of clusters of different bodies whose boxes meet, plain JavaScript, medians.\n');
  console.log(table(rows));
  return rows;
}
