import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { boxMesh } from '../mesh/testing/meshes.js';
import { testSeed } from '../testing/seed.js';
import { meshSolid } from './meshSolid.js';
import { shapeSolid } from './shape.js';
import { shell } from './shell.js';

describe('shell', () => {
  const next = random(testSeed('shell'));

  it('of a sphere is the space between two spheres, with the distance to the nearer', () => {
    const ball = shell(shapeSolid({ type: 'sphere', radius: 1 }), 0.2);
    for (let n = 0; n < 2000; n++) {
      const p = [2.4 * next() - 1.2, 2.4 * next() - 1.2, 2.4 * next() - 1.2] as const;
      const r = Math.hypot(...p);
      expect(ball.inside(...p)).toBe(r <= 1 && r >= 0.8);
      const expected = Math.min(Math.abs(r - 1), Math.abs(r - 0.8));
      expect(ball.distance(...p)).toBeCloseTo(expected, 9);
      expect(Math.min(ball.distance(...p, 0.05), 0.05)).toBeCloseTo(Math.min(ball.distance(...p), 0.05), 9);
    }
  });

  it('of a mesh has walls of the thickness', () => {
    const walls = shell(meshSolid(boxMesh([1, 1, 1])), 0.1);
    for (let n = 0; n < 2000; n++) {
      const p = [1.2 * next() - 0.6, 1.2 * next() - 0.6, 1.2 * next() - 0.6] as const;
      const depth = 0.5 - Math.max(...p.map(Math.abs));
      expect(walls.inside(...p)).toBe(depth >= 0 && depth <= 0.1);
    }
  });

  it('thicker than the body is the body', () => {
    const ball = shell(shapeSolid({ type: 'sphere', radius: 1 }), 5);
    expect(ball.inside(0, 0, 0)).toBe(true);
    expect(ball.inside(1.1, 0, 0)).toBe(false);
  });

  it('refuses a thickness that is none', () => {
    const ball = shapeSolid({ type: 'sphere', radius: 1 });
    expect(() => shell(ball, 0)).toThrow('shell is 0; expected a finite number above 0.');
    expect(() => shell(ball, Number.NaN, 'sampling.shell')).toThrow(
      'sampling.shell is NaN; expected a finite number above 0.',
    );
  });
});
