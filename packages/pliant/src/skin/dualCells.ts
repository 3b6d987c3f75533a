/** The twelve edges of a cell: the corner at which each begins (bit a set: at the far end of axis a), and its axis. */
export const EDGE_CORNER: readonly number[] = [0, 2, 4, 6, 0, 1, 4, 5, 0, 1, 2, 3];
export const EDGE_AXIS: readonly number[] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];

/**
 * For each of the 256 sets of a cell's corners that are inside: how many sheets of surface the cell has, and the sheet
 * of each crossed edge (12 a set, 255 for edges that are not crossed). Two crossed edges of one face belong to the same
 * sheet. Faces with four crossed edges, where that would be ambiguous, do not occur (removeAlternatingFaces). The table is made at the first call: it took a tenth of the time in which the engine is imported.
 */
export const dualTable = (): DualTable => (table ??= buildTable());
let table: DualTable | undefined;

interface DualTable {
  sheets: Uint8Array;
  sheetOf: Uint8Array;
}

function buildTable(): DualTable {
  const sheets = new Uint8Array(256);
  const sheetOf = new Uint8Array(12 * 256).fill(255);
  for (let config = 0; config < 256; config++) {
    const isCrossed = (e: number) =>
      ((config >> EDGE_CORNER[e]) & 1) !== ((config >> (EDGE_CORNER[e] | (1 << EDGE_AXIS[e]))) & 1);
    const label = Array.from({ length: 12 }, (_, e) => (isCrossed(e) ? e : -1));
    // A face has one axis at one end. Crossed edges of each face are joined, in rounds until nothing changes.
    for (let round = 0; round < 6; round++)
      for (let axis = 0; axis < 3; axis++)
        for (const end of [0, 1]) {
          const on = label.map((_, e) => e).filter((e) => isOnFace(e, axis, end) && label[e] >= 0);
          const least = Math.min(...on.map((e) => label[e]));
          for (const e of on) label[e] = least;
        }
    const names = [...new Set(label.filter((l) => l >= 0))];
    sheets[config] = names.length;
    label.forEach((l, e) => {
      if (l >= 0) sheetOf[12 * config + e] = names.indexOf(l);
    });
  }
  return { sheets, sheetOf };
}

function isOnFace(e: number, axis: number, end: number): boolean {
  return EDGE_AXIS[e] !== axis && ((EDGE_CORNER[e] >> axis) & 1) === end;
}
