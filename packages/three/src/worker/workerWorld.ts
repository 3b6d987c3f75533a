import type { Port } from './host.js';
import { RemoteWorld, type RemoteWorldOptions } from './remoteWorld.js';

/** Options of `WorkerWorld.create`. */
export interface WorkerWorldOptions extends RemoteWorldOptions {
  /** A worker whose module imports '@pliant/three/worker' or calls `hostWorld`, or the port of one. Default: a worker of this package's own module. */
  worker?: Worker | MessagePort;
}

/**
 * A world in a worker: the page stays free however long a step or the building of a body takes. The calls are those of a `World`, as promises. The world runs by itself, in time with the clock;
 * frames with the skins of shown bodies come by shared memory where the page may share it, and in transferred buffers elsewhere.
 *
 * @example
 * const world = await WorkerWorld.create({ gravity: [0, -9.81, 0] });
 * await world.addCollider({ type: 'plane', normal: [0, 1, 0] });
 * const duck = await SoftBodyMesh.from(world, model, 'softRubber');
 * scene.add(duck);
 * renderer.setAnimationLoop(() => {
 *   duck.update(world.advance().alpha);
 *   renderer.render(scene, camera);
 * });
 */
export class WorkerWorld extends RemoteWorld {
  /** Starts a worker and makes an empty world in it. */
  static async create({ worker, ...options }: WorkerWorldOptions = {}): Promise<WorkerWorld> {
    const port = worker ?? new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'pliant' });
    const world = new WorkerWorld(port as Port, options);
    await world.begin();
    return world;
  }
}
