import type { SkinMesh } from '../skin/skinMesh.js';
import type { CutMeshResult } from './cutMesh.js';
import type { CutMesh } from './mesh.js';

/** A body's render mesh in the form that cutMesh takes: attributes of corners in one row each. */
export function cutMeshOf(skin: SkinMesh, now: Float64Array): CutMesh {
  const { positions, indices, uvs, colours, source, inner } = skin;
  const widths = [uvs ? 2 : 0, colours ? 3 : 0, source ? 3 : 0];
  const width = widths[0] + widths[1] + widths[2];
  const attributes = new Float32Array(width * indices.length);
  const corners = new Uint32Array(indices.length);
  for (let k = 0; k < indices.length; k++) {
    corners[k] = k;
    for (let a = 0; a < widths[0]; a++) attributes[width * k + a] = uvs![2 * k + a];
    for (let a = 0; a < widths[1]; a++) attributes[width * k + widths[0] + a] = colours![3 * k + a];
    for (let a = 0; a < widths[2]; a++) attributes[width * k + widths[0] + widths[1] + a] = source![3 * k + a];
  }
  return {
    rest: positions,
    now,
    indices,
    corners,
    attributes,
    width,
    inner: inner ?? new Uint8Array(indices.length / 3),
  };
}

/** The render mesh after a cut, without `near`. */
export function skinMeshOf(cut: CutMeshResult, before: SkinMesh): SkinMesh {
  const { width, corners, attributes } = cut;
  const pick = (from: number, count: number) => {
    const values = new Float32Array(count * corners.length);
    for (let k = 0; k < corners.length; k++)
      for (let a = 0; a < count; a++) values[count * k + a] = attributes[width * corners[k] + from + a];
    return values;
  };
  return {
    positions: cut.rest,
    indices: cut.indices,
    uvs: before.uvs && pick(0, 2),
    colours: before.colours && pick(before.uvs ? 2 : 0, 3),
    ...(before.source && { source: pick(width - 3, 3) }),
    inner: cut.inner,
    crease: before.crease,
  };
}
