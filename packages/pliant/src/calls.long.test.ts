import { expect, it } from 'vitest';
import type { Body } from './body/body.js';
import type { BodyOptions } from './body/options.js';
import { PliantError, type Vec3 } from './check.js';
import type { CutOptions } from './cut/knife.js';
import { type Random, random } from './math/random.js';
import type { Snapshot } from './snapshot/snapshot.js';
import { testSeed } from './testing/seed.js';
import { World } from './world.js';

/** Random calls on one world. The state is sound after every one of them, and nothing is thrown but what refuses. */
class Caller {
  private readonly snapshots: Snapshot[] = [];
  readonly made = new Map<string, number>();

  constructor(
    private readonly world: World,
    private readonly next: Random,
  ) {}

  call(): void {
    const { world } = this;
    const body = world.bodies.length > 0 ? this.one(...world.bodies) : undefined;
    if (!body) {
      this.check('addBody', () => world.addBody(this.body()));
      return;
    }
    const particle = Math.floor(this.next() * body.particleCount);
    const kind = Math.floor(this.next() * 16);
    if (kind === 0 && world.particleCount < 400) this.check('addBody', () => world.addBody(this.body()));
    else if (kind <= 4 && world.bodies.length < 16) this.check('cut', () => world.cut(body, this.knife(body)));
    else if (kind === 5) this.check('separate', () => world.separate(body));
    else if (kind === 6 && world.bodies.length > 1) this.check('removeBody', () => world.removeBody(body));
    else if (kind === 7)
      this.check('setMaterial', () => body.setMaterial(this.one({ toughness: 0.05 }, { yield: 0.01 })));
    else if (kind === 8) this.check('setLevels', () => body.setLevels({ weights: [1, 2] }));
    else if (kind === 9) this.check('addPick', () => world.addPick({ body, particle, target: this.vector(1) }));
    else if (kind === 10) this.check('pin', () => body.pin(particle));
    else if (kind === 11)
      this.check('addClamp', () =>
        world.addClamp({
          region: { type: 'sphere', centre: this.place(body), radius: 0.2 },
          velocity: this.vector(1),
          lifetime: 0.2,
        }),
      );
    else if (kind === 12 && this.snapshots.length > 0)
      this.check('restore', () => world.restore(this.one(...this.snapshots)));
    else if (kind === 13) this.check('snapshot', () => this.snapshots.push(world.snapshot()));
    else if (kind === 14) this.check('skin', () => body.getSkin().update());
    else for (let k = Math.floor(12 * this.next()); k >= 0; k--) this.check('step', () => world.step());
  }

  private check(name: string, call: () => unknown): void {
    try {
      call();
      this.made.set(name, (this.made.get(name) ?? 0) + 1);
    } catch (error) {
      if (!(error instanceof PliantError)) throw error;
    }
    expect({ after: name, faults: this.world.validate() }).toEqual({ after: name, faults: [] });
  }

  private one<T>(...of: readonly T[]): T {
    return of[Math.floor(this.next() * of.length)];
  }

  private vector(size: number): [number, number, number] {
    return [0, 1, 2].map(() => size * (2 * this.next() - 1)) as [number, number, number];
  }

  /** Drawn out, crushed, flattened, turned inside out, in a point; brittle, flowing, with levels. */
  private body(): BodyOptions {
    const { next } = this;
    const line = Array.from({ length: 6 }, (_, k) => [0.1 * k, 0, 0]).flat();
    return {
      ...this.one<BodyOptions>(
        { shape: { type: 'box', size: [0.5, 0.3, 0.3] }, sampling: { spacing: 0.1, method: 'grid' } },
        { shape: { type: 'sphere', radius: 0.3 }, sampling: { count: 60, seed: 1 + Math.floor(99 * next()) } },
        { points: line },
      ),
      material: {
        toughness: this.one(0.05, Infinity),
        yield: this.one(0.02, Infinity),
        raw: { stiffness: this.one(0.3, 0.9) },
      },
      fracture: { minMembers: this.one(1, 4), debris: next() < 0.5 },
      reclustering: this.one({}, { threshold: 1.2, every: 3 / 60, fadeIn: 4 / 60, fadeOut: 6 / 60 }),
      levels: this.one(undefined, undefined, {}),
      stretch: this.one<Vec3>([1, 1, 1], [3, 1, 1], [1, 0, 1], [-1, 1, 1], [0, 0, 0], [1, 30, 1], [1, 1, 0.1]),
      position: this.vector(0.6),
      velocity: this.vector(this.one(0, 10)),
      angularVelocity: this.vector(this.one(0, 20)),
    };
  }

  /** Between two particles of the body, through one, or beside it. */
  private place(body: Body): Vec3 {
    const { positions: x, particleCount } = body;
    const [i, j] = [0, 1].map(() => 4 * Math.floor(this.next() * particleCount));
    const t = this.one(0, 0.5, this.next(), 2);
    return [0, 1, 2].map((a) => x[i + a] + t * (x[j + a] - x[i + a])) as unknown as Vec3;
  }

  private knife(body: Body): CutOptions {
    const point = this.place(body);
    if (this.next() < 0.6) return { point, normal: this.one<Vec3>([1, 0, 0], [0, 1, 0], [0, 0, 1], this.vector(1)) };
    const [u, v, size] = [this.vector(1), this.vector(1), body.size * this.one(0.3, 1, 3)];
    const corner = (p: number, q: number) => point.map((x, a) => x + size * (p * u[a] + q * v[a])) as unknown as Vec3;
    return { blade: [corner(0, 0), corner(1, 0), corner(0.8, 0.9), corner(0, 1)] };
  }
}

it('a world is sound after every call, whatever was called before', async () => {
  const next = random(testSeed('calls'));
  const made = new Map<string, number>();
  for (let n = 0; n < 16; n++) {
    const world = await World.create({ backend: n % 2 === 0 ? 'wasm' : 'ts' });
    world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.5 });
    const caller = new Caller(world, next);
    for (let k = 0; k < 25 && world.particleCount < 1500; k++) caller.call();
    for (const [name, count] of caller.made) made.set(name, (made.get(name) ?? 0) + count);
    world.dispose();
  }
  for (const name of ['addBody', 'cut', 'separate', 'removeBody', 'addPick', 'pin', 'restore', 'skin', 'step'])
    expect(made.get(name) ?? 0, name).toBeGreaterThan(0);
});
