/**
 * Signed volume of a closed triangle mesh: Σ a·(b×c)/6 by the divergence theorem, positive when the faces look outward.
 * It is measured about the mean vertex of the triangles. For an open mesh that gives the volume closed by a cone over
 * its hole; for any mesh it avoids cancellation far from the origin.
 */
export function signedVolume(positions: ArrayLike<number>, indices: ArrayLike<number>): number {
  const centre = [0, 0, 0];
  for (let k = 0; k < indices.length; k++)
    for (let axis = 0; axis < 3; axis++) centre[axis] += positions[3 * indices[k] + axis] / indices.length;
  const [ox, oy, oz] = centre;
  let sum = 0;
  for (let k = 0; k < indices.length; k += 3) {
    const a = 3 * indices[k];
    const b = 3 * indices[k + 1];
    const c = 3 * indices[k + 2];
    const bx = positions[b] - ox;
    const by = positions[b + 1] - oy;
    const bz = positions[b + 2] - oz;
    const cx = positions[c] - ox;
    const cy = positions[c + 1] - oy;
    const cz = positions[c + 2] - oz;
    sum +=
      (positions[a] - ox) * (by * cz - bz * cy) +
      (positions[a + 1] - oy) * (bz * cx - bx * cz) +
      (positions[a + 2] - oz) * (bx * cy - by * cx);
  }
  return sum / 6;
}
