import type { Body } from 'pliant';
import { expect } from 'vitest';
import { crackFigures } from '../../../pliant/src/skin/testing/cracks.js';
import { report } from '../../../pliant/src/testing/report.js';

/** Expects smooth cracks in the skin of a broken body: closed, with nothing lost, and every piece shown. */
export function expectSmoothCracks(body: Body): void {
  const skin = body.getSkin();
  skin.update();
  const figures = crackFigures(body as unknown as Parameters<typeof crackFigures>[0]);
  report('cracks', { ...figures }, '');
  const { points, smooth, filled, ...faults } = figures;
  expect(faults).toEqual({ pieces: body.pieces.count, unseen: 0, spanning: 0, open: 0 });
  expect(Math.abs(filled - 1)).toBeLessThan(1e-9);
  expect(points).toBeGreaterThan(50);
  expect(smooth).toBeGreaterThan(0.95);
  expect(skin.groups[1].kind).toBe('inner');
  expect(skin.positions.every(Number.isFinite)).toBe(true);
  expect(skin.rest.length).toBe(skin.positions.length);
}
