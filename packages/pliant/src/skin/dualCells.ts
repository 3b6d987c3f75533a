/**
 * The twelve edges of a cell: the corner each begins in (bit a set: at the far end of axis a) and the axis along which it runs.
 */
export const EDGE_CORNER: readonly number[] = [0, 2, 4, 6, 0, 1, 4, 5, 0, 1, 2, 3];
export const EDGE_AXIS: readonly number[] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];

/**
 * For each of the 256 ways in which a cell's corners can be inside: how many sheets of surface it holds, and to which of them each of its
 * edges that is crossed belongs (12 a cell, 255 for the others). Two crossed edges of one face belong together. Faces with four
 * crossed edges, where that would be ambiguous, do not occur (removeAlternatingFaces).
 */
export const DUAL = buildTable();

function buildTable(): { sheets: Uint8Array; sheetOf: Uint8Array } {
  const sheets = new Uint8Array(256);
  const sheetOf = new Uint8Array(12 * 256).fill(255);
  for (let config = 0; config < 256; config++) {
    const isCrossed = (e: number) =>
      ((config >> EDGE_CORNER[e]) & 1) !== ((config >> (EDGE_CORNER[e] | (1 << EDGE_AXIS[e]))) & 1);
    const label = Array.from({ length: 12 }, (_, e) => (isCrossed(e) ? e : -1));
    // Each face is where one axis is at one end; joined again and again, until nothing changes.
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
