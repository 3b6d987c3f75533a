import { describe, expect, it } from 'vitest';
import type { ShapeOptions } from '../sample/index.js';
import { buildBody } from './build.js';
import type { BodyOptions } from './options.js';

const SPHERE: ShapeOptions = { type: 'sphere', radius: 0.5 };
const built = (shape: ShapeOptions, sampling: BodyOptions['sampling'], material: BodyOptions['material'] = {}) =>
  buildBody({ shape, sampling: { method: 'grid', ...sampling }, material: { density: 1000, ...material } }).data;

/** Mass, centre and second moments about the origin of the particles of a body. */
function momentsOf({ positions, masses }: ReturnType<typeof built>) {
  let mass = 0;
  const [centre, second] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (let i = 0; i < masses.length; i++) {
    mass += masses[i];
    for (let a = 0; a < 3; a++) {
      centre[a] += masses[i] * positions[3 * i + a];
      second[a] += masses[i] * positions[3 * i + a] ** 2;
    }
  }
  return { mass, centre: centre.map((c) => c / mass), second: second.map((m) => m / mass) };
}

describe('cut cells of a grid', () => {
  // Of a ball of radius r the mean of x² is r²/5. A cell of side s has s²/12 of its own, which particles do not have.
  it.each([7, 8, 9, 11])('give a ball of %i across its moments of inertia', (n) => {
    const { mass, centre, second } = momentsOf(built(SPHERE, { spacing: 1 / n }));
    expect(mass).toBeCloseTo((1000 * Math.PI) / 6, 6);
    for (const c of centre) expect(Math.abs(c)).toBeLessThan(1e-4);
    // With whole cells it was 0.95, 0.99, 0.98 and 0.99 of it.
    for (const m of second) expect(Math.abs((m + 1 / (12 * n * n)) / 0.05 - 1)).toBeLessThan(0.02);
  });

  it('put the centre of mass where that of a ball with a small ball beside it is', () => {
    const shape: ShapeOptions = {
      type: 'union',
      of: [SPHERE, { type: 'sphere', radius: 0.2, position: [0.8, 0, 0] }],
    };
    const { centre } = momentsOf(built(shape, { spacing: 1 / 7 }));
    // The parts do not overlap; the small one is 2.8 spacings wide.
    expect(Math.abs(centre[0] - (0.8 * 0.2 ** 3) / (0.5 ** 3 + 0.2 ** 3))).toBeLessThan(0.003);
  });

  it('leave bodies as they are whose cells are whole', () => {
    const { positions, masses } = built({ type: 'box', size: [1, 0.5, 0.7] }, { spacing: 0.1 });
    expect(masses.length).toBe(350);
    for (const mass of masses) expect(mass).toBe(masses[0]);
    for (const c of positions)
      expect(Math.abs(((c / 0.1) * 2) % 1)).toBeCloseTo(Math.round(Math.abs(((c / 0.1) * 2) % 1)), 9);
  });

  it('share what lies beyond the last whole cell of a box', () => {
    // Three cells of 0.3 leave 0.05 on each side: the outermost particles stand for 0.35, and lie in its middle.
    const { positions, masses } = built({ type: 'box', size: [1, 1, 1] }, { spacing: 0.3 });
    const inner = 1000 * 0.3 ** 3;
    expect(masses.length).toBe(27);
    for (let i = 0; i < 27; i++) {
      const outer = [0, 1, 2].filter((a) => Math.abs(positions[3 * i + a]) > 0.2);
      // Edges and corners are known to a few hundredths of a cell.
      for (const a of outer) expect(Math.abs(Math.abs(positions[3 * i + a]) - 0.325)).toBeLessThan(0.012);
      expect(Math.abs(masses[i] / (inner * (7 / 6) ** outer.length) - 1)).toBeLessThan(0.05);
    }
  });

  it('are not taken by bodies with parameters per step', () => {
    const { positions, masses } = built(SPHERE, { spacing: 1 / 7 }, { raw: {} });
    for (const mass of masses) expect(mass).toBe(masses[0]);
    for (const c of positions) expect(7 * c).toBeCloseTo(Math.round(7 * c), 9);
  });

  it('follow a lattice that is turned', () => {
    // A count that no upright grid of a cube has.
    const data = built({ type: 'box', size: [1, 1, 1] }, { count: 401 });
    const { centre, second } = momentsOf(data);
    const n = Math.cbrt(data.masses.length);
    for (const c of centre) expect(Math.abs(c)).toBeLessThan(2e-3);
    for (const m of second) expect(Math.abs((m + 1 / (12 * n * n)) * 12 - 1)).toBeLessThan(0.02);
  });
});
