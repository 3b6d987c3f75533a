import { isLeaf, leftChild, rightChild } from '../mesh/bvh.js';
import { fitFrames } from '../skin/frames.js';
import { Flag } from '../state/flags.js';
import type { State } from '../state/state.js';
import type { ContactMesh } from './contactMesh.js';

/** Updates vertex positions and bounds of a contact mesh from its body's particles. Allocates nothing. */
export function updateContactMesh(mesh: ContactMesh, state: State): void {
  const s = state.views;
  fitFrames(mesh, state, mesh.body.rows.clusterStart);
  const { blend, offsets, frames, bounds, positions: out } = mesh;
  const { start, cluster, share } = blend;
  bounds.fill(Number.POSITIVE_INFINITY, 0, 3).fill(Number.NEGATIVE_INFINITY, 3, 6);
  for (let v = 0; v < mesh.vertexCount; v++) {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let k = start[v]; k < start[v + 1]; k++) {
      const o = 12 * cluster[k];
      const w = share[k];
      const qx = offsets[3 * k];
      const qy = offsets[3 * k + 1];
      const qz = offsets[3 * k + 2];
      x += w * (frames[o] * qx + frames[o + 3] * qy + frames[o + 6] * qz + frames[o + 9]);
      y += w * (frames[o + 1] * qx + frames[o + 4] * qy + frames[o + 7] * qz + frames[o + 10]);
      z += w * (frames[o + 2] * qx + frames[o + 5] * qy + frames[o + 8] * qz + frames[o + 11]);
    }
    out[3 * v] = x;
    out[3 * v + 1] = y;
    out[3 * v + 2] = z;
    // Bounds are taken of the rounded f32 positions, because contact uses those.
    for (let a = 0; a < 3; a++) {
      if (out[3 * v + a] < bounds[a]) bounds[a] = out[3 * v + a];
      if (out[3 * v + a] > bounds[3 + a]) bounds[3 + a] = out[3 * v + a];
    }
  }
  const { particleStart, particleEnd } = mesh.body.rows;
  let i = particleStart;
  while (i < particleEnd && s.flags[i] & Flag.HELD) i++;
  mesh.isHeld = i === particleEnd;
  mesh.updates++;
}

/**
 * Refits the boxes of the mesh's bounding volume hierarchy to the current vertices; its tree stays. Does nothing if the boxes are up to
 * date.
 */
export function refitContactMesh(mesh: ContactMesh): void {
  if (mesh.refitted === mesh.updates) return;
  mesh.refitted = mesh.updates;
  const { bvh, indices, positions } = mesh;
  const { corners, triangles, bounds } = bvh;
  for (let slot = 0; slot < triangles.length; slot++)
    for (let k = 0; k < 3; k++) {
      const from = 3 * indices[3 * triangles[slot] + k];
      const to = 9 * slot + 3 * k;
      corners[to] = positions[from];
      corners[to + 1] = positions[from + 1];
      corners[to + 2] = positions[from + 2];
    }
  // Children have higher numbers than their parents, so descending numbers visit children first.
  for (let node = bvh.nodeCount - 1; node >= 0; node--) {
    const o = 6 * node;
    if (isLeaf(bvh, node)) {
      bounds.fill(Number.POSITIVE_INFINITY, o, o + 3).fill(Number.NEGATIVE_INFINITY, o + 3, o + 6);
      for (let k = 9 * bvh.first[node]; k < 9 * (bvh.first[node] + bvh.count[node]); k += 3)
        for (let a = 0; a < 3; a++) {
          const x = corners[k + a];
          if (x < bounds[o + a]) bounds[o + a] = x;
          if (x > bounds[o + a + 3]) bounds[o + a + 3] = x;
        }
      continue;
    }
    const l = 6 * leftChild(node);
    const r = 6 * rightChild(bvh, node);
    for (let a = 0; a < 3; a++) {
      bounds[o + a] = Math.min(bounds[l + a], bounds[r + a]);
      bounds[o + a + 3] = Math.max(bounds[l + a + 3], bounds[r + a + 3]);
    }
  }
}
