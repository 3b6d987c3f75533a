import { expect, test } from 'vitest';
import { report } from '../../pliant/src/testing/report.js';
import { runOwn } from './testing/gallery.js';

/** Edges, by vertices that are one, that have not as many triangles one way as the other. */
function openEdges(indices: Uint32Array, welded: Uint32Array): number {
  const balance = new Map<number, number>();
  for (let h = 0; h < indices.length; h++) {
    const [a, b] = [welded[indices[h]], welded[indices[h % 3 === 2 ? h - 2 : h + 1]]];
    const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    balance.set(key, (balance.get(key) ?? 0) + (a < b ? 1 : -1));
  }
  return [...balance.values()].filter((sum) => sum !== 0).length;
}

// As long as each takes to break; the other scenes that break were looked at by hand (docs/design/surfaces.md).
test.each([
  ['plate-ductile', 2.5],
  ['plate-weak', 1],
  ['hollow-ball', 1],
])('%s: its surface is closed when it has broken, with faces of its inside', async (name, seconds) => {
  const { bodies } = await runOwn(name, seconds);
  const broken = bodies.filter((body) => body.core.history.broken);
  expect(broken.length).toBeGreaterThan(0);
  for (const body of broken) {
    const { pieces } = body;
    const skin = body.getSkin();
    skin.update();
    report(
      'pieces, and triangles of each kind',
      { pieces: pieces.count, ...Object.fromEntries(skin.groups.map(({ kind, count }) => [kind, count / 3])) },
      '',
    );
    expect(skin.groups[1].kind).toBe('inner');
    expect(openEdges(skin.indices, skin.welded)).toBe(0);
    expect(skin.positions.every(Number.isFinite)).toBe(true);
  }
});
