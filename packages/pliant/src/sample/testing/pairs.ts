/** Nearest-neighbour queries of a point set by a grid of cells, independent of the code under test. */
export class Neighbours {
  private readonly cells = new Map<string, number[]>();

  constructor(
    private readonly positions: Float64Array,
    private readonly cell: number,
  ) {
    for (let i = 0; i < positions.length / 3; i++) {
      const key = this.key(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], 0, 0, 0);
      const list = this.cells.get(key);
      if (list) list.push(i);
      else this.cells.set(key, [i]);
    }
  }

  private key(x: number, y: number, z: number, i: number, j: number, k: number): string {
    return `${Math.floor(x / this.cell) + i},${Math.floor(y / this.cell) + j},${Math.floor(z / this.cell) + k}`;
  }

  /** Distance to the nearest point other than `self`, or Infinity when none is within one cell. */
  nearest(x: number, y: number, z: number, self = -1): number {
    let best = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 27; n++)
      for (const i of this.cells.get(
        this.key(x, y, z, (n % 3) - 1, (Math.floor(n / 3) % 3) - 1, Math.floor(n / 9) - 1),
      ) ?? []) {
        if (i === self) continue;
        const [dx, dy, dz] = [this.positions[3 * i] - x, this.positions[3 * i + 1] - y, this.positions[3 * i + 2] - z];
        best = Math.min(best, Math.sqrt(dx * dx + dy * dy + dz * dz));
      }
    return best;
  }
}

/** The least distance between two points of the set; cells of `cell` must be no smaller than it. */
export function leastDistance(positions: Float64Array, cell: number): number {
  const neighbours = new Neighbours(positions, cell);
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < positions.length / 3; i++)
    best = Math.min(best, neighbours.nearest(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], i));
  return best;
}
