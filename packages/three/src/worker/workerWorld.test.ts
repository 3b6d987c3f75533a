import { PliantError, World } from 'pliant';
import { BoxGeometry, Mesh, MeshBasicMaterial } from 'three';
import { afterEach, describe, expect, it } from 'vitest';
import { SoftBodyMesh } from '../softBodyMesh.js';
import { type HostOptions, hostWorld, type Port } from './host.js';
import type { RemoteBody } from './remote.js';
import { RemoteWorld } from './remoteWorld.js';
import { WorkerWorld, type WorkerWorldOptions } from './workerWorld.js';

const BOX = { shape: { type: 'box', size: [1, 1, 1] }, sampling: { method: 'grid', count: 64 }, name: 'box' } as const;

let open: RemoteWorld | undefined;
afterEach(() => open?.dispose());

/** A world behind a message channel: everything of a worker but its thread. */
async function remoteWorld(options: WorkerWorldOptions = {}, host: HostOptions = {}): Promise<WorkerWorld> {
  const { port1, port2 } = new MessageChannel();
  hostWorld(port2 as unknown as Port, host);
  const world = await WorkerWorld.create({ backend: 'ts', running: false, shared: false, ...options, worker: port1 });
  open = world;
  return world;
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

  it('builds objects once that differ in where they stand', async () => {
    let there: World | undefined;
    const remote = await remoteWorld({}, { create: async (options) => (there = await World.create(options)) });
    const brick = (k: number, length = 0.4) => {
      const mesh = new Mesh(new BoxGeometry(length, 0.1, 0.2), new MeshBasicMaterial());
      mesh.position.set(0.3 * k, 0.1 + k, -k);
      mesh.rotation.set(0.3 * k, 0.7 * k, 0);
      return mesh;
    };
    const options = { sampling: { count: 60 } };
    for (const k of [0, 1, 2]) {
      const { geometry } = await SoftBodyMesh.from(remote, brick(k), 'softRubber', options);
      expect(geometry.attributes.position.count).toBeGreaterThan(7);
    }
    await SoftBodyMesh.from(remote, brick(0, 0.5), 'softRubber', options);
    // Bodies of one build have its lists in common.
    const { bodies } = there!;
    expect(new Set(bodies.map(({ clustering }) => clustering.particle)).size).toBe(2);
    for (const [k, x] of [0, 0.3, 0.6, 0].entries()) expect(bodies[k].centreOfMass[0]).toBeCloseTo(x, 1);
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

  it('goes back and forth in its history, and steps the same way again', async () => {
    const remote = await remoteWorld({ history: { every: 0.1 } });
    await remote.addCollider({ type: 'plane', normal: [0, 1, 0] });
    const body = await remote.addBody({ ...BOX, position: [0, 1, 0], angularVelocity: [1, 0, 2] });
    await remote.step(20);
    const early = await body.copyPositions();
    await remote.step(40);
    const late = await body.copyPositions();
    await until(() => remote.frame === 60);
    expect(remote.kept).toEqual({ first: 0, last: 60 });
    expect(await remote.seek(20)).toBe(20);
    expect(await body.copyPositions()).toEqual(early);
    expect(await remote.seek(60)).toBe(60);
    expect(await body.copyPositions()).toEqual(late);
    expect(await remote.seek(0)).toBe(0);
    // A call changes the run: the states after it are others, and are what is kept.
    await remote.step(3);
    await body.applyImpulse([300, 0, 0]);
    await remote.step(57);
    const pushed = await body.copyPositions();
    expect(pushed).not.toEqual(late);
    expect(await remote.seek(5)).toBeLessThanOrEqual(5);
    expect(await remote.seek(60)).toBe(60);
    expect(await body.copyPositions()).toEqual(pushed);
    await expect((await remoteWorld()).seek(3)).rejects.toThrow('history');
  });

  it('undoes cuts, and only such as cut something', async () => {
    const remote = await remoteWorld({ history: {}, gravity: [0, 0, 0] });
    const body = await remote.addBody(BOX);
    await remote.step(2);
    const whole = await body.copyPositions();
    expect((await remote.cut(body, { point: [0, 0, 0], normal: [1, 0, 0] })).bodies).toHaveLength(2);
    expect(await remote.bodies()).toHaveLength(2);
    await remote.cutStroke([0, 0, 5], [-1, 8, 0], [1, 8, 0]);
    await remote.step(3);
    expect(await remote.undo()).toBe(true);
    expect(await remote.bodies()).toHaveLength(1);
    expect(await (await remote.bodies())[0].copyPositions()).toEqual(whole);
    expect(await remote.undo()).toBe(false);
  });

  it('does cuts again that were undone, until another cut is made', async () => {
    const remote = await remoteWorld({ history: {}, gravity: [0, 0, 0] });
    const body = await remote.addBody(BOX);
    await remote.step(2);
    await remote.cut(body, { point: [0, 0, 0], normal: [1, 0, 0] });
    await remote.step(3);
    const parts = async () => Promise.all((await remote.bodies()).map((part) => part.copyPositions()));
    const cut = await parts();
    expect(await remote.redo()).toBe(false);
    expect(await remote.undo()).toBe(true);
    expect(await remote.redo()).toBe(true);
    expect(await parts()).toEqual(cut);
    expect(await remote.undo()).toBe(true);
    expect(await parts()).toHaveLength(1);
    await remote.cut((await remote.bodies())[0], { point: [0, 0, 0], normal: [0, 1, 0] });
    expect(await remote.redo()).toBe(false);
  });

  it('sends particles, their values, colliders, picks and measures in frames, as asked', async () => {
    const remote = await remoteWorld({ gravity: [0, 0, 0] });
    const here = await World.create({ backend: 'ts', gravity: [0, 0, 0] });
    const sphere = { type: 'sphere', radius: 0.2, centre: [3, 0, 0] } as const;
    const collider = await remote.addCollider(sphere);
    const options = { ...BOX, velocity: [0, 2, 0], angularVelocity: [0, 3, 0] } as const;
    const [far, near] = [await remote.addBody(options), here.addBody(options)];
    const pick = await remote.addPick({ body: far, point: [0.4, 0, 0], target: [1, 0, 0], stiffness: 0 });
    expect(remote.watched).toBeUndefined();
    await remote.watch({
      particles: true,
      values: 'speed',
      colliders: true,
      picks: true,
      measures: true,
      profile: true,
    });
    await remote.step(3);
    for (let k = 0; k < 3; k++) here.step();
    await until(() => remote.frame === 3 && remote.watched !== undefined);
    const { particles, values, colliders, picks, measures, profile, bodies } = remote.watched!;
    expect(bodies).toEqual([{ handle: far.handle, name: 'box', first: 0, count: 64 }]);
    expect(Array.from(particles!)).toEqual(Array.from(near.copyPositions()));
    expect(values).toHaveLength(64);
    expect(Math.max(...values!)).toBeGreaterThan(2);
    expect(colliders![0]).toMatchObject({ collider, position: [3, 0, 0] });
    expect(picks![0].pick).toBe(pick);
    expect(picks![0].to).toEqual([1, 0, 0]);
    expect(measures!.kineticEnergy).toBeCloseTo(here.measure().kineticEnergy, 6);
    expect(profile!.match).toBeGreaterThanOrEqual(0);
    await expect(remote.watch({ values: 'heat' as never })).rejects.toThrow('watch.values');
  });

  it('serves a world that the worker made, and calls of its own', async () => {
    const remote = await remoteWorld(
      {},
      {
        create: async (options) => {
          const world = await World.create(options);
          world.addBody({ ...BOX, name: 'from a scene' });
          return world;
        },
        calls: {
          heaviest: (world) => world.bodies[0],
          lift: (world, by: number) => world.bodies[0].setPose({ position: [0, by, 0] }),
        },
      },
    );
    const body = await remote.request<RemoteBody>('heaviest');
    expect(body).toBe((await remote.bodies())[0]);
    expect(body.name).toBe('from a scene');
    await remote.request('lift', 2);
    expect((await body.centreOfMass())[1]).toBeCloseTo(2, 5);
    await expect(remote.request('sing')).rejects.toThrow('heaviest, lift');
  });

  it('serves a world with hooks, messages and contents of frames of its own', async () => {
    const told: unknown[] = [];
    let frames = 0;
    const done: string[] = [];
    const remote = await remoteWorld(
      {
        ...{ data: { cutAt: 3 }, history: { start: 'created', every: 0.1 }, watch: { picks: true }, events: false },
        ...{ gravity: [0, 0, 0], on: { progress: (value) => told.push(value) }, onFrame: () => frames++ },
      },
      {
        create: async (options, { data, tell }) => {
          const { cutAt } = data as { cutAt: number };
          tell('progress', 0.5);
          const world = await World.create(options);
          world.addBody({ ...BOX, angularVelocity: [0, 1, 0] });
          return {
            world,
            about: { title: 'a box' },
            calls: { push: () => world.bodies[0].applyImpulse([10, 0, 0]) },
            queries: { count: () => world.bodies.length },
            beforeStep: () => {
              if (world.frame === cutAt) world.cut(world.bodies[0], { point: [0, 0, 0], normal: [1, 0, 0] });
            },
            afterStep: () => done.push(`step ${world.frame}`),
            rewind: () => done.push(`rewind ${world.frame}`),
            arrived: () => done.push(`arrived ${world.frame}`) < 0,
            frame: () => ({
              bytes: 8,
              data: { step: world.frame },
              write: (buffer, at) => new Float32Array(buffer, at, 2).set([world.frame, world.time]),
            }),
          };
        },
      },
    );
    expect(told).toEqual([0.5]);
    expect(remote.about).toEqual({ title: 'a box' });
    await remote.step(8);
    await until(() => remote.frame === 8);
    expect(frames).toBeGreaterThan(0);
    const { data, buffer, at } = remote.own!;
    expect(data).toEqual({ step: 8 });
    expect(Array.from(new Float32Array(buffer, at, 2))).toEqual([8, Math.fround(remote.time)]);
    expect(remote.watched!.picks).toEqual([]);
    // The cut is repeated on the way to a later step, and a query does not keep it from being repeated.
    expect(await remote.request('count')).toBe(2);
    const places = async () => Promise.all((await remote.bodies()).map((body) => body.copyPositions()));
    const late = await places();
    expect(await remote.seek(2)).toBe(2);
    expect(await remote.request('count')).toBe(1);
    expect(await remote.seek(5)).toBe(5);
    expect(await remote.seek(8)).toBe(8);
    expect(await places()).toEqual(late);
    expect(done.slice(7, 11)).toEqual(['step 8', 'rewind 0', 'arrived 2', 'rewind 0']);
    // A start that is fixed is led back to without what was done there.
    await remote.seek(0);
    await remote.request('push');
    await remote.seek(0);
    expect((await remote.measure()).momentum[0]).toBeCloseTo(0, 6);
    expect(remote.drainEvents()).toEqual([]);
    await expect(remoteWorld({ history: { start: 'never' as never } })).rejects.toThrow('history.start');
    await expect(remoteWorld({ buffers: 2 })).rejects.toThrow('buffers is 2');
  });

  it('holds the body that a ray hits, in one call', async () => {
    const remote = await remoteWorld({ gravity: [0, 0, 0] });
    const body = await remote.addBody(BOX);
    expect(await remote.pickAlong([0, 9, 0.05], [0, 0, 1])).toBeUndefined();
    const { pick, hit } = (await remote.pickAlong([0.05, 5, 0.05], [0, -1, 0], { stiffness: 400 }))!;
    expect(hit.body).toBe(body);
    expect(hit.point[1]).toBeGreaterThan(0.3);
    await pick.moveTo([0.05, 3, 0.05]);
    await remote.step(40);
    expect((await body.centreOfMass())[1]).toBeGreaterThan(0.5);
  });

  it('waits for a page that does not draw, if asked to', async () => {
    const remote = await remoteWorld({ running: true, buffers: 3 });
    remote.waitsForDrawing = true;
    await remote.addBody(BOX);
    let [last, since] = [-1, 0];
    await until(() => {
      if (remote.frame !== last) [last, since] = [remote.frame, performance.now()];
      return performance.now() - since > 200;
    });
    const { frame } = remote;
    remote.advance();
    await until(() => remote.frame > frame);
  });

  it('makes one world after the other in a worker', async () => {
    const { port1, port2 } = new MessageChannel();
    hostWorld(port2 as unknown as Port);
    const options = { backend: 'ts', shared: false } as const;
    const first = await RemoteWorld.connect(port1, options);
    const body = await first.addBody(BOX);
    await body.show();
    const waiting = expect(body.copyPositions()).rejects.toThrow('released');
    expect(first.release()).toBe(port1);
    expect(body.alive).toBe(false);
    await waiting;
    await expect(first.bodies()).rejects.toThrow('disposed');
    // Frames of the first world that are still on their way are not taken for the second one's.
    open = await RemoteWorld.connect(port1, { ...options, running: false });
    await open.addBody({ ...BOX, name: 'second' });
    expect((await open.bodies()).map(({ name }) => name)).toEqual(['second']);
    expect(open.frame).toBe(0);
    // A world that cannot be made leaves the worker as it was.
    port1.onmessage = null;
    await expect(RemoteWorld.connect(port1, { ...options, dt: -1 })).rejects.toThrow('dt');
    open = await RemoteWorld.connect(port1, { ...options, running: false });
    expect(await open.bodies()).toEqual([]);
  });

  it('can be given up while it is made', async () => {
    const { port1, port2 } = new MessageChannel();
    hostWorld(port2 as unknown as Port, { create: () => new Promise(() => {}) });
    const abort = new AbortController();
    const made = RemoteWorld.connect(port1, { signal: abort.signal });
    abort.abort();
    await expect(made).rejects.toThrow('disposed');
    await expect(RemoteWorld.connect(port1, { signal: abort.signal })).rejects.toThrow('abort');
  });
});
