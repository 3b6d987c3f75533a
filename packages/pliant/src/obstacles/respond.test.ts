import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../testing/seed.js';
import type { ColliderOptions } from './options.js';
import { resolveCollider } from './resolve.js';
import { respond } from './respond.js';

const plane = (options: Partial<ColliderOptions>) =>
  resolveCollider({ type: 'plane', normal: [0, 1, 0], ...options } as ColliderOptions, 0);

/** Velocity after contact with a floor. */
function after(v: [number, number, number], options: Partial<ColliderOptions>, restThreshold = 0): number[] {
  const s = { x: new Float32Array(4), v: new Float32Array([...v, 0]) };
  respond(s, 0, 0, 1, 0, plane(options), { h: 0.25, restThreshold });
  return Array.from(s.v.slice(0, 3));
}

describe('contact', () => {
  it('without friction takes the approaching velocity, gives back its share and leaves the rest', () => {
    expect(after([3, -2, 1], { friction: 0 })).toEqual([3, 0, 1]);
    expect(after([3, -2, 1], { friction: 0, restitution: 0.25 })).toEqual([3, 0.5, 1]);
    expect(after([3, -2, 1], { friction: 0, restitution: 1 })).toEqual([3, 2, 1]);
  });

  it('leaves a particle that is already parting alone', () => {
    expect(after([3, 2, 1], { friction: 1, restitution: 1 })).toEqual([3, 2, 1]);
    expect(after([3, 0, 1], { friction: 1 })).toEqual([3, 0, 1]);
  });

  it('does not bounce below the rest threshold, and does just above it', () => {
    expect(after([0, -0.25, 0], { restitution: 0.5 }, 0.25)).toEqual([0, 0, 0]);
    expect(after([0, -0.5, 0], { restitution: 0.5 }, 0.25)[1]).toBe(0.25);
  });

  it('friction takes μ times the normal impulse from sliding, against it, and sticks within the cone', () => {
    // Sliding at 5 along (3, 0, 4)/5, approach 2, μ = 0.5: 1 m/s goes.
    const slid = after([3, -2, 4], { friction: 0.5 });
    expect(slid).toEqual([2.4, 0, 3.2].map((v) => expect.closeTo(v, 6)));
    expect(after([3, -2, 4], { friction: 2.5 })).toEqual([0, 0, 0]);
    expect(after([3, -2, 4], { friction: 100 })).toEqual([0, 0, 0]);
    // A bounce is a larger normal impulse: (1 + e) times.
    expect(after([3, -2, 4], { friction: 0.5, restitution: 0.5 })[0]).toBeCloseTo(3 * (1 - 1.5 / 5), 6);
  });

  it('takes back the way of the sliding velocity that it takes, and none else', () => {
    const s = { x: new Float32Array([10, 20, 30, 1]), v: new Float32Array([3, -2, 4, 0]) };
    respond(s, 0, 0, 1, 0, plane({ friction: 0.5, restitution: 1 }), { h: 0.25, restThreshold: 0 });
    // μ (1 + e) 2 m/s = 2 m/s of 5 go: (1.2, 0, 1.6), for a quarter of a second.
    expect(Array.from(s.x)).toEqual([10 - 0.3, 20, 30 - 0.4, 1].map((c) => expect.closeTo(c, 5)));
    const parting = { x: new Float32Array(4), v: new Float32Array([3, 2, 4, 0]) };
    respond(parting, 0, 0, 1, 0, plane({ friction: 0.5 }), { h: 0.25, restThreshold: 0 });
    expect(Array.from(parting.x)).toEqual([0, 0, 0, 0]);
  });

  it('acts on the velocity relative to the collider', () => {
    expect(after([0, 0, 0], { velocity: [0, 3, 0], friction: 0 })).toEqual([0, 3, 0]);
    expect(after([0, 0, 0], { velocity: [0, 3, 0], friction: 0, restitution: 1 })).toEqual([0, 6, 0]);
    // A conveyor belt drags what lies on it along, no faster than itself.
    expect(after([0, -1, 0], { velocity: [0.2, 0, 0], friction: 1 })[0]).toBeCloseTo(0.2, 6);
    expect(after([0, -1, 0], { velocity: [2, 0, 0], friction: 0.5 })[0]).toBeCloseTo(0.5, 6);
    expect(after([0, 3.5, 0], { velocity: [0, 3, 0] })).toEqual([0, 3.5, 0]);
  });

  it('never adds energy, never leaves a particle approaching, never reverses sliding', () => {
    const component = fc.double({ min: -100, max: 100, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(component, component, component),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        fc.tuple(component, component, component).filter((n) => Math.hypot(...n) > 1e-3),
        (v, restitution, friction, normal) => {
          const length = Math.hypot(...normal);
          const [nx, ny, nz] = normal.map((c) => c / length);
          const out = new Float32Array([...v, 0]);
          const x = new Float32Array(4);
          respond({ x, v: out }, 0, nx, ny, nz, plane({ restitution, friction }), { h: 1, restThreshold: 0 });
          // The way back lies in the surface.
          expect(Math.abs(x[0] * nx + x[1] * ny + x[2] * nz)).toBeLessThan(1e-4);
          expect(Math.hypot(...out)).toBeLessThanOrEqual(Math.hypot(...v) * (1 + 1e-6) + 1e-6);
          const [before, parting] = [v, out].map((u) => u[0] * nx + u[1] * ny + u[2] * nz);
          expect(parting).toBeGreaterThan(-1e-4);
          if (before < 0) expect(parting).toBeCloseTo(-restitution * before, 3);
          const slide = (u: ArrayLike<number>, along: number) => [
            u[0] - along * nx,
            u[1] - along * ny,
            u[2] - along * nz,
          ];
          const [was, is] = [slide(v, before), slide(out, parting)];
          expect(was[0] * is[0] + was[1] * is[1] + was[2] * is[2]).toBeGreaterThan(-1e-2);
        },
      ),
      { seed: testSeed('contact'), numRuns: 500 },
    );
  });
});
