import type { TestMesh } from '../../mesh/testing/meshes.js';
import type { CutMesh } from '../mesh.js';

/** A mesh to be cut, moved by a map; its attributes are the rest positions, so that they can be checked after any number of cuts. */
export function cuttable({ positions, indices }: TestMesh, move = (p: number[]) => p): CutMesh {
  const now = [];
  for (let k = 0; k < positions.length; k += 3) now.push(...move(positions.slice(k, k + 3)));
  return {
    rest: Float64Array.from(positions),
    now: Float64Array.from(now),
    indices: Uint32Array.from(indices),
    corners: Uint32Array.from(indices),
    attributes: Float32Array.from(positions),
    width: 3,
    inner: new Uint8Array(indices.length / 3),
  };
}

/** The faults of a mesh that ought to be closed: edges that have not one triangle on each side, one that has a corner twice. */
export function faultsOf({ indices, rest, now }: Pick<CutMesh, 'indices' | 'rest' | 'now'>): string[] {
  const faults: string[] = [];
  const count = rest.length / 3;
  const seen = new Set<number>();
  for (let h = 0; h < indices.length; h++) {
    const [a, b] = [indices[h], indices[h % 3 === 2 ? h - 2 : h + 1]];
    if (a === b) faults.push(`triangle ${Math.floor(h / 3)} has vertex ${a} twice`);
    if (seen.has(a * count + b)) faults.push(`edge ${a} ${b} is there twice`);
    seen.add(a * count + b);
  }
  for (const key of seen) {
    const [a, b] = [Math.floor(key / count), key % count];
    if (!seen.has(b * count + a)) faults.push(`edge ${a} ${b} has no other side`);
  }
  for (const list of [rest, now])
    if (!Array.from(list).every(Number.isFinite)) faults.push('a coordinate is not finite');
  return faults;
}

/** The triangles of a mesh in parts that hang together by vertices. */
export function partsOf({ indices }: Pick<CutMesh, 'indices'>): number[][] {
  const parent = new Map<number, number>();
  const root = (v: number): number => {
    let r = v;
    while ((parent.get(r) ?? r) !== r) r = parent.get(r)!;
    parent.set(v, r);
    return r;
  };
  for (let t = 0; t < indices.length; t += 3) {
    parent.set(root(indices[t + 1]), root(indices[t]));
    parent.set(root(indices[t + 2]), root(indices[t]));
  }
  const parts = new Map<number, number[]>();
  for (let t = 0; t < indices.length; t += 3) {
    const r = root(indices[t]);
    if (!parts.has(r)) parts.set(r, []);
    parts.get(r)!.push(indices[t], indices[t + 1], indices[t + 2]);
  }
  return Array.from(parts.values());
}
