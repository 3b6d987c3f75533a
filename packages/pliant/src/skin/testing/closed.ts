/** The faults of a surface that ought to be closed: edges that have not as many triangles one way as the other; those that have more than one each way. */
export function edgeFaults(indices: ArrayLike<number>): { edges: number; open: number; shared: number } {
  const sides = new Map<number, [number, number]>();
  for (let h = 0; h < indices.length; h++) {
    const [a, b] = [indices[h], indices[h % 3 === 2 ? h - 2 : h + 1]];
    const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    if (!sides.has(key)) sides.set(key, [0, 0]);
    sides.get(key)![a < b ? 0 : 1]++;
  }
  let [open, shared] = [0, 0];
  for (const [up, down] of sides.values()) {
    if (up !== down) open++;
    if (up > 1 || down > 1) shared++;
  }
  return { edges: sides.size, open, shared };
}
