import { PliantError, World } from 'pliant';
import { BoxGeometry, Mesh, MeshBasicMaterial } from 'three';
import { afterEach, describe, expect, it } from 'vitest';
import { SoftBodyMesh } from '../softBodyMesh.js';
import { hostWorld, type Port } from './host.js';
import { WorkerWorld, type WorkerWorldOptions } from './workerWorld.js';

const BOX = { shape: { type: 'box', size: [1, 1, 1] }, sampling: { method: 'grid', count: 64 }, name: 'box' } as const;

let open: WorkerWorld | undefined;
afterEach(() => open?.dispose());

/** A world behind a message channel: everything of a worker but its thread. */
async function remoteWorld(options: WorkerWorldOptions = {}): Promise<WorkerWorld> {
  const { port1, port2 } = new MessageChannel();
  hostWorld(port2 as unknown as Port);
  open = await WorkerWorld.create({ backend: 'ts', running: false, shared: false, ...options, worker: port1 });
  return open;
}

/** Lets messages through until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe('a world in a worker', () => {
  it('gives the same numbers as one here', async () => {
    const remote = await remoteWorld();
    const here = await World.create({ backend: 'ts' });
    await remote.addCollider({ type: 'plane', normal: [0, 1, 0] });
    here.addCollider({ type: 'plane', normal: [0, 1, 0] });
    const [a, b] = [
      await remote.addBody({ ...BOX, position: [0, 1, 0] }),
      here.addBody({ ...BOX, position: [0, 1, 0] }),
    ];
    await a.applyImpulse([100, 0, 0]);
    b.applyImpulse([100, 0, 0]);
    await remote.step(40);
    for (let n = 0; n < 40; n++) here.step();
    expect(await a.copyPositions()).toEqual(b.copyPositions());
    expect(await a.centreOfMass()).toEqual(b.centreOfMass);
    expect(await remote.measure(a)).toEqual(here.measure(b));
    expect((await remote.castRay([0.05, 5, 0.05], [0, -1, 0]))?.body).toBe(a);
  });

  it('passes refusals on as PliantErrors, and refuses functions', async () => {
    const remote = await remoteWorld();
    const wrong = remote.addBody({ ...BOX, material: { young: -1 } });
    await expect(wrong).rejects.toThrow(PliantError);
    await expect(wrong).rejects.toMatchObject({ path: 'body.material.young', code: 'refused' });
    await expect(remote.addForceField({ type: 'custom' } as never)).rejects.toThrow('worker');
    const body = await remote.addBody(BOX);
    await remote.removeBody(body);
    expect(body.alive).toBe(false);
    await expect(body.mass()).rejects.toThrow();
  });

  it('grabs, clamps and leads by things of its own', async () => {
    const remote = await remoteWorld({ gravity: [0, 0, 0] });
    const body = await remote.addBody(BOX);
    const pick = await remote.addPick({ body, point: [0.5, 0, 0] });
    await pick.moveTo([2.5, 0, 0]);
    await remote.step(40);
    expect((await body.centreOfMass())[0]).toBeGreaterThan(1);
    await remote.removePick(pick);
    await expect(pick.position()).resolves.toBeDefined();
    const clamp = await remote.addClamp({
      region: { type: 'halfspace', normal: [0, 1, 0], offset: 0.3 },
      bodies: [body],
    });
    expect(await clamp.particleCount()).toBe(16);
  });

  it.each([false, true])('shows bodies in frames that are blended, shared memory: %s', async (shared) => {
    const remote = await remoteWorld({ gravity: [0, 0, 0], shared });
    const object = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
    const mesh = await SoftBodyMesh.from(remote, object, 'jelly', { sampling: { count: 64 }, velocity: [6, 0, 0] });
    await until(() => remote.frame === 0 && remote.advance().alpha === 1);
    for (const step of [1, 2]) {
      await remote.step();
      await until(() => remote.frame === step);
    }
    const rightAt = (alpha: number) => {
      mesh.update(alpha);
      const { array } = mesh.geometry.attributes.position;
      let right = -Infinity;
      for (let k = 0; k < array.length; k += 3) right = Math.max(right, array[k]);
      return right;
    };
    expect(rightAt(1)).toBeCloseTo(0.7, 3);
    expect(rightAt(0.5)).toBeCloseTo(0.65, 3);
    expect(rightAt(0)).toBeCloseTo(0.6, 3);
    // After a cut the triangles are others, and the part that came off can be shown.
    const { met, bodies } = await remote.cutStroke([0.2, 0, 5], [0, -0.3, -1], [0, 0.3, -1]);
    expect([met, bodies.length]).toEqual([1, 2]);
    const other = bodies.find((body) => body !== mesh.body)!;
    await other.show();
    const part = new SoftBodyMesh(other);
    await remote.step();
    await until(() => remote.frame === 3);
    mesh.update();
    part.update();
    expect(mesh.geometry.groups).toHaveLength(2);
    const spans = [mesh, part].map(({ geometry: { boundingBox: box } }) => box!.max.x - box!.min.x);
    expect(spans[0] + spans[1]).toBeCloseTo(1, 1);
    expect(remote.drainEvents().map(({ type }) => type)).toContain('cut');
  });

  it('keeps time with the clock, and stands still while it is paused', async () => {
    const remote = await remoteWorld({ running: true });
    await remote.addBody(BOX);
    await until(() => remote.time > 0.05);
    remote.pause();
    await remote.gravity();
    const then = remote.frame;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(remote.frame - then).toBeLessThanOrEqual(1);
  });
});
